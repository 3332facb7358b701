//! Changes of items, as a table's stream tells them.
//!
//! A [`StreamRecord`] says what happened to one item, with the item before and after as far as the
//! stream holds them. It comes from a record of the AWS SDK (feature `streams`), from the event
//! that a Lambda function gets (feature `lambda`), or is made of plain items. Then it is read as an
//! entity, or as an enum of entities:
//!
//! ```
//! use monotable::prelude::*;
//! use monotable::stream::{ChangeKind, StreamRecord};
//! use monotable::{Item, Value};
//!
//! #[derive(Table)]
//! #[table(pk = "pk", sk = "sk", type_attr = "type")]
//! pub struct Blog;
//!
//! #[derive(Entity)]
//! #[entity(table = Blog)]
//! #[key(by_slug: pk = "POST#{slug}", sk = "POST")]
//! pub struct Post {
//!     pub slug: String,
//!     pub likes: u32,
//! }
//!
//! #[derive(Collection)]
//! #[collection(Blog)]
//! pub enum BlogItem {
//!     Post(Post),
//! }
//!
//! fn announce(record: StreamRecord) -> Result<Option<String>, Error> {
//!     // What is none of these, such as the item of a unique value, is passed over.
//!     let Some(record) = record.read_known::<BlogItem>()? else { return Ok(None) };
//!     Ok(match (record.kind, record.new) {
//!         (ChangeKind::Insert, Some(BlogItem::Post(post))) => Some(post.slug),
//!         _ => None,
//!     })
//! }
//!
//! # fn main() -> Result<(), Error> {
//! let text = |text: &str| Value::from(text);
//! let key = Item::from([("pk".into(), text("POST#a")), ("sk".into(), text("POST"))]);
//! let mut post = key.clone();
//! post.extend([("type".into(), text("Post")), ("slug".into(), text("a"))]);
//! post.insert("likes".into(), Value::from(0));
//! let record = StreamRecord::new(ChangeKind::Insert, key, None, Some(post));
//! assert_eq!(announce(record)?, Some("a".to_owned()));
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "lambda")]
mod lambda;
#[cfg(feature = "streams")]
mod sdk;

use monotable_item::Item;

use crate::entity::{Entity, Row};
use crate::error::DecodeError;
use crate::key::Key;

#[cfg(feature = "lambda")]
pub use lambda::{EventError, record_of_json, records_of_event, records_of_json};
#[cfg(feature = "streams")]
pub use sdk::RecordError;

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It was created.
    Insert,
    /// It was changed.
    Modify,
    /// It was removed.
    Remove,
}

/// A change of one item: as it is stored, or read as `R`.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamRecord<R = Item> {
    /// What happened.
    pub kind: ChangeKind,
    /// The item's key in the table, as it is stored.
    pub key: Item,
    /// The item before, if there was one and the stream holds it.
    pub old: Option<R>,
    /// The item after, if there is one and the stream holds it.
    pub new: Option<R>,
    /// Its place in the stream. Lambda takes it back in `batchItemFailures`.
    pub sequence_number: Option<String>,
    /// Whether the item was removed because it had expired.
    pub expired: bool,
}

impl StreamRecord {
    /// A record of plain items.
    pub fn new(kind: ChangeKind, key: Item, old: Option<Item>, new: Option<Item>) -> StreamRecord {
        StreamRecord { kind, key, old, new, sequence_number: None, expired: false }
    }

    /// Reads the item before and after. An item that is not an `R` is an error.
    pub fn read<R: Row>(self) -> Result<StreamRecord<R>, DecodeError> {
        if self.old.is_none() && self.new.is_none() {
            R::recognize(&self.key)?;
        }
        self.read_with(|item| {
            R::recognize(&item)?;
            R::from_item(item).map(Some)
        })
    }

    /// Reads the item before and after. Returns `None` if neither is an `R`, such as for the items
    /// that hold unique values. An `R` that cannot be read is an error.
    pub fn read_known<R: Row>(self) -> Result<Option<StreamRecord<R>>, DecodeError> {
        let mut images = self.old.iter().chain(&self.new).peekable();
        let is_known = if images.peek().is_some() {
            images.any(|item| R::recognize(item).is_ok())
        } else {
            R::recognize(&self.key).is_ok()
        };
        if !is_known {
            return Ok(None);
        }
        self.read_with(|item| {
            let is_known = R::recognize(&item).is_ok();
            if is_known { R::from_item(item).map(Some) } else { Ok(None) }
        })
        .map(Some)
    }

    /// The key as one of an entity, for reading or changing the item.
    pub fn key_of<E: Entity>(&self) -> Result<Key<E>, DecodeError> {
        Key::read(&self.key)
    }

    fn read_with<R>(
        self,
        read: impl Fn(Item) -> Result<Option<R>, DecodeError>,
    ) -> Result<StreamRecord<R>, DecodeError> {
        let image = |item: Option<Item>| item.map_or(Ok(None), &read);
        Ok(StreamRecord {
            old: image(self.old)?,
            new: image(self.new)?,
            kind: self.kind,
            key: self.key,
            sequence_number: self.sequence_number,
            expired: self.expired,
        })
    }
}
