//! An attribute that is a key of two indexes, or of the table and an index.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Index, IndexKind, Model, Table};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "key-attribute-reused",
    Warning,
    Keys,
    Model,
    "one attribute is the key of two indexes, or of the table and an index",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let tables = subject.model.tables.iter();
    tables.flat_map(|table| reused(subject.model, table)).collect()
}

fn reused(model: &Model, table: &Table) -> Vec<Diagnostic> {
    let global = || table.indexes.iter().filter(|index| index.kind == IndexKind::Global);
    let mut found = Vec::new();
    for (number, index) in global().enumerate() {
        if is_turned(table, index) {
            continue;
        }
        for key in index.key_attributes().filter(|key| !is_data(model, table, &key.name)) {
            let in_table = table.key_attributes().any(|other| other.name == key.name);
            let earlier = global().take(number).find(|other| has_key(other, &key.name));
            let user = match (in_table, earlier) {
                (true, _) => format!("table {}", table.name),
                (false, Some(other)) => format!("index {}", other.name),
                (false, None) => continue,
            };
            found.push(finding(table, index, &key.name, &user));
        }
    }
    found
}

/// Whether an index has the table's own key, as it is or turned round: that is what these are for.
fn is_turned(table: &Table, index: &Index) -> bool {
    let own: Vec<&str> = table.key_attributes().map(|key| key.name.as_str()).collect();
    let mut other: Vec<&str> = index.key_attributes().map(|key| key.name.as_str()).collect();
    let same = own == other;
    other.reverse();
    same || own == other
}

fn has_key(index: &Index, name: &str) -> bool {
    index.key_attributes().any(|key| key.name == name)
}

/// Whether the attribute is data of its own, which indexes may share, and not made to be a key.
fn is_data(model: &Model, table: &Table, name: &str) -> bool {
    let mut attributes = model.entities_in(table).flat_map(|entity| &entity.attributes);
    attributes.any(|attribute| attribute.item_name() == name)
}

fn finding(table: &Table, index: &Index, name: &str, user: &str) -> Diagnostic {
    let place = Place::table(&table.name).member("global_indexes").member(&index.name);
    let message = format!("{name} is a key of {} and of {user}", index.name);
    let suggestion =
        format!("give the index attributes of its own, such as {0}PK and {0}SK", index.name);
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}
