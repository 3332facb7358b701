//! Items that do not say what they are.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Profile, Table};

use crate::Subject;
use crate::key_site::is_same_family;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "missing-type-attribute",
    Warning,
    Keys,
    Model,
    "several entities share a table, and no attribute says which of them an item is",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let tables = subject.model.tables.iter();
    tables
        .filter_map(|table| match &table.type_attribute {
            None => undeclared(subject, table),
            Some(name) => unwritten(subject, table, name),
        })
        .collect()
}

fn undeclared(subject: &Subject<'_>, table: &Table) -> Option<Diagnostic> {
    let entities: Vec<&Entity> = subject.model.entities_in(table).collect();
    let (first, others) = entities.split_first()?;
    let is_shared = others.iter().any(|other| !is_same_family(first, other));
    if !is_shared || subject.profile == Profile::MultiTable {
        return None;
    }
    let message = format!(
        "{} entities share {}, and no attribute says which of them an item is",
        entities.len(),
        table.name
    );
    let found = Diagnostic::warning(RULE.code, Place::table(&table.name), message);
    Some(found.with_suggestion("type_attribute = \"Type\""))
}

fn unwritten(subject: &Subject<'_>, table: &Table, name: &str) -> Option<Diagnostic> {
    let items = || subject.items.iter().filter(|stored| stored.table == table.name);
    let lacking = items().filter(|stored| !stored.item.contains_key(name)).count();
    if lacking == 0 {
        return None;
    }
    let message = format!("{lacking} of {} items of {} lack {name}", items().count(), table.name);
    let place = Place::table(&table.name).member("type_attribute");
    let suggestion = format!("write {name} with every item, and add it to those that are there");
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}
