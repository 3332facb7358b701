//! What an operation wants to do with one table, index or stream.

use bytes::Bytes;
use monotable_expr::{Condition, KeyCondition, Projection, Update};

/// One action on one resource, with what policies can be about.
#[derive(Default)]
pub(crate) struct Wish<'r> {
    /// The action, such as `GetItem`.
    pub(crate) action: &'static str,
    /// The index that is read, if one is.
    pub(crate) index: Option<&'r str>,
    /// Whose partitions it is about.
    pub(crate) leading: Leading<'r>,
    /// What names attributes.
    pub(crate) named: Vec<Named<'r>>,
    /// What of the items is returned.
    pub(crate) select: Option<&'static str>,
    /// The `ReturnValues` as sent.
    pub(crate) return_values: Option<&'r str>,
    /// The `ReturnConsumedCapacity` as sent.
    pub(crate) return_consumed_capacity: Option<&'r str>,
    /// The transaction that the action is part of.
    pub(crate) enclosing_operation: Option<&'static str>,
    /// The tags that the request gives to a table: names and values.
    pub(crate) tags: Vec<(&'r str, &'r str)>,
}

/// What says which partitions an action is about.
#[derive(Default)]
pub(crate) enum Leading<'r> {
    /// Nothing does: a Scan, or an action on a table.
    #[default]
    Nothing,
    /// Items or keys of items, in stored form.
    Items(Vec<&'r Bytes>),
    /// The condition of a Query.
    Condition(&'r KeyCondition),
    /// The condition of a PartiQL statement, if it has one.
    Statement(Option<&'r Condition>),
}

/// A part of a request that names attributes.
pub(crate) enum Named<'r> {
    /// An item or the key of one, in stored form.
    Item(&'r Bytes),
    /// What is returned.
    Projection(&'r Projection),
    /// A condition or a filter.
    Condition(&'r Condition),
    /// The condition of a Query.
    KeyCondition(&'r KeyCondition),
    /// What is changed.
    Update(&'r Update),
}

impl<'r> Wish<'r> {
    /// A wish about a table or stream as a whole.
    pub(crate) fn new(action: &'static str) -> Wish<'r> {
        Wish { action, ..Wish::default() }
    }

    /// A wish about one item, given whole or by its key.
    pub(crate) fn on_item(action: &'static str, item: &'r Bytes) -> Wish<'r> {
        Wish {
            leading: Leading::Items(vec![item]),
            named: vec![Named::Item(item)],
            ..Wish::new(action)
        }
    }

    /// The same wish, which also names what is returned of items. Without a projection everything
    /// is, which no list of names can say.
    pub(crate) fn returning(mut self, projection: Option<&'r Projection>) -> Wish<'r> {
        self.select = Some(match projection {
            Some(_) => "SPECIFIC_ATTRIBUTES",
            None => "ALL_ATTRIBUTES",
        });
        self.named.extend(projection.map(Named::Projection));
        self
    }

    /// The same wish, which stands only if a condition holds.
    pub(crate) fn on_condition(mut self, condition: Option<&'r Condition>) -> Wish<'r> {
        self.named.extend(condition.map(Named::Condition));
        self
    }

    /// The same wish, which also changes attributes.
    pub(crate) fn changing(mut self, update: Option<&'r Update>) -> Wish<'r> {
        self.named.extend(update.map(Named::Update));
        self
    }

    /// The same wish as part of a transaction.
    pub(crate) fn within(mut self, operation: &'static str) -> Wish<'r> {
        self.enclosing_operation = Some(operation);
        self
    }

    /// The same wish with the capacity that is to be returned.
    pub(crate) fn consuming(mut self, return_consumed_capacity: &'r Option<String>) -> Wish<'r> {
        self.return_consumed_capacity = return_consumed_capacity.as_deref();
        self
    }

    /// The same wish with the values that are to be returned, which are none unless it says so.
    pub(crate) fn with_values(mut self, return_values: &'r Option<String>) -> Wish<'r> {
        self.return_values = Some(return_values.as_deref().unwrap_or("NONE"));
        self
    }
}
