//! Compares what a server has after a restart with what its clients know.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use monotable_conformance::client::Client;
use serde_json::{Value, json};

use super::Cast;
use super::ledger::{Change, Doubt, State, Unity};
use super::requests;
use super::table::{INDEXES, TABLE};
use super::writer::Writer;

/// What was compared, and found equal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Verified {
    /// Existing items.
    pub(crate) items: u64,
    /// Requests without an answer, and those of them that have happened.
    pub(crate) in_doubt: u64,
    pub(crate) happened: u64,
    /// Records of the stream since the beginning.
    pub(crate) records: u64,
}

/// All items, index entries and changes. Nothing is written meanwhile.
pub(super) fn verify(client: &mut Client, cast: &mut Cast) -> Result<Verified> {
    let table = read(client, None)?;
    let mut verified = Verified { items: table.len() as u64, ..Verified::default() };
    for index in INDEXES {
        let entries = read(client, Some(index))?;
        let differing = table.symmetric_difference(&entries).count();
        ensure!(differing == 0, "index {index} and the table differ in {differing} items");
    }
    let mut states = by_client(&table)?;
    for writer in &mut cast.writers {
        let found = states.remove(&writer.number).unwrap_or_default();
        if let Some(doubt) = writer.doubt.take() {
            verified.in_doubt += 1;
            verified.happened += u64::from(settle(writer, &doubt, &found)?);
        }
        compare(writer, &found)?;
    }
    ensure!(states.is_empty(), "there are items of nobody");
    cast.consumer.catch_up(client)?;
    compare_streams(cast)?;
    verified.records = cast.consumer.records;
    Ok(verified)
}

/// An item as every index must have it: its keys and its version.
type Entry = (String, String, u64);

/// Everything in the table or an index.
fn read(client: &mut Client, index: Option<&str>) -> Result<BTreeSet<Entry>> {
    let mut entries = BTreeSet::new();
    let mut after = None;
    loop {
        let answer = client.must("Scan", &scan(index, after.as_ref()))?;
        for item in answer.get("Items").and_then(Value::as_array).into_iter().flatten() {
            let text = |path: &str| Some(item.pointer(path)?.as_str()?.to_owned());
            let entry = text("/pk/S").zip(text("/sk/S")).zip(requests::version(item));
            let ((pk, sk), version) = entry.with_context(|| format!("an item is {item}"))?;
            ensure!(entries.insert((pk, sk, version)), "{item} is there twice");
        }
        after = answer.get("LastEvaluatedKey").cloned();
        if after.is_none() {
            return Ok(entries);
        }
    }
}

fn scan(index: Option<&str>, after: Option<&Value>) -> Value {
    let mut request = json!({"TableName": TABLE, "ProjectionExpression": "pk, sk, version"});
    if let Some(request) = request.as_object_mut() {
        request.extend(index.map(|index| ("IndexName".to_owned(), json!(index))));
        request.extend(after.map(|key| ("ExclusiveStartKey".to_owned(), key.clone())));
    }
    request
}

/// The version of each item, by client.
fn by_client(table: &BTreeSet<Entry>) -> Result<BTreeMap<usize, BTreeMap<usize, u64>>> {
    let mut states: BTreeMap<usize, BTreeMap<usize, u64>> = BTreeMap::new();
    for (pk, sk, version) in table {
        let names = requests::number_in(pk).zip(requests::number_in(sk));
        let (client, item) = names.with_context(|| format!("an item is called {pk} {sk}"))?;
        states.entry(client).or_default().insert(item, *version);
    }
    Ok(states)
}

/// Takes over what became of a request without an answer; says whether any of it has happened.
fn settle(writer: &mut Writer, doubt: &Doubt, found: &BTreeMap<usize, u64>) -> Result<bool> {
    let has_happened = |(item, state): &&Change| {
        let before: State = writer.items.get(*item).and_then(|known| known.state);
        *state != before && found.get(item).copied() == *state
    };
    let happened: Vec<Change> = doubt.changes.iter().filter(has_happened).copied().collect();
    let is_whole = happened.is_empty() || happened.len() == doubt.changes.len();
    ensure!(
        doubt.unity == Unity::Separate || is_whole,
        "half of a transaction has happened: {doubt:?}"
    );
    writer.apply(&happened);
    Ok(!happened.is_empty())
}

fn compare(writer: &Writer, found: &BTreeMap<usize, u64>) -> Result<()> {
    for (item, known) in writer.items.iter().enumerate() {
        let found = found.get(&item).copied();
        ensure!(
            found == known.state,
            "item {item} of client {} is {found:?} and must be {:?}",
            writer.number,
            known.state
        );
    }
    Ok(())
}

fn compare_streams(cast: &Cast) -> Result<()> {
    for writer in &cast.writers {
        for (item, known) in writer.items.iter().enumerate() {
            let seen = cast.consumer.histories.get(&(writer.number, item));
            let seen = seen.copied().unwrap_or_default();
            ensure!(
                seen == known.history,
                "the stream has {} changes of item {item} of client {}, which had {}: {seen:?}, \
                 {:?}",
                seen.changes,
                writer.number,
                known.history.changes,
                known.history
            );
        }
    }
    Ok(())
}
