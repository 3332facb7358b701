//! An index for one entity that another entity is in as well.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_plan::PlannedAction;

use crate::Subject;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "dedicated-sparse-overloaded",
    Error,
    Collections,
    Model,
    "an index that is scanned for one entity holds another as well",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, request) in requests(subject) {
        let PlannedAction::Scan(scan) = &request.action else { continue };
        let Some(index) = request.target.index.as_ref().filter(|_| !scan.leaks.is_empty()) else {
            continue;
        };
        let message = format!(
            "\"{}\" scans {index} for {}, and {} is in it as well",
            pattern.name,
            pattern.entities.join(", "),
            scan.leaks.join(", ")
        );
        let suggestion = format!(
            "give {} another index, so that {index} can be scanned as it is",
            scan.leaks.join(", ")
        );
        for entity in &scan.leaks {
            let place = Place::entity(entity).member("indexes").member(index);
            found.push(
                Diagnostic::error(RULE.code, place, message.clone())
                    .with_suggestion(suggestion.clone()),
            );
        }
    }
    found
}
