//! More than one index that is created or dropped at once.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Index, IndexKind, Table};

use crate::Subject;
use crate::kept::kept_tables;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "several-index-changes",
    Info,
    Evolution,
    Evidence,
    "several global indexes of a table are created or dropped, and the service takes one at a time",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    kept_tables(subject).into_iter().filter_map(|(before, after)| judge(before, after)).collect()
}

fn judge(before: &Table, after: &Table) -> Option<Diagnostic> {
    let missing = |from: &Table, index: &&Index| {
        index.kind == IndexKind::Global && from.index(&index.name).is_none()
    };
    let created = after.indexes.iter().filter(|index| missing(before, index));
    let dropped = before.indexes.iter().filter(|index| missing(after, index));
    let steps: Vec<String> = created
        .map(|index| format!("create {}", index.name))
        .chain(dropped.map(|index| format!("drop {}", index.name)))
        .collect();
    if steps.len() < 2 {
        return None;
    }
    let message = format!("{} changes of indexes: {}", steps.len(), steps.join(", "));
    let suggestion = "make them one after the other, each when the one before is active, and \
                      create before dropping";
    let place = Place::table(&after.name).member("global_indexes");
    Some(Diagnostic::info(RULE.code, place, message).with_suggestion(suggestion))
}
