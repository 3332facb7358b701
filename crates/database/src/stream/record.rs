//! One change of one item.

use bytes::Bytes;
use monotable_item::stored::{self, CorruptItem, ItemView};

use crate::keyspace::stream_record;
use crate::schema::{StreamView, TableSchema};

/// What happened to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It was not there before.
    Insert,
    /// It was there and changed.
    Modify,
    /// The item was deleted.
    Remove,
}

/// Who caused a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A request.
    Client,
    /// The expiry of the item.
    TimeToLive,
}

/// A change as its stream holds it. Items are in their stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRecord {
    /// What happened.
    pub event: Event,
    /// Who caused it.
    pub cause: Cause,
    /// When, in milliseconds since 1970.
    pub created_millis: u64,
    /// The item's key attributes.
    pub keys: Bytes,
    /// The item before, if the stream holds it and there was one.
    pub old: Option<Bytes>,
    /// The item after, if the stream holds it and there is one.
    pub new: Option<Bytes>,
}

/// An item before and after a change.
pub(crate) struct ChangeImages<'a> {
    pub(crate) old: Option<&'a Bytes>,
    pub(crate) new: Option<&'a Bytes>,
}

/// The bytes of the record of a change: none if there was no item before nor after.
pub(crate) fn encode_change(
    schema: &TableSchema,
    view: StreamView,
    images: &ChangeImages<'_>,
    cause: Cause,
    created_millis: u64,
) -> Result<Option<Vec<u8>>, CorruptItem> {
    let event = match (images.old, images.new) {
        (None, Some(_)) => Event::Insert,
        (Some(_), Some(_)) => Event::Modify,
        (Some(_), None) => Event::Remove,
        (None, None) => return Ok(None),
    };
    let Some(item) = images.new.or(images.old) else { return Ok(None) };
    let is_key = |name: &[u8]| schema.key.attributes().any(|part| part.name.as_bytes() == name);
    let (with_old, with_new) = match view {
        StreamView::KeysOnly => (false, false),
        StreamView::NewImage => (false, true),
        StreamView::OldImage => (true, false),
        StreamView::NewAndOldImages => (true, true),
    };
    Ok(Some(stream_record::encode_value(&StreamRecord {
        event,
        cause,
        created_millis,
        keys: stored::select(ItemView::new(item)?, is_key)?.into(),
        old: images.old.filter(|_| with_old).cloned(),
        new: images.new.filter(|_| with_new).cloned(),
    })))
}
