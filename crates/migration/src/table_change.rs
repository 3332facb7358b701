//! Changes of tables.

use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Table, table_tree};

use super::change::{Change, ChangeKind, Class, Mark};
use super::diff::{Difference, differences};
use super::index_change;

/// Compares the tables of two models.
pub(super) fn compare(old: &Model, new: &Model, changes: &mut Vec<Change>) {
    for table in &new.tables {
        match old.table(&table.name) {
            Some(before) => settings(before, table, changes),
            None => changes.push(added(table)),
        }
    }
    let gone = old.tables.iter().filter(|table| new.table(&table.name).is_none());
    changes.extend(gone.map(removed));
}

fn added(table: &Table) -> Change {
    Change::new(Mark::Added, ChangeKind::Table, Place::table(&table.name))
        .of_class(Class::TableChange)
        .noting("CreateTable makes it")
}

fn removed(table: &Table) -> Change {
    Change::new(Mark::Removed, ChangeKind::Table, Place::table(&table.name))
        .of_class(Class::TableChange)
        .breaking()
        .noting("it stays, with its items, until DeleteTable")
}

fn settings(old: &Table, new: &Table, changes: &mut Vec<Change>) {
    let place = Place::table(&new.name);
    for difference in differences(&table_tree(old), &table_tree(new)) {
        if matches!(difference.member.as_str(), "local_indexes" | "global_indexes") {
            continue;
        }
        changes.push(setting(&place, difference));
    }
    index_change::compare(old, new, changes);
}

fn setting(place: &Place, difference: Difference) -> Change {
    let member = difference.member.clone();
    let mark = difference.mark();
    let change = Change::new(mark, ChangeKind::Table, place.member(&member))
        .between(difference.before, difference.after);
    match member.as_str() {
        "name" => change.of_class(Class::NewTable).breaking().noting(
            "a table keeps its name: restore a backup under the new one, or copy its items",
        ),
        "partition_key" | "sort_key" => change
            .of_class(Class::NewTable)
            .breaking()
            .noting("the key of a table never changes: create another table and copy the items"),
        "type_attribute" => change.of_class(Class::Decorate).breaking(),
        "ttl" => change.of_class(Class::TableChange).noting(
            "UpdateTimeToLive; another attribute can be named an hour after the first was disabled",
        ),
        "stream" => change.of_class(Class::TableChange).noting(
            "UpdateTable; another view is another stream, which consumers must begin to follow",
        ),
        _ => change.of_class(Class::TableChange).noting("UpdateTable; items are not touched"),
    }
}
