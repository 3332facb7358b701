//! Members of a batch that were left undone, and not sent again.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Tree;

use crate::Subject;
use crate::evidence::RecordedRequest;
use crate::flow::goes_on;
use crate::request_part::request_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unprocessed-dropped",
    Error,
    Requests,
    Evidence,
    "members of a batch that were left undone are not sent again",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let requests = subject.requests.iter().enumerate();
    requests.filter_map(|(position, one)| dropped(subject.requests, position, one)).collect()
}

fn dropped(
    requests: &[RecordedRequest],
    position: usize,
    request: &RecordedRequest,
) -> Option<Diagnostic> {
    let response = request.response.as_ref()?;
    let member = ["UnprocessedItems", "UnprocessedKeys"].into_iter().find(|member| {
        response.member(member).is_some_and(|undone| !undone.members().is_empty())
    })?;
    let undone = members(response.member(member)?);
    let is_sent = |(table, one): &(&str, &Tree)| {
        let mut later = requests.iter().skip(position + 1);
        later.any(|later| sends(later, table, one))
    };
    let left = undone.iter().filter(|one| !is_sent(one)).count();
    if left == 0 || !goes_on(requests, position) {
        return None;
    }
    let message = format!("{left} of {} members in {member} are never sent again", undone.len());
    let suggestion = "send them again after a pause that grows, and report what is left at the end";
    let place = request_place(request.line);
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}

/// The members of `RequestItems` or of what is left of them, with their tables.
fn members(tables: &Tree) -> Vec<(&str, &Tree)> {
    let mut all = Vec::new();
    for (table, block) in tables.members() {
        let keys = block.member("Keys").map_or(&[][..], Tree::elements);
        let members = block.elements().iter().chain(keys);
        all.extend(members.map(|member| (table.as_str(), member)));
    }
    all
}

fn sends(request: &RecordedRequest, table: &str, member: &Tree) -> bool {
    let Some(items) = request.body.member("RequestItems") else { return false };
    members(items).contains(&(table, member))
}
