//! The item of all scenarios: an order of a store, of 1 KB and ten attributes of five types.

use anyhow::{Result, anyhow};
use monotable_item::Item;
use monotable_protocol::{WireItem, decode_request};
use serde_json::{Value, json};

/// Pads an order to 1 KB by DynamoDB's count.
const NOTE_BYTES: usize = 860;

/// Which order: its keys follow from these numbers, and its content from the revision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    pub(crate) store: u64,
    pub(crate) number: u64,
    pub(crate) revision: u64,
}

impl Order {
    /// The order as DynamoDB's JSON.
    pub(crate) fn json(self) -> Value {
        let Order { store, number, revision } = self;
        json!({
            "pk": { "S": format!("STORE#{store:08}") },
            "sk": { "S": format!("ORDER#{number:08}") },
            "customer": { "S": format!("CUSTOMER#{number:08}") },
            "placed_at": { "S": format!("PLACED#{store:08}") },
            "revision": { "N": revision_text(revision) },
            "state": { "S": "SHIPPED" },
            "amount": { "N": "1250" },
            "paid": { "BOOL": true },
            "address": { "M": { "city": { "S": "Amsterdam" }, "postcode": { "S": "1017 CX" } } },
            "note": { "S": "monotable ".chars().cycle().take(NOTE_BYTES).collect::<String>() },
        })
    }

    /// The key of the order as DynamoDB's JSON.
    pub(crate) fn key_json(self) -> Value {
        let Order { store, number, .. } = self;
        json!({
            "pk": { "S": format!("STORE#{store:08}") },
            "sk": { "S": format!("ORDER#{number:08}") },
        })
    }

    /// The body of a `PutItem` of the order.
    pub(crate) fn put_body(self, table: &str) -> Vec<u8> {
        json!({ "TableName": table, "Item": self.json() }).to_string().into_bytes()
    }

    /// The order as an item.
    pub(crate) fn item(self) -> Result<Item> {
        let item: WireItem = decode_request(self.json().to_string().as_bytes())?;
        item.0.map_err(|refused| anyhow!("the order is refused: {refused:?}"))
    }
}

/// A revision with the same number of digits as any other, so that orders differ in nothing that
/// costs.
pub(crate) fn revision_text(revision: u64) -> String {
    (10_000_001 + revision % 80_000_000).to_string()
}

#[cfg(test)]
mod tests {
    use monotable_item::item_size_bytes;

    use super::*;

    #[test]
    fn an_order_is_one_kilobyte() {
        let order = Order { store: 1, number: 2, revision: 3 };
        assert_eq!(item_size_bytes(&order.item().unwrap()), 1024);
    }
}
