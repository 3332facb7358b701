//! What was found, for programs.
//!
//! One object. With `--repair` its first member lists the changes, each written when it is about to
//! be made: a repair of millions of entries needs no memory for them.

use std::io;

use monotable_database::check::{Change, CheckReport, Fault, FaultLocation, LocationKey, Repair};
use monotable_item::Value as Attribute;
use monotable_remote::encode_value;
use monotable_storage_local::{Fault as FileFault, Report as FileReport};
use serde_json::{Map, Value, json};

use super::text::hex;
use super::{Findings, sentence};
use crate::output;

/// Prints what was found. After changes, it ends the object that they began.
pub(super) fn print(findings: &Findings) -> io::Result<()> {
    let object = format!("{:#}", object(findings));
    match (findings.changes, object.strip_prefix("{\n")) {
        (Some(0), Some(members)) => output::line(&format!("{{\n  \"changes\": [],\n{members}")),
        (Some(_), Some(members)) => output::line(&format!("\n  ],\n{members}")),
        _ => output::line(&object),
    }
}

/// Prints a change that is about to be made; the first one begins the object.
pub(super) fn print_change(change: &Change, number: u64) -> io::Result<()> {
    let before = if number == 1 { "{\n  \"changes\": [\n" } else { ",\n" };
    output::text(&format!("{before}    {}", change_object(change)))
}

fn object(findings: &Findings) -> Value {
    let contents = findings.contents.as_ref().map(contents);
    match &findings.files {
        Some(files) => json!({
            "directory": findings.store,
            "sound": findings.is_sound(),
            "files": files_object(files),
            "contents": contents,
        }),
        None => {
            json!({ "store": findings.store, "sound": findings.is_sound(), "contents": contents })
        }
    }
}

fn files_object(files: &FileReport) -> Value {
    let fault = |fault: &FileFault| {
        json!({ "file": fault.path.display().to_string(),
            "problem": fault.what })
    };
    json!({
        "count": files.files,
        "bytes": files.bytes,
        "faults": files.faults.iter().map(fault).collect::<Vec<_>>(),
    })
}

fn contents(report: &CheckReport) -> Value {
    let totals = &report.totals;
    json!({
        "tables": totals.tables,
        "items": totals.items,
        "indexEntries": totals.index_entries,
        "expiryEntries": totals.expiry_entries,
        "streams": totals.streams,
        "streamRecords": totals.stream_records,
        "notedGarbage": totals.noted_garbage,
        "leftoverRecords": totals.leftover_records,
        "faults": report.faults.iter().map(fault_object).collect::<Vec<_>>(),
        "moreFaults": report.more_faults,
    })
}

fn fault_object(fault: &Fault) -> Value {
    let mut object = place(&fault.place);
    object.insert("code".to_owned(), sentence::code(&fault.problem).into());
    object.insert("problem".to_owned(), sentence::problem(&fault.problem).into());
    object.insert("repairable".to_owned(), fault.is_repairable.into());
    Value::Object(object)
}

/// A change, with all that it takes away.
fn change_object(change: &Change) -> Value {
    let mut object = place(&change.place);
    object.insert("code".to_owned(), sentence::change_code(change).into());
    object.insert("change".to_owned(), sentence::change(change).into());
    match &change.repair {
        Repair::Write { key, replaced, .. } => {
            object.insert("storageKey".to_owned(), hex(key).into());
            let replaced = replaced.as_ref().map(|value| hex(value));
            object.insert("storageValueBefore".to_owned(), replaced.into());
        }
        Repair::Remove { key, value } => {
            object.insert("storageKey".to_owned(), hex(key).into());
            object.insert("storageValueBefore".to_owned(), hex(value).into());
        }
        Repair::SetCounter { counter, from, to } => {
            object.insert("storageKey".to_owned(), hex(counter).into());
            object.insert("from".to_owned(), (*from).into());
            object.insert("to".to_owned(), (*to).into());
        }
    }
    Value::Object(object)
}

fn place(place: &FaultLocation) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("table".to_owned(), place.table.clone().into());
    object.insert("index".to_owned(), place.index.clone().into());
    match &place.key {
        None => {}
        Some(LocationKey::Attributes(attributes)) => {
            let named = |(name, value): &(String, Attribute)| (name.clone(), encode_value(value));
            object.insert("key".to_owned(), attributes.iter().map(named).collect());
        }
        Some(LocationKey::Bytes(bytes)) => {
            object.insert("storageKey".to_owned(), hex(bytes).into());
        }
    }
    object
}
