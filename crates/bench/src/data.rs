//! The table and its items: orders of stores, with an index by customer.
//!
//! An item is 1 KB by DynamoDB's count and has ten attributes of five types. A store has 25 orders
//! and a customer has 25 orders, of different stores, so that a query of the table and one of the
//! index each read 25 items; in the table these lie together as they were written, in the index
//! they do not.
//!
//! What differs between items is numbers of eight digits, the [`Field`]s, which all follow from the
//! number of the item but the revision. With a fixed width, a request for another item is the
//! same bytes with other digits.

use serde_json::{Value, json};

/// Orders per store and per customer.
pub const COLLECTION_ITEMS: u64 = 25;
/// The size of an item by DynamoDB's count, if all digits of its revision count.
pub const ITEM_BYTES: usize = 1024;
/// What a scan page holds before DynamoDB ends it.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// The revision of every item that has only been loaded.
pub const FIRST_REVISION: u64 = 10_000_001;
/// Revisions lie in between [`FIRST_REVISION`] and this much more, so that all have eight digits.
pub const REVISIONS: u64 = 80_000_000;

/// The attribute by which items expire, in tables where they do.
pub const EXPIRY_ATTRIBUTE: &str = "expires_at";
/// When the items that expire do so: in seconds since 1970, in January 2027.
pub const DUE_SECS: u64 = 1_800_000_000;

/// What stands before the eight digits of a time of expiry is its first two.
const EXPIRY_PREFIX: &str = "18";
const EXPIRY_EPOCH_SECS: u64 = 1_800_000_000;
/// The time of items that do not expire while anything is measured, three years after the others.
const EXPIRY_SECS_MAX: u64 = 99_999_999;
/// Pads the item to [`ITEM_BYTES`].
const NOTE_BYTES: usize = 860;

/// A number in an item that differs from other items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Which store: the partition key.
    Store,
    /// Which order of the store: the sort key.
    Order,
    /// Which customer: the partition key of the index.
    Customer,
    /// When, among the customer's orders: the sort key of the index.
    Placed,
    /// How often the item has changed, as it were: drawn again for each write, so that none writes
    /// what is there already.
    Revision,
    /// When the item expires, in seconds after the moment that all times of expiry share.
    Expiry,
    /// Which of many tables holds the item.
    Table,
}

impl Field {
    /// All fields.
    pub const ALL: [Field; 7] = [
        Field::Store,
        Field::Order,
        Field::Customer,
        Field::Placed,
        Field::Revision,
        Field::Expiry,
        Field::Table,
    ];
}

/// The items of a table, by number.
#[derive(Debug, Clone, Copy)]
pub struct Dataset {
    collections: u64,
    /// One in this many items expires; zero if none does.
    due_interval: u64,
    /// Items per partition key of the table.
    partition_items: u64,
    /// Tables that the items are spread over.
    tables: u64,
}

impl Dataset {
    /// At least this many items, and whole collections.
    pub fn new(items: u64) -> Dataset {
        Dataset {
            collections: items.div_ceil(COLLECTION_ITEMS).max(1),
            due_interval: 0,
            partition_items: COLLECTION_ITEMS,
            tables: 1,
        }
    }

    /// The same items, all under one partition key.
    pub fn in_one_partition(self) -> Dataset {
        Dataset { partition_items: self.items(), ..self }
    }

    /// The same items, one after the other in another of this many tables.
    pub fn over_tables(self, tables: u64) -> Dataset {
        Dataset { tables: tables.max(1), ..self }
    }

    /// The same items, of which one in this many, at least two, expires at [`DUE_SECS`].
    pub fn with_due(self, interval: u64) -> Dataset {
        Dataset { due_interval: interval.max(2), ..self }
    }

    /// How many items expire.
    pub fn due_items(&self) -> u64 {
        if self.due_interval == 0 { 0 } else { self.items().div_ceil(self.due_interval) }
    }

    /// How many items do not expire.
    pub fn lasting_items(&self) -> u64 {
        self.items() - self.due_items()
    }

    /// The number of the item at this place among those that do not expire.
    pub fn lasting(&self, place: u64) -> u64 {
        match self.due_interval.checked_sub(1) {
            None => place,
            Some(lasting) => place / lasting * self.due_interval + 1 + place % lasting,
        }
    }

    /// Whether an item expires.
    pub fn is_due(&self, item: u64) -> bool {
        self.due_interval != 0 && item.is_multiple_of(self.due_interval)
    }

    /// How many items there are.
    pub fn items(&self) -> u64 {
        self.collections * COLLECTION_ITEMS
    }

    /// The number that an item holds in a field.
    pub fn number(&self, field: Field, item: u64, revision: u64) -> u64 {
        match field {
            Field::Store => item / self.partition_items,
            Field::Order => item % self.partition_items,
            Field::Customer => item % self.collections,
            Field::Placed => item / self.collections,
            Field::Revision => revision,
            Field::Expiry if self.is_due(item) => DUE_SECS - EXPIRY_EPOCH_SECS,
            Field::Expiry => EXPIRY_SECS_MAX,
            Field::Table => item % self.tables,
        }
    }

    /// An item as it was loaded, in DynamoDB's JSON.
    pub fn loaded_item(&self, number: u64) -> Value {
        item(|field| format!("{:08}", self.number(field, number, FIRST_REVISION)))
    }

    /// The key of an item, in DynamoDB's JSON.
    pub fn key(&self, number: u64) -> Value {
        key(|field| format!("{:08}", self.number(field, number, FIRST_REVISION)))
    }
}

/// An item whose fields have these digits.
pub fn item(digits: impl Fn(Field) -> String) -> Value {
    json!({
        "pk": store(&digits),
        "sk": order(&digits),
        "customer": customer(&digits),
        "placed_at": { "S": format!("PLACED#{}", digits(Field::Placed)) },
        "revision": { "N": digits(Field::Revision) },
        "state": { "S": "SHIPPED" },
        "amount": { "N": "1250" },
        "paid": { "BOOL": true },
        "address": { "M": { "city": { "S": "Amsterdam" }, "postcode": { "S": "1017 CX" } } },
        "note": { "S": "monotable ".chars().cycle().take(NOTE_BYTES).collect::<String>() },
    })
}

/// The time of expiry with these digits.
pub fn expiry(digits: impl Fn(Field) -> String) -> Value {
    json!({ "N": format!("{EXPIRY_PREFIX}{}", digits(Field::Expiry)) })
}

/// The key of an item whose fields have these digits.
pub fn key(digits: impl Fn(Field) -> String) -> Value {
    json!({ "pk": store(&digits), "sk": order(&digits) })
}

/// The partition key of the store with these digits.
pub fn store(digits: impl Fn(Field) -> String) -> Value {
    json!({ "S": format!("STORE#{}", digits(Field::Store)) })
}

/// The index's partition key of the customer with these digits.
pub fn customer(digits: impl Fn(Field) -> String) -> Value {
    json!({ "S": format!("CUSTOMER#{}", digits(Field::Customer)) })
}

/// The sort key of the order with these digits.
pub fn order(digits: impl Fn(Field) -> String) -> Value {
    json!({ "S": format!("ORDER#{}", digits(Field::Order)) })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The size of a value by DynamoDB's published rules.
    fn value_bytes(value: &Value) -> usize {
        let (kind, content) = value.as_object().unwrap().iter().next().unwrap();
        match kind.as_str() {
            "S" => content.as_str().unwrap().len(),
            "N" => content.as_str().unwrap().trim_end_matches('0').len().div_ceil(2) + 1,
            "BOOL" => 1,
            "M" => 3 + members_bytes(content) + content.as_object().unwrap().len(),
            other => panic!("no rule for {other}"),
        }
    }

    fn members_bytes(members: &Value) -> usize {
        let members = members.as_object().unwrap();
        members.iter().map(|(name, value)| name.len() + value_bytes(value)).sum()
    }

    #[test]
    fn an_item_is_one_kilobyte() {
        assert_eq!(members_bytes(&Dataset::new(100).loaded_item(3)), ITEM_BYTES);
    }

    #[test]
    fn every_store_and_every_customer_has_25_orders_in_an_order() {
        let dataset = Dataset::new(1000);
        for (partition, sort) in [(Field::Store, Field::Order), (Field::Customer, Field::Placed)] {
            let number = |field, item| dataset.number(field, item, 0);
            let keys = (0..1000).map(|item| (number(partition, item), number(sort, item)));
            let keys: HashSet<(u64, u64)> = keys.collect();
            assert_eq!(keys.len(), 1000);
            assert!(keys.iter().all(|(partition, sort)| *partition < 40 && *sort < 25));
        }
    }

    #[test]
    fn items_can_share_one_partition_or_lie_in_many_tables() {
        let dataset = Dataset::new(100).in_one_partition();
        assert_eq!(dataset.number(Field::Store, 99, 0), 0);
        assert_eq!(dataset.number(Field::Order, 99, 0), 99);
        assert_eq!(Dataset::new(100).over_tables(10).number(Field::Table, 99, 0), 9);
    }

    #[test]
    fn items_are_rounded_up_to_whole_collections() {
        assert_eq!(Dataset::new(1).items(), 25);
        assert_eq!(Dataset::new(26).items(), 50);
    }

    #[test]
    fn the_items_that_last_are_all_but_those_that_expire() {
        for interval in [2, 3, 10] {
            let dataset = Dataset::new(100).with_due(interval);
            let lasting: HashSet<u64> =
                (0..dataset.lasting_items()).map(|place| dataset.lasting(place)).collect();
            let expected: HashSet<u64> = (0..100).filter(|item| item % interval != 0).collect();
            assert_eq!(lasting, expected);
            assert_eq!(dataset.due_items() + dataset.lasting_items(), 100);
        }
        assert_eq!(Dataset::new(100).lasting_items(), 100);
        assert_eq!(Dataset::new(100).lasting(42), 42);
    }

    #[test]
    fn items_expire_when_they_should() {
        let dataset = Dataset::new(100).with_due(10);
        let expiry = |item| expiry(|field| format!("{:08}", dataset.number(field, item, 0)));
        assert_eq!(expiry(10), json!({ "N": DUE_SECS.to_string() }));
        assert_eq!(expiry(11), json!({ "N": "1899999999" }));
    }
}
