//! Changes of indexes.
//!
//! A global index comes and goes with `UpdateTable`, one at a time; its keys and its projection
//! never change. A local index is part of its table for as long as that exists.

use monotable_model::diagnostic::Place;
use monotable_model::document::{Index, IndexKind, Table, index_tree};

use super::change::{Change, ChangeKind, Class, Mark};
use super::diff::{Difference, differences};

/// Compares the indexes of two versions of a table.
pub(super) fn compare(old: &Table, new: &Table, changes: &mut Vec<Change>) {
    for index in &new.indexes {
        match old.index(&index.name) {
            Some(before) if before.kind == index.kind => settings(new, before, index, changes),
            Some(before) => {
                changes.push(removed(old, before));
                changes.push(added(new, index));
            }
            None => changes.push(added(new, index)),
        }
    }
    let gone = old.indexes.iter().filter(|index| new.index(&index.name).is_none());
    changes.extend(gone.map(|index| removed(old, index)));
}

fn place(table: &Table, index: &Index) -> Place {
    let list = match index.kind {
        IndexKind::Local => "local_indexes",
        IndexKind::Global => "global_indexes",
    };
    Place::table(&table.name).member(list).member(&index.name)
}

fn added(table: &Table, index: &Index) -> Change {
    let change = Change::new(Mark::Added, ChangeKind::Index, place(table, index));
    match index.kind {
        IndexKind::Global => change
            .of_class(Class::TableChange)
            .noting("UpdateTable; the table puts the items into it that have its key attributes"),
        IndexKind::Local => new_table(change),
    }
}

fn removed(table: &Table, index: &Index) -> Change {
    let change = Change::new(Mark::Removed, ChangeKind::Index, place(table, index)).breaking();
    match index.kind {
        IndexKind::Global => {
            change.of_class(Class::TableChange).noting("UpdateTable, when nobody reads it any more")
        }
        IndexKind::Local => new_table(change),
    }
}

fn new_table(change: Change) -> Change {
    change
        .of_class(Class::NewTable)
        .noting("a local index comes and goes with its table only; a global one would do")
}

fn settings(table: &Table, old: &Index, new: &Index, changes: &mut Vec<Change>) {
    for difference in differences(&index_tree(old), &index_tree(new)) {
        changes.push(setting(table, new, difference));
    }
}

fn setting(table: &Table, index: &Index, difference: Difference) -> Change {
    let place = place(table, index).member(&difference.member);
    let is_fixed = difference.member != "billing";
    let change = Change::new(difference.mark(), ChangeKind::Index, place)
        .between(difference.before, difference.after);
    match (index.kind, is_fixed) {
        (IndexKind::Local, _) => new_table(change.breaking()),
        (IndexKind::Global, true) => change.of_class(Class::TableChange).breaking().noting(
            "an index keeps its keys and its projection: create one of another name, and delete \
             this one when nobody reads it any more",
        ),
        (IndexKind::Global, false) => change.of_class(Class::TableChange).noting("UpdateTable"),
    }
}
