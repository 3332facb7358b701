//! Names inside tables.

use monotable_item::Value;
use monotable_item::limits::{INDEX_KEY_PARTS_MAX, NAME_LENGTH_MAX, NAME_LENGTH_MIN};

use super::Findings;
use crate::diagnostic::{Diagnostic, Place};
use crate::document::{Index, IndexKind, PeriodName, Table};

pub(super) fn check(findings: &mut Findings<'_>) {
    if findings.model.tables.is_empty() {
        let message = "a model has at least one table";
        findings.report(Diagnostic::error("missing-member", Place::root(), message));
    }
    for table in &findings.model.tables {
        let place = Place::table(&table.name);
        match &table.period_name {
            Some(name) => period_name(findings, name, &place.member("name")),
            None => table_name(findings, table.physical_name(), &place),
        }
        if table.sort_key.as_ref().is_some_and(|sort| sort.name == table.partition_key.name) {
            let message = "partition key and sort key are the same attribute";
            findings.report(Diagnostic::error("bad-value", place.member("sort_key"), message));
        }
        indexes(findings, table, &place);
    }
}

/// The name for some period: all periods of a length give names of the same length.
fn period_name(findings: &mut Findings<'_>, name: &PeriodName, place: &Place) {
    if let Ok(example) = name.at(Value::from("2000-01-01T00:00:00Z")) {
        table_name(findings, &example, place);
    }
}

fn indexes(findings: &mut Findings<'_>, table: &Table, place: &Place) {
    let members = [(IndexKind::Local, "local_indexes"), (IndexKind::Global, "global_indexes")];
    for (kind, member) in members {
        let indexes = table.indexes.iter().filter(|index| index.kind == kind);
        let place = place.member(member);
        for index in indexes {
            let place = place.member(&index.name);
            table_name(findings, &index.name, &place);
            key_parts(findings, index, &place);
        }
    }
    for (position, index) in table.indexes.iter().enumerate() {
        if table.indexes.iter().take(position).any(|earlier| earlier.name == index.name) {
            let message = format!("there are two indexes called {}", index.name);
            let place = place.member("global_indexes").member(&index.name);
            findings.report(Diagnostic::error("duplicate-member", place, message));
        }
    }
    if table.sort_key.is_none() && table.indexes.iter().any(|index| index.kind == IndexKind::Local)
    {
        let message = "a table without a sort key has no local indexes";
        findings.report(Diagnostic::error("bad-value", place.member("local_indexes"), message));
    }
}

fn key_parts(findings: &mut Findings<'_>, index: &Index, place: &Place) {
    for (member, parts) in [("partition_key", &index.partition_key), ("sort_key", &index.sort_key)]
    {
        if parts.len() > INDEX_KEY_PARTS_MAX {
            let message = format!(
                "a key has at most {INDEX_KEY_PARTS_MAX} attributes, and this has {}",
                parts.len()
            );
            findings.report(Diagnostic::error("bad-value", place.member(member), message));
        }
    }
    let names: Vec<&str> = index.key_attributes().map(|key| key.name.as_str()).collect();
    for (position, name) in names.iter().enumerate() {
        if names.iter().take(position).any(|earlier| earlier == name) {
            let message = format!("attribute {name} stands twice in the key");
            findings.report(Diagnostic::error("bad-value", place.clone(), message));
        }
    }
}

/// Names of tables and indexes: 3 to 255 letters, digits, `_`, `-` and `.`.
fn table_name(findings: &mut Findings<'_>, name: &str, place: &Place) {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let fits = (NAME_LENGTH_MIN..=NAME_LENGTH_MAX).contains(&name.len());
    if !fits || !name.bytes().all(allowed) {
        let message = format!(
            "{name} cannot be the name of a table or index: those have {NAME_LENGTH_MIN} to \
             {NAME_LENGTH_MAX} letters, digits, _, - and ."
        );
        findings.report(Diagnostic::error("bad-name", place.clone(), message));
    }
}
