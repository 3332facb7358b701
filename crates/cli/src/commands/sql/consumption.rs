//! The capacity that a statement has consumed.

use std::collections::BTreeMap;

use serde_json::Value;

/// Units by table and index, over all pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Consumption {
    total: f64,
    parts: BTreeMap<String, f64>,
}

impl Consumption {
    /// Adds the `ConsumedCapacity` of an answer.
    pub(super) fn add(&mut self, consumed: &Value) {
        self.total += units(consumed);
        let table = consumed.get("TableName").and_then(Value::as_str).unwrap_or_default();
        // Some endpoints answer with the ARN.
        let table = table.rsplit('/').next().unwrap_or(table);
        if let Some(part) = consumed.get("Table") {
            self.add_part(table.to_owned(), units(part));
        }
        for member in ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"] {
            let indexes = consumed.get(member).and_then(Value::as_object);
            for (index, part) in indexes.into_iter().flatten() {
                self.add_part(format!("{table}.{index}"), units(part));
            }
        }
    }

    /// The units of all parts.
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// `orders 1, orders.by_state 2`: what of the table and of each index, if both are there.
    pub(super) fn parts(&self) -> String {
        let parts: Vec<String> =
            self.parts.iter().map(|(name, units)| format!("{name} {units}")).collect();
        parts.join(", ")
    }

    fn add_part(&mut self, name: String, units: f64) {
        if units > 0.0 {
            *self.parts.entry(name).or_default() += units;
        }
    }
}

fn units(consumed: &Value) -> f64 {
    consumed.get("CapacityUnits").and_then(Value::as_f64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_are_added_up_by_table_and_index() {
        let page = json!({
            "TableName": "arn:aws:dynamodb:eu-west-2:1:table/orders", "CapacityUnits": 1.5,
            "Table": { "CapacityUnits": 1.0 },
            "GlobalSecondaryIndexes": { "by_state": { "CapacityUnits": 0.5 } },
        });
        let mut consumption = Consumption::default();
        consumption.add(&page);
        consumption.add(&page);
        consumption.add(&Value::Null);
        assert_eq!(consumption.total(), 3.0);
        assert_eq!(consumption.parts(), "orders 2, orders.by_state 1");
    }
}
