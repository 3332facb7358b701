//! A local index that is added to a table that is there.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Index, IndexKind, Table};

use crate::Subject;
use crate::kept::kept_tables;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "lsi-on-existing-table",
    Error,
    Collections,
    Evidence,
    "a local index is added to or removed from a table that exists",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    kept_tables(subject).into_iter().flat_map(|(before, after)| changes(before, after)).collect()
}

fn changes(before: &Table, after: &Table) -> Vec<Diagnostic> {
    let local = |table: &'_ Table| -> Vec<Index> {
        let local = table.indexes.iter().filter(|index| index.kind == IndexKind::Local);
        local.cloned().collect()
    };
    let (old, new) = (local(before), local(after));
    let is_in = |indexes: &[Index], index: &Index| {
        indexes.iter().any(|other| other.name == index.name && other.sort_key == index.sort_key)
    };
    let added = new.iter().filter(|index| !is_in(&old, index)).map(|index| {
        let message = format!(
            "{} is there already, and a local index is made with its table or never",
            after.name
        );
        let suggestion =
            format!("make {} a global index, or a new table and copy the items", index.name);
        Diagnostic::error(RULE.code, route_place(after, Some(index)), message)
            .with_suggestion(suggestion)
    });
    let removed = old.iter().filter(|index| !is_in(&new, index)).map(|index| {
        let message = format!(
            "the local index {} cannot be removed from {}, which is there",
            index.name, after.name
        );
        let suggestion = "keep it, or make a new table and copy the items";
        Diagnostic::error(RULE.code, Place::table(&after.name), message).with_suggestion(suggestion)
    });
    added.chain(removed).collect()
}
