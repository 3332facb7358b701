//! A call on items, as it is put to an observer.

use monotable_expr::{Condition, Projection, Update};
use monotable_item::Value;
use monotable_item::stored::{ItemView, ValueView};

/// A value of a key, as templates see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyBytes<'a> {
    /// Text.
    Text(&'a [u8]),
    /// A number, as DynamoDB prints it; empty where that is not at hand.
    Number(&'a [u8]),
    /// Bytes.
    Binary(&'a [u8]),
}

impl<'a> KeyBytes<'a> {
    /// A stored value, if keys can have its type.
    pub fn of_view(view: ValueView<'a>) -> Option<KeyBytes<'a>> {
        match view {
            ValueView::String(text) => Some(KeyBytes::Text(text)),
            ValueView::Number(text) => Some(KeyBytes::Number(text)),
            ValueView::Binary(bytes) => Some(KeyBytes::Binary(bytes)),
            ValueView::Bool(_)
            | ValueView::Null
            | ValueView::List(_)
            | ValueView::Map(_)
            | ValueView::StringSet(_)
            | ValueView::NumberSet(_)
            | ValueView::BinarySet(_) => None,
        }
    }

    /// The bytes themselves.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            KeyBytes::Text(bytes) | KeyBytes::Number(bytes) | KeyBytes::Binary(bytes) => bytes,
        }
    }

    /// The value, if it is at hand and makes sense.
    pub(crate) fn value(self) -> Option<Value> {
        let text = |bytes: &[u8]| std::str::from_utf8(bytes).ok().map(str::to_owned);
        match self {
            KeyBytes::Text(bytes) => text(bytes).map(Value::String),
            KeyBytes::Number(bytes) => text(bytes)?.parse().ok().map(Value::Number),
            KeyBytes::Binary(bytes) => Some(Value::Binary(bytes.to_vec())),
        }
    }

    /// A value, if keys can have its type.
    pub fn of_value(value: &'a Value) -> Option<KeyBytes<'a>> {
        match value {
            Value::String(text) => Some(KeyBytes::Text(text.as_bytes())),
            Value::Number(_) => Some(KeyBytes::Number(&[])),
            Value::Binary(bytes) => Some(KeyBytes::Binary(bytes)),
            Value::Bool(_)
            | Value::Null
            | Value::List(_)
            | Value::Map(_)
            | Value::StringSet(_)
            | Value::NumberSet(_)
            | Value::BinarySet(_) => None,
        }
    }
}

/// What is done to one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// It is read.
    Get,
    /// It is written whole.
    Put,
    /// Some of its attributes are changed.
    Update,
    /// It is deleted.
    Delete,
    /// Only a condition is checked.
    Check,
}

impl ItemKind {
    /// How many kinds there are.
    pub(crate) const COUNT: usize = 5;

    /// Its place among all kinds.
    pub(crate) fn number(self) -> usize {
        match self {
            ItemKind::Get => 0,
            ItemKind::Put => 1,
            ItemKind::Update => 2,
            ItemKind::Delete => 3,
            ItemKind::Check => 4,
        }
    }
}

/// A call on one item, or a member of a batch or transaction.
#[derive(Debug, Clone, Copy)]
pub struct ItemCall<'a> {
    /// What is done.
    pub kind: ItemKind,
    /// The item's partition key.
    pub partition: KeyBytes<'a>,
    /// Its sort key, if the table has one.
    pub sort: Option<KeyBytes<'a>>,
    /// The hash of the partition key, if the call counts as a request for it.
    pub counted_hash: Option<u64>,
    /// What is changed.
    pub update: Option<&'a Update>,
    /// What must hold.
    pub condition: Option<&'a Condition>,
    /// What is returned.
    pub projection: Option<&'a Projection>,
    /// The item that a put makes, in its stored form.
    pub item: Option<&'a [u8]>,
}

impl<'a> ItemCall<'a> {
    /// The item that a put makes, read in place.
    #[inline]
    pub(crate) fn put(&self) -> Option<ItemView<'a>> {
        ItemView::new(self.item?).ok()
    }
}

/// A Query or a Scan.
#[derive(Debug, Clone, Copy)]
pub struct PageCall<'a> {
    /// The index that is read, unless it is the table.
    pub index: Option<&'a str>,
    /// The values of the partition key; none for a Scan.
    pub partition: Option<&'a [Value]>,
    /// The hash of the partition key, if the call counts as a request for it; none for a Scan.
    pub counted_hash: Option<u64>,
    /// The first values of the sort key.
    pub sort_equal: &'a [Value],
    /// What is asked of the attribute of the sort key after these.
    pub sort: Option<SortAsked<'a>>,
    /// What is thrown away again.
    pub filter: Option<&'a Condition>,
    /// What is returned.
    pub projection: Option<&'a Projection>,
    /// Whether the largest keys come first.
    pub is_descending: bool,
    /// Whether only so many items are read.
    pub has_limit: bool,
}

/// A comparison other than equality with a sort key.
#[derive(Debug, Clone, Copy)]
pub struct SortAsked<'a> {
    /// Which one.
    pub comparison: Comparison,
    /// What is compared with.
    pub value: &'a Value,
    /// The upper end of `BETWEEN`.
    pub upper: Option<&'a Value>,
}

/// A comparison with a sort key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<` and `<=`
    Before,
    /// `>` and `>=`
    After,
    /// `BETWEEN`
    Between,
    /// `begins_with`
    BeginsWith,
}

/// How several members belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// `BatchGetItem`
    BatchGet,
    /// `BatchWriteItem`
    BatchWrite,
    /// `TransactGetItems`
    TransactGet,
    /// `TransactWriteItems`
    TransactWrite,
}

/// A table that a call is about.
#[derive(Debug, Clone, Copy)]
pub struct CalledTable<'a> {
    /// A number that no other table of the process has.
    pub id: u32,
    /// What the service calls it.
    pub name: &'a str,
    /// The account that it belongs to. Others may have tables of the same name.
    pub account: &'a str,
}

/// A partition key that a call asks for.
#[derive(Debug, Clone, Copy)]
pub struct CalledKey<'a> {
    /// The index that is read, unless it is the table.
    pub index: Option<&'a str>,
    /// The hash of the key.
    pub hash: u64,
    /// The values of the key.
    pub values: &'a [KeyBytes<'a>],
    /// The sort key, if it is that of one item.
    pub sort: Option<KeyBytes<'a>>,
}
