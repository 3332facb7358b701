//! The commits once more, in order: which items changed how, and what their tables were then.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use monotable_item::{Item, Value, stored};
use monotable_storage::{KeyRange, Operation};

use super::super::recorded_engine::Commit;

const TABLE: u8 = 0x01;
const ITEM: u8 = 0x02;
const STREAM: u8 = 0x09;
/// A table's record begins with its number and its version.
const STAMP_BYTES: usize = 12;

/// The change of one item.
pub(super) struct Transition {
    pub(super) commit: usize,
    pub(super) table: u32,
    pub(super) table_name: String,
    pub(super) old: Option<Bytes>,
    pub(super) new: Option<Bytes>,
    /// The stream of the table then.
    pub(super) stream: Option<i64>,
    /// Whether the item could be removed because its time was over.
    pub(super) is_due: bool,
}

impl Transition {
    /// The item that it is about, after it or before.
    pub(super) fn item(&self) -> Item {
        let item = self.new.as_ref().or(self.old.as_ref()).expect("there is one of them");
        stored::decode(item).unwrap()
    }
}

/// A table as its record says.
pub(super) struct TableRecord {
    pub(super) id: u32,
    pub(super) version: u64,
    pub(super) schema: Item,
}

impl TableRecord {
    fn decode(record: &Bytes) -> TableRecord {
        let id = u32::from_be_bytes(record[..4].try_into().unwrap());
        let version = u64::from_be_bytes(record[4..STAMP_BYTES].try_into().unwrap());
        TableRecord { id, version, schema: stored::decode(&record[STAMP_BYTES..]).unwrap() }
    }

    pub(super) fn name(&self) -> &str {
        match &self.schema["name"] {
            Value::String(name) => name,
            other => panic!("{other:?}"),
        }
    }

    fn stream(&self) -> Option<i64> {
        self.schema.get("stream").map(|stream| number(map(stream), "id").unwrap())
    }

    /// Whether an item's time is over.
    fn is_due(&self, item: &Bytes, millis: u64) -> bool {
        let Some(ttl) = self.schema.get("time_to_live").map(map) else { return false };
        let expires_at = number(&stored::decode(item).unwrap(), "expires");
        ttl["is_active"] == Value::Bool(true)
            && expires_at.is_some_and(|secs| secs as u64 <= millis / 1000)
    }
}

#[derive(Default)]
pub(super) struct Replay {
    pub(super) transitions: Vec<Transition>,
    /// The existing tables in the end, by the key of their record.
    pub(super) tables: BTreeMap<Vec<u8>, TableRecord>,
    /// All versions of tables that there ever were.
    pub(super) versions: BTreeSet<(u32, u64)>,
    pub(super) created: Vec<u32>,
    pub(super) deleted: Vec<u32>,
    streams: BTreeMap<Vec<u8>, Item>,
    items: BTreeMap<Vec<u8>, Bytes>,
}

impl Replay {
    pub(super) fn of(commits: &[Commit]) -> Replay {
        let mut replay = Replay::default();
        for (number, commit) in commits.iter().enumerate() {
            replay.follow_items(number, commit);
            let is_change = replay.follow_tables(commit);
            if is_change {
                replay.check_streams();
            }
        }
        replay
    }

    fn follow_items(&mut self, number: usize, commit: &Commit) {
        for operation in commit.operations() {
            match operation {
                Operation::Put { key, value } if key[0] == ITEM => {
                    self.follow_item(number, commit, key, Some(value));
                }
                Operation::Delete { key } if key[0] == ITEM => {
                    self.follow_item(number, commit, key, None);
                }
                Operation::DeleteRange { range } => self.purge(range),
                _ => {}
            }
        }
    }

    fn follow_item(&mut self, commit: usize, at: &Commit, key: &[u8], new: Option<&Bytes>) {
        let id = table_of(key);
        let table = self.tables.values().find(|table| table.id == id);
        let table = table.unwrap_or_else(|| panic!("a write to table {id}, which is gone"));
        let old = self.items.get(key).cloned();
        let is_due = old.as_ref().is_some_and(|old| table.is_due(old, at.millis));
        let (table_name, stream) = (table.name().to_owned(), table.stream());
        let transition =
            Transition { commit, table: id, table_name, old, new: new.cloned(), stream, is_due };
        self.transitions.push(transition);
        match new {
            Some(new) => self.items.insert(key.to_vec(), new.clone()),
            None => self.items.remove(key),
        };
    }

    /// Only the items of tables that are gone are removed without more ado.
    fn purge(&mut self, range: &KeyRange) {
        let live: Vec<u32> = self.tables.values().map(|table| table.id).collect();
        self.items.retain(|key, _| {
            let is_purged = range.contains(key);
            assert!(!is_purged || !live.contains(&table_of(key)), "a table in use is purged");
            !is_purged
        });
    }

    /// Returns whether a table or a stream has changed.
    fn follow_tables(&mut self, commit: &Commit) -> bool {
        let mut is_change = false;
        for operation in commit.operations() {
            match operation {
                Operation::Put { key, value } if key[0] == TABLE => {
                    self.put_table(key, TableRecord::decode(value));
                }
                Operation::Delete { key } if key[0] == TABLE => {
                    let gone = self.tables.remove(key).expect("a table that is there is deleted");
                    self.deleted.push(gone.id);
                }
                Operation::Put { key, value } if key[0] == STREAM => {
                    self.streams.insert(key.clone(), stored::decode(value).unwrap());
                }
                Operation::Delete { key } if key[0] == STREAM => {
                    self.streams.remove(key);
                }
                _ => continue,
            }
            is_change = true;
        }
        is_change
    }

    fn put_table(&mut self, key: &[u8], record: TableRecord) {
        let (id, version) = (record.id, record.version);
        assert!(self.versions.insert((id, version)), "version {version} of table {id} twice");
        match self.tables.get(key) {
            Some(before) => assert_eq!((before.id, before.version + 1), (id, version)),
            None => {
                assert_eq!(version, 1, "table {id} comes back");
                let is_later = self.created.last().is_none_or(|last| *last < id);
                assert!(is_later, "the number of table {id} was used before");
                self.created.push(id);
            }
        }
        self.tables.insert(key.to_vec(), record);
    }

    /// A table has one enabled stream if it writes to one, and none otherwise.
    fn check_streams(&self) {
        let mut enabled: Vec<(i64, i64)> = Vec::new();
        for stream in self.streams.values() {
            if !stream.contains_key("disabled_millis") {
                enabled.push((number(stream, "table").unwrap(), number(stream, "id").unwrap()));
            }
        }
        enabled.sort_unstable();
        let open = self.tables.values();
        let mut open: Vec<(i64, i64)> =
            open.filter_map(|table| Some((table.id.into(), table.stream()?))).collect();
        open.sort_unstable();
        assert_eq!(enabled, open, "enabled streams, and those that are written to");
    }
}

/// The number of the table that a key of an item belongs to.
pub(super) fn table_of(key: &[u8]) -> u32 {
    u32::from_be_bytes(key[1..5].try_into().unwrap())
}

pub(super) fn number(item: &Item, name: &str) -> Option<i64> {
    match item.get(name)? {
        Value::Number(number) => number.to_i64(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn map(value: &Value) -> &Item {
    match value {
        Value::Map(map) => map,
        other => panic!("{other:?}"),
    }
}
