//! A stored item that the model does not know.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Table;
use monotable_model::recognition::Recognition;

use crate::rule::{Rule, rule};
use crate::stored_entity::key_text;
use crate::{StoredItem, Subject};

pub(super) const RULE: Rule = rule!(
    "item-matches-no-entity",
    Warning,
    Data,
    Evidence,
    "a stored item has a key or a type that no entity has",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if !subject.has_data {
        return Vec::new();
    }
    subject.model.tables.iter().filter_map(|table| judge(subject, table)).collect()
}

fn judge(subject: &Subject<'_>, table: &Table) -> Option<Diagnostic> {
    let recognised = subject.items.iter().zip(&subject.recognitions);
    let own = recognised.filter(|(stored, _)| stored.table == table.name);
    let unknown = own.filter(|(_, recognition)| **recognition == Recognition::Unknown);
    let unknown: Vec<&StoredItem> = unknown.map(|(stored, _)| stored).collect();
    let first = unknown.first()?;
    let message = match unknown.len() {
        1 => format!("no entity has a key such as {}", key_text(table, &first.item)),
        count => format!(
            "{count} stored items are of no entity, such as {}",
            key_text(table, &first.item)
        ),
    };
    let suggestion = "add the entity that it is, or delete what an earlier version left behind";
    Some(
        Diagnostic::warning(RULE.code, Place::table(&table.name), message)
            .with_suggestion(suggestion),
    )
}
