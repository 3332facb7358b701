//! Requests that make a revision true, if the item is what was read.

use std::collections::BTreeMap;

use monotable_item::{Item, Value};
use monotable_migration::{Expectation, Moved, Updated};
use monotable_model::document::KeyAttribute;
use monotable_remote::{encode_item, encode_value};
use serde_json::{Map, Value as Json, json};

/// `UpdateItem` that sets and removes attributes, and nothing else.
pub(crate) fn update(table: &str, key: &[KeyAttribute], updated: &Updated) -> Json {
    let mut expression = Expression::default();
    let mut sections = Vec::new();
    if !updated.set.is_empty() {
        let set = updated.set.iter().map(|(name, value)| {
            format!("{} = {}", expression.name(name), expression.value(value))
        });
        sections.push(format!("SET {}", set.collect::<Vec<_>>().join(", ")));
    }
    if !updated.remove.is_empty() {
        let names = updated.remove.iter().map(|name| expression.name(name));
        sections.push(format!("REMOVE {}", names.collect::<Vec<_>>().join(", ")));
    }
    let condition = expression.condition(key, &updated.expects);
    let mut request = json!({
        "TableName": table,
        "Key": encode_item(&updated.key),
        "UpdateExpression": sections.join(" "),
        "ConditionExpression": condition,
        "ReturnConsumedCapacity": "TOTAL",
    });
    expression.add_to(&mut request);
    request
}

/// `TransactWriteItems` that puts an item under its new key, where there must be none, and deletes
/// it under its old one.
pub(crate) fn transaction(table: &str, key: &[KeyAttribute], moved: &Moved) -> Json {
    let mut vacant = Expression::default();
    let is_vacant = format!("attribute_not_exists({})", vacant.name(partition(key)));
    let mut put = json!({
        "TableName": table,
        "Item": encode_item(&moved.item),
        "ConditionExpression": is_vacant,
    });
    vacant.add_to(&mut put);
    let mut unchanged = Expression::default();
    let condition = unchanged.condition(key, &moved.expects);
    let mut delete = json!({
        "TableName": table,
        "Key": encode_item(&moved.key),
        "ConditionExpression": condition,
    });
    unchanged.add_to(&mut delete);
    json!({
        "TransactItems": [{ "Put": put }, { "Delete": delete }],
        "ReturnConsumedCapacity": "TOTAL",
    })
}

/// `GetItem` that sees every earlier write.
pub(crate) fn get(table: &str, key: &Item) -> Json {
    json!({ "TableName": table, "Key": encode_item(key), "ConsistentRead": true })
}

/// The write units that an answer reports: of one request, or of all tables of a transaction.
pub(crate) fn consumed_units(answer: &Json) -> f64 {
    let units = |one: &Json| one.get("CapacityUnits").and_then(Json::as_f64).unwrap_or(0.0);
    match answer.get("ConsumedCapacity") {
        Some(Json::Array(all)) => all.iter().map(units).sum(),
        Some(one) => units(one),
        None => 0.0,
    }
}

fn partition(key: &[KeyAttribute]) -> &str {
    key.first().map_or("", |part| part.name.as_str())
}

/// The placeholders of one request.
#[derive(Debug, Default)]
struct Expression {
    names: BTreeMap<String, String>,
    values: Vec<Value>,
}

impl Expression {
    /// The placeholder of an attribute.
    fn name(&mut self, name: &str) -> String {
        let next = format!("#n{}", self.names.len());
        self.names.entry(name.to_owned()).or_insert(next).clone()
    }

    /// The placeholder of a value.
    fn value(&mut self, value: &Value) -> String {
        self.values.push(value.clone());
        format!(":v{}", self.values.len() - 1)
    }

    /// The item is there, and all that was read of it is as it was. Without the first part, an item
    /// that was deleted in between would come back as a stump.
    fn condition(
        &mut self,
        key: &[KeyAttribute],
        expects: &BTreeMap<String, Expectation>,
    ) -> String {
        let mut parts = vec![format!("attribute_exists({})", self.name(partition(key)))];
        for (name, expectation) in expects {
            let name = self.name(name);
            parts.push(match expectation {
                Expectation::Is(value) => format!("{name} = {}", self.value(value)),
                Expectation::Exists => format!("attribute_exists({name})"),
                Expectation::Absent => format!("attribute_not_exists({name})"),
            });
        }
        parts.join(" AND ")
    }

    /// Adds what the placeholders stand for. A request without values must not have an empty table
    /// of them.
    fn add_to(self, request: &mut Json) {
        let names: Map<String, Json> =
            self.names.into_iter().map(|(name, placeholder)| (placeholder, name.into())).collect();
        let values: Map<String, Json> = self
            .values
            .iter()
            .enumerate()
            .map(|(number, value)| (format!(":v{number}"), encode_value(value)))
            .collect();
        let Some(members) = request.as_object_mut() else { return };
        members.insert("ExpressionAttributeNames".to_owned(), Json::Object(names));
        if !values.is_empty() {
            members.insert("ExpressionAttributeValues".to_owned(), Json::Object(values));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use monotable_item::key_encoding::KeyType;

    use super::*;

    fn key() -> Vec<KeyAttribute> {
        vec![KeyAttribute { name: "PK".to_owned(), kind: KeyType::String }]
    }

    #[test]
    fn an_update_names_only_what_it_changes_and_expects_all_that_was_read() {
        let updated = Updated {
            entity: "Issue".to_owned(),
            key: Item::from([("PK".to_owned(), Value::from("I#1"))]),
            set: BTreeMap::from([("GSI1PK".to_owned(), Value::from("OPEN"))]),
            remove: BTreeSet::from(["Old".to_owned()]),
            expects: BTreeMap::from([
                ("GSI1PK".to_owned(), Expectation::Absent),
                ("status".to_owned(), Expectation::Is(Value::from("open"))),
                ("title".to_owned(), Expectation::Exists),
            ]),
        };
        let request = update("T", &key(), &updated);
        assert_eq!(request["UpdateExpression"], "SET #n0 = :v0 REMOVE #n1");
        assert_eq!(
            request["ConditionExpression"],
            "attribute_exists(#n2) AND attribute_not_exists(#n0) AND #n3 = :v1 AND \
             attribute_exists(#n4)"
        );
        assert_eq!(
            request["ExpressionAttributeNames"],
            json!({ "#n0": "GSI1PK", "#n1": "Old", "#n2": "PK", "#n3": "status", "#n4": "title" })
        );
        assert_eq!(
            request["ExpressionAttributeValues"],
            json!({ ":v0": { "S": "OPEN" }, ":v1": { "S": "open" } })
        );
    }

    #[test]
    fn units_of_a_transaction_are_those_of_all_its_tables() {
        let one = json!({ "ConsumedCapacity": { "CapacityUnits": 2.0 } });
        let two =
            json!({ "ConsumedCapacity": [{ "CapacityUnits": 4.0 }, { "CapacityUnits": 1.5 }] });
        let found = [&one, &two, &json!({})].map(consumed_units);
        assert_eq!(found, [2.0, 5.5, 0.0]);
    }
}
