//! An update that changes an index key and does not know all of it.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_plan::{PlannedRequest, UpdatePlan};

use crate::Subject;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "index-key-needs-read",
    Warning,
    Collections,
    Model,
    "an update changes a part of an index key or its condition, and does not know the rest",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, request) in requests(subject) {
        for update in updates(request).into_iter().filter(|update| !update.needs.is_empty()) {
            let indexes: Vec<&str> = update.derived.iter().map(|key| key.index.as_str()).collect();
            let message = format!(
                "the update changes keys of {}, which are made of {} as well: the item has to be \
                 read first",
                indexes.join(" and "),
                update.needs.join(" and ")
            );
            let suggestion = format!(
                "set {} in the same update, or read the item and check in the condition that {} \
                 did not change",
                update.needs.join(" and "),
                update.needs.join(" and ")
            );
            let place = Place::pattern(&pattern.name);
            found.push(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion));
        }
    }
    found
}

fn updates(request: &PlannedRequest) -> Vec<&UpdatePlan> {
    let members = request.action.members().iter().flat_map(updates);
    request.action.update().into_iter().chain(members).collect()
}
