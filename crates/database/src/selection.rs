//! Which part of a table or index a page is read from, as a range of keys.

use std::ops::Bound;

use monotable_item::key_encoding;
use monotable_item::{Item, Value};
use monotable_storage::{Direction, KeyRange};

use crate::error::KeyError;
use crate::key::{ItemKey, encode_partition, encode_sort};
use crate::keyspace::{index_entry, item, key_form, partition_hash};
use crate::schema::{IndexSchema, TableSchema};

/// The part of a table or index that is read.
#[derive(Debug, Clone)]
pub enum Span {
    /// Some items of one partition.
    Partition(KeySelection),
    /// Everything.
    Everything,
    /// One of many equal parts.
    Segment {
        /// Which one, from 0.
        segment: u32,
        /// Of how many.
        total: u32,
    },
}

/// What a key condition selects. The values have the types that the key schema says.
#[derive(Debug, Clone)]
pub struct KeySelection {
    /// A value for each partition key attribute.
    pub partition: Vec<Value>,
    /// Values for the first sort key attributes.
    pub sort_equal: Vec<Value>,
    /// A condition on the sort key attribute after these.
    pub sort_last: Option<SortCondition>,
}

/// A condition other than equality on a sort key attribute.
#[derive(Debug, Clone)]
pub enum SortCondition {
    /// `<`
    Less(Value),
    /// `<=`
    LessOrEqual(Value),
    /// `>`
    Greater(Value),
    /// `>=`
    GreaterOrEqual(Value),
    /// `BETWEEN`
    Between(Value, Value),
    /// From one value to another, each itself or not.
    Within(Bound<Value>, Bound<Value>),
    /// `begins_with`, for strings and binaries.
    BeginsWith(Value),
}

/// Where a page continues: after the entry with this key.
#[derive(Debug, Clone)]
pub struct StartKey(Vec<u8>);

impl StartKey {
    /// The start key that these attributes name; they must be the keys of the table and, if an
    /// index is read, of the index.
    pub fn new(
        schema: &TableSchema,
        index: Option<&IndexSchema>,
        attributes: &Item,
    ) -> Result<StartKey, KeyError> {
        let table_key = ItemKey::of(schema, attributes)?;
        let Some(index) = index else { return Ok(StartKey(table_key.storage_key().clone())) };
        let name = Some(index.name.as_str());
        let partition = encode_partition(&index.key.partition, attributes, name)?;
        let sort = encode_sort(&index.key.sort, attributes, name)?;
        let parts = table_key.parts();
        Ok(StartKey(index_entry::encode_key(schema.id, index.id, &partition, &sort, parts)))
    }
}

impl Span {
    /// The keys of the span.
    pub fn range(&self, schema: &TableSchema, index: Option<&IndexSchema>) -> KeyRange {
        match self {
            Span::Partition(selection) => selection.range(schema, index),
            Span::Everything => KeyRange::prefix(&prefix(schema, index)),
            Span::Segment { segment, total } => {
                segment_range(&prefix(schema, index), *segment, *total)
            }
        }
    }

    /// The hash of the partition at which a page of this span begins: that of the partition, of the
    /// key after which the page begins, or the first of the segment.
    pub fn first_hash(
        &self,
        schema: &TableSchema,
        index: Option<&IndexSchema>,
        start: Option<&StartKey>,
    ) -> u64 {
        if let Some(StartKey(key)) = start {
            // A key begins with what it is of, and then with the hash.
            let rest = key.get(prefix(schema, index).len()..).unwrap_or_default();
            return rest.first_chunk().copied().map_or(0, u64::from_be_bytes);
        }
        match self {
            Span::Partition(selection) => selection.partition_hash(),
            Span::Everything => 0,
            Span::Segment { segment, total } => segment_hash(*segment, *total).unwrap_or(u64::MAX),
        }
    }

    /// Returns whether a page of this span can go on from `start`.
    pub fn contains(
        &self,
        schema: &TableSchema,
        index: Option<&IndexSchema>,
        start: &StartKey,
    ) -> bool {
        self.range(schema, index).contains(&start.0)
    }
}

/// What is left of a range after `start`.
pub(crate) fn after(range: KeyRange, start: Option<&StartKey>, direction: Direction) -> KeyRange {
    match start {
        Some(StartKey(start)) => after_key(&range, start.clone(), direction),
        None => range,
    }
}

/// The part of a range after a key, in the direction in which it is read.
pub(crate) fn after_key(range: &KeyRange, key: Vec<u8>, direction: Direction) -> KeyRange {
    let excluded = Bound::Excluded(key);
    match direction {
        Direction::Forward => KeyRange::new(excluded, range.end().map(<[u8]>::to_vec)),
        Direction::Backward => KeyRange::new(range.start().map(<[u8]>::to_vec), excluded),
    }
}

fn prefix(schema: &TableSchema, index: Option<&IndexSchema>) -> Vec<u8> {
    match index {
        Some(index) => index_entry::prefix(schema.id, index.id),
        None => item::prefix(schema.id),
    }
}

/// The keys whose hash falls into one of `total` equal parts.
fn segment_range(prefix: &[u8], segment: u32, total: u32) -> KeyRange {
    let bound = |segment: u32| {
        segment_hash(segment, total).map(|hash| [prefix, &hash.to_be_bytes()].concat())
    };
    let whole = KeyRange::prefix(prefix);
    let start = bound(segment).map_or(Bound::Unbounded, Bound::Included);
    let end = match bound(segment + 1) {
        Some(end) => Bound::Excluded(end),
        None => whole.end().map(<[u8]>::to_vec),
    };
    KeyRange::new(start, end)
}

/// The first hash of one of `total` equal parts; none if it is after the last one.
fn segment_hash(segment: u32, total: u32) -> Option<u64> {
    u64::try_from((u128::from(segment) << 64).div_ceil(u128::from(total))).ok()
}

impl KeySelection {
    /// The hash that spreads partitions over the keyspace.
    pub fn partition_hash(&self) -> u64 {
        partition_hash(&self.encoded_partition())
    }

    fn encoded_partition(&self) -> Vec<u8> {
        let mut partition = key_form::begin();
        encode_values(&self.partition, &mut partition);
        key_form::finish(partition)
    }

    fn range(&self, schema: &TableSchema, index: Option<&IndexSchema>) -> KeyRange {
        let partition = self.encoded_partition();
        let mut base = match index {
            Some(index) => index_entry::partition_prefix(schema.id, index.id, &partition),
            None => item::partition_prefix(schema.id, &partition),
        };
        base.extend(encoded(&self.sort_equal));
        match &self.sort_last {
            Some(condition) => condition.range(&base),
            None => KeyRange::prefix(&base),
        }
    }
}

impl SortCondition {
    /// The keys that start with `base` and fulfil the condition in what follows.
    ///
    /// Entries of one sort key value share its encoded bytes as a prefix, so "up to and with a
    /// value" ends where that prefix ends.
    fn range(&self, base: &[u8]) -> KeyRange {
        let whole = KeyRange::prefix(base);
        let at = |value: &Value| [base, &encoded(std::slice::from_ref(value))].concat();
        let from = |value: &Value| Bound::Included(at(value));
        let before = |value: &Value| Bound::Excluded(at(value));
        let past = |value: &Value| match KeyRange::prefix(&at(value)).end() {
            Bound::Excluded(end) => Some(end.to_vec()),
            Bound::Included(_) | Bound::Unbounded => None,
        };
        let after = |value: &Value| past(value).map_or(Bound::Unbounded, Bound::Included);
        let through = |value: &Value| past(value).map_or(Bound::Unbounded, Bound::Excluded);
        let start = || whole.start().map(<[u8]>::to_vec);
        let end = || whole.end().map(<[u8]>::to_vec);
        match self {
            SortCondition::Less(value) => KeyRange::new(start(), before(value)),
            SortCondition::LessOrEqual(value) => KeyRange::new(start(), through(value)),
            SortCondition::Greater(value) => KeyRange::new(after(value), end()),
            SortCondition::GreaterOrEqual(value) => KeyRange::new(from(value), end()),
            SortCondition::Between(low, high) => KeyRange::new(from(low), through(high)),
            SortCondition::Within(low, high) => {
                let start = match low {
                    Bound::Included(value) => from(value),
                    Bound::Excluded(value) => after(value),
                    Bound::Unbounded => start(),
                };
                let end = match high {
                    Bound::Included(value) => through(value),
                    Bound::Excluded(value) => before(value),
                    Bound::Unbounded => end(),
                };
                KeyRange::new(start, end)
            }
            SortCondition::BeginsWith(value) => KeyRange::prefix(&begin(base, value)),
        }
    }
}

fn begin(base: &[u8], value: &Value) -> Vec<u8> {
    let mut out = base.to_vec();
    match value {
        Value::String(text) => key_encoding::encode_prefix(text.as_bytes(), &mut out),
        Value::Binary(bytes) => key_encoding::encode_prefix(bytes, &mut out),
        other => debug_assert!(false, "begins_with of {other:?}"),
    }
    out
}

fn encoded(values: &[Value]) -> Vec<u8> {
    let mut out = Vec::with_capacity(40);
    encode_values(values, &mut out);
    out
}

fn encode_values(values: &[Value], out: &mut Vec<u8>) {
    for value in values {
        let is_key = key_encoding::encode(value, out);
        debug_assert!(is_key, "{value:?} cannot be part of a key");
    }
}
