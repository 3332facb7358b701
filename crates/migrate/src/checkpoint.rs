//! Checkpoints: how far a migration has come, as items.
//!
//! A migration of table `Orders` in eight segments has nine items, in the table itself or in
//! another one:
//!
//! ```text
//! monotable:backfill:Orders:header   { "fingerprint": "9f…", "segments": 8 }
//! monotable:backfill:Orders:0003     { "last_key": { "PK": …, "SK": … }, "done": false, "scanned": 12000, "changed": 11800 }
//! ```
//!
//! The text is the partition key and, where the table has one, the sort key. The rest is one
//! attribute,
//! `monotable_backfill`, so that no index and no expiry sees anything of it.

use monotable_item::key_encoding::KeyType;
use monotable_item::{Item, Value};
use monotable_model::document::KeyAttribute;

/// What every key of a checkpoint begins with.
const PREFIX: &str = "monotable:backfill:";

/// The attribute that holds everything.
pub(crate) const CONTENT: &str = "monotable_backfill";

/// What is known of a migration that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The models between which it leads, as a hash.
    pub(crate) fingerprint: String,
    /// In how many segments the table is scanned. Positions of another number of them mean nothing.
    pub(crate) segments: u32,
}

/// How far a segment has come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SegmentCheckpoint {
    /// The last key of the last page that was finished.
    pub(crate) last_key: Option<Item>,
    /// Whether there are no more pages.
    pub(crate) done: bool,
    /// Items that were read.
    pub(crate) scanned: u64,
    /// Items that were changed.
    pub(crate) changed: u64,
}

/// Which checkpoint of a migration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Header,
    Segment(u32),
}

impl Part {
    /// The text of the key.
    pub(crate) fn text(self, table: &str) -> String {
        match self {
            Part::Header => format!("{PREFIX}{table}:header"),
            Part::Segment(number) => format!("{PREFIX}{table}:{number:04}"),
        }
    }

    /// The key, unless the table's key is a number.
    pub(crate) fn key(self, table: &str, attributes: &[KeyAttribute]) -> Option<Item> {
        let text = self.text(table);
        let value = |kind: KeyType| match kind {
            KeyType::String => Some(Value::String(text.clone())),
            KeyType::Binary => Some(Value::Binary(text.clone().into_bytes())),
            KeyType::Number => None,
        };
        attributes.iter().map(|part| Some((part.name.clone(), value(part.kind)?))).collect()
    }
}

/// Whether an item is a checkpoint, of any migration.
pub(crate) fn is_checkpoint(item: &Item) -> bool {
    item.contains_key(CONTENT)
        && item.values().any(|value| match value {
            Value::String(text) => text.starts_with(PREFIX),
            Value::Binary(bytes) => bytes.starts_with(PREFIX.as_bytes()),
            _ => false,
        })
}

impl Header {
    /// The content of the item.
    pub(crate) fn encode(&self) -> Value {
        Value::Map(Item::from([
            ("fingerprint".to_owned(), Value::from(self.fingerprint.as_str())),
            ("segments".to_owned(), Value::from(i64::from(self.segments))),
        ]))
    }

    /// Reads what [`Header::encode`] wrote.
    pub(crate) fn decode(content: &Value) -> Option<Header> {
        let Value::Map(members) = content else { return None };
        let Value::String(fingerprint) = members.get("fingerprint")? else { return None };
        let segments = u32::try_from(number(members, "segments")?).ok()?;
        Some(Header { fingerprint: fingerprint.clone(), segments })
    }
}

impl SegmentCheckpoint {
    /// The content of the item.
    pub(crate) fn encode(&self) -> Value {
        let count = |count: u64| Value::from(i64::try_from(count).unwrap_or(i64::MAX));
        let mut members = Item::from([
            ("done".to_owned(), Value::Bool(self.done)),
            ("scanned".to_owned(), count(self.scanned)),
            ("changed".to_owned(), count(self.changed)),
        ]);
        if let Some(key) = &self.last_key {
            members.insert("last_key".to_owned(), Value::Map(key.clone()));
        }
        Value::Map(members)
    }

    /// Reads what [`SegmentCheckpoint::encode`] wrote.
    pub(crate) fn decode(content: &Value) -> Option<SegmentCheckpoint> {
        let Value::Map(members) = content else { return None };
        let last_key = match members.get("last_key") {
            Some(Value::Map(key)) => Some(key.clone()),
            Some(_) => return None,
            None => None,
        };
        let Value::Bool(done) = members.get("done")? else { return None };
        let (scanned, changed) = (number(members, "scanned")?, number(members, "changed")?);
        Some(SegmentCheckpoint { last_key, done: *done, scanned, changed })
    }
}

fn number(members: &Item, name: &str) -> Option<u64> {
    let Value::Number(number) = members.get(name)? else { return None };
    u64::try_from(number.to_i64()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_read_as_they_were_written() {
        let header = Header { fingerprint: "ab".to_owned(), segments: 8 };
        assert_eq!(Header::decode(&header.encode()), Some(header));
        let key = Item::from([("PK".to_owned(), Value::from("a"))]);
        for last_key in [None, Some(key)] {
            let segment = SegmentCheckpoint { last_key, done: true, scanned: 5, changed: 3 };
            assert_eq!(SegmentCheckpoint::decode(&segment.encode()), Some(segment));
        }
        assert_eq!(SegmentCheckpoint::decode(&Value::Null), None);
    }

    #[test]
    fn a_key_is_text_or_bytes_and_never_a_number() {
        let part = |kind| KeyAttribute { name: "id".to_owned(), kind };
        let key = |kind| Part::Segment(3).key("T", &[part(kind)]);
        let text = "monotable:backfill:T:0003";
        assert_eq!(key(KeyType::String).unwrap()["id"], Value::from(text));
        assert_eq!(key(KeyType::Binary).unwrap()["id"], Value::Binary(text.into()));
        assert_eq!(key(KeyType::Number), None);
    }

    #[test]
    fn an_item_of_the_application_is_no_checkpoint() {
        let mut item = Item::from([("id".to_owned(), Value::from("monotable:backfill:T:header"))]);
        assert!(!is_checkpoint(&item));
        item.insert(CONTENT.to_owned(), Value::Null);
        assert!(is_checkpoint(&item));
    }
}
