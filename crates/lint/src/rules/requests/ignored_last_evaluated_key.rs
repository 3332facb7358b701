//! A page that is taken for all there is.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::pages::open_pages;
use crate::request_part::request_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "ignored-last-evaluated-key",
    Error,
    Requests,
    Evidence,
    "a page is used as if it were all, although its LastEvaluatedKey says that there is more",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let pages = open_pages(subject.requests).into_iter();
    // An empty page is another mistake, and who sets a limit may want no more than that.
    let pages = pages.filter(|page| page.items > 0 && !page.is_limited);
    let found = pages.map(|page| {
        let message = format!(
            "the answer has {} items and a LastEvaluatedKey, and no later request starts from it",
            page.items
        );
        let suggestion = "ask again with it as ExclusiveStartKey until an answer has none";
        let place = request_place(page.request.line);
        Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
    });
    found.collect()
}
