//! A stored item that the model does not know.

use crate::diagnostic::{Diagnostic, Place};
use crate::document::Table;
use crate::lint::rule::{Rule, rule};
use crate::lint::stored_entity::{entity_of, key_text};
use crate::lint::{StoredItem, Subject};

pub(super) const RULE: Rule = rule!(
    "item-matches-no-entity",
    Warning,
    Data,
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
    let own = subject.items.iter().filter(|stored| stored.table == table.name);
    let unknown: Vec<&StoredItem> =
        own.filter(|stored| entity_of(subject.model, table, stored).is_none()).collect();
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
