//! A loop that ends at an empty page.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::pages::open_pages;
use crate::request_part::request_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "stop-on-empty-page",
    Error,
    Requests,
    Evidence,
    "reading ends at an empty page, although its LastEvaluatedKey says that there is more",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let pages = open_pages(subject.requests).into_iter().filter(|page| page.items == 0);
    let found = pages.map(|page| {
        let message = "the page is empty and has a LastEvaluatedKey: what follows is never read";
        let suggestion = "end the loop when LastEvaluatedKey is absent, not when Items is empty";
        let place = request_place(page.request.line);
        Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
    });
    found.collect()
}
