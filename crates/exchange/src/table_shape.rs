//! Tables as AWS describes them: CreateTable, DescribeTable, and the properties of CloudFormation's
//! resources.
//!
//! The four differ in little: DescribeTable has summaries where CreateTable has settings,
//! CloudFormation adds time to live and backups. One reader takes them all, and what it does not
//! know is kept.

mod reading;
mod writing;

pub(super) use reading::{CLASSES, KEY_TYPES, STREAM_VIEWS, UNITS_UNKNOWN, table};
pub(super) use writing::{Dialect, index_throughput, projection, table_members};

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::members::Members;
use monotable_model::document::{Model, Table, Tree};

use super::cloudformation::beyond_tables;
use super::extension::{Kept, kept_for, restore};
use super::foreign::{At, Object, Read};
use super::outcome::{Draft, Written};

/// A table as DescribeTable shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveTable {
    /// The table.
    pub table: Table,
    /// How many items it had when they were last counted.
    pub item_count: Option<u64>,
    /// How many bytes it had then.
    pub size_bytes: Option<u64>,
    /// What was not understood.
    pub notes: Vec<Diagnostic>,
}

/// Reads the answer of DescribeTable, or says what is wrong with it.
pub fn read_description(answer: &Tree) -> Result<LiveTable, Diagnostic> {
    let answer = At::root(answer).open()?;
    let object = answer.required("Table")?.open()?;
    let mut notes = Vec::new();
    let table = named_table(&object, &mut notes)?;
    let count = |name| object.take(name).and_then(|at| at.count().ok());
    Ok(LiveTable {
        table,
        item_count: count("ItemCount"),
        size_bytes: count("TableSizeBytes"),
        notes,
    })
}

/// Imports one table, or a list of them.
pub(super) fn import(root: &At<'_>) -> Read<Draft> {
    let mut draft = Draft::default();
    for at in tables_of(root)? {
        let object = at.open()?;
        let object = match object.take("Table") {
            Some(inner) => inner.open()?,
            None => object,
        };
        let table = named_table(&object, &mut draft.notes)?;
        let mut kept = Kept::default();
        kept.members(settings(&object));
        draft.kept.under(&table.name, kept);
        draft.model.tables.push(table);
    }
    Ok(draft)
}

/// The tables of a file: a list, the member `tables`, or the file itself.
fn tables_of<'t>(root: &At<'t>) -> Read<Vec<At<'t>>> {
    if matches!(root.tree, Tree::List(_)) {
        return root.list();
    }
    match root.open()?.take("tables") {
        Some(tables) => tables.list(),
        None => Ok(vec![root.clone()]),
    }
}

fn named_table(object: &Object<'_>, notes: &mut Vec<Diagnostic>) -> Read<Table> {
    let name = object.required("TableName")?.text()?.to_owned();
    table(object, &name, notes)
}

/// What DescribeTable says of the state of a table is none of its settings.
fn settings(object: &Object<'_>) -> Vec<(String, Tree)> {
    const STATE: [&str; 12] = [
        "TableStatus",
        "CreationDateTime",
        "TableSizeBytes",
        "ItemCount",
        "TableArn",
        "TableId",
        "LatestStreamLabel",
        "LatestStreamArn",
        "ArchivalSummary",
        "RestoreSummary",
        "SSEDescription",
        "WarmThroughput",
    ];
    let mut settings = object.leftover();
    settings.retain(|(name, _)| !STATE.contains(&name.as_str()));
    settings
}

/// The parameters of CreateTable: an object for one table, a list for several.
pub(super) fn export(model: &Model) -> Written<Tree> {
    let mut notes = Vec::new();
    let kept = kept_for(model, "create-table");
    let tables: Vec<Tree> =
        model.tables.iter().map(|table| create_table(table, kept, &mut notes)).collect();
    let content = match <[Tree; 1]>::try_from(tables) {
        Ok([table]) => table,
        Err(tables) => Tree::List(tables),
    };
    notes.extend(beyond_tables(model, "CreateTable describes a table"));
    Written { content, notes }
}

fn create_table(table: &Table, kept: Option<&Tree>, notes: &mut Vec<Diagnostic>) -> Tree {
    let mut members = Members::new();
    members.text("TableName", Some(table.physical_name()));
    table_members(&mut members, table, Dialect::Call);
    members.flag("DeletionProtectionEnabled", table.deletion_protection);
    let place = Place::table(&table.name);
    let elsewhere = [
        ("ttl", table.ttl.is_some(), "UpdateTimeToLive"),
        ("backup", table.backup.is_some(), "UpdateContinuousBackups"),
        ("replicas", !table.replicas.is_empty(), "UpdateTable"),
    ];
    for (member, is_there, operation) in elsewhere {
        if is_there {
            let message = format!("CreateTable cannot say it; a call of {operation} does");
            notes.push(super::foreign::note(&place.member(member), message));
        }
    }
    let mut tree = members.into_tree();
    let Some(Tree::Map(by_table)) = kept else { return tree };
    if let Some((_, kept)) = by_table.iter().find(|(name, _)| *name == table.name) {
        restore(&mut tree, kept);
    }
    tree
}
