//! Plays one step, and says what it was counted to cost and what it was charged.

use std::collections::BTreeMap;

use monotable_item::capacity::Consistency;
use monotable_plan::cost::{ItemWrite, Request, read_rows};
use serde_json::{Value, json};

use crate::schema::Schema;
use crate::support::Server;
use crate::value::size_bytes;

/// Units by table and index; those of the table itself stand under an empty name.
pub(crate) type Charges = BTreeMap<(String, String), f64>;

pub(crate) struct Player<'a> {
    pub(crate) server: &'a Server,
    pub(crate) operation: &'a str,
    pub(crate) params: &'a Value,
}

/// A write of one item, before it is done.
struct Planned {
    table: String,
    key: Value,
    before: Option<Value>,
}

impl Player<'_> {
    /// Counted and charged; nothing if the step fails or consumes nothing.
    pub(crate) fn play(&self) -> Option<(Charges, Charges)> {
        match self.operation {
            "GetItem" => self.read(|| vec![self.get(self.params)]),
            "BatchGetItem" => self.read(|| self.batch_get()),
            "Query" | "Scan" => self.read_page(),
            "PutItem" | "UpdateItem" | "DeleteItem" => {
                let key = self.key_of_write(self.params);
                self.write(vec![(text(&self.params["TableName"]), key)], Request::Write)
            }
            "BatchWriteItem" => self.write(self.batch_keys(), Request::Write),
            "TransactWriteItems" => self.write(self.transact_keys(), Request::TransactWrite),
            "TtlSweep" | "ReadStream" | "MergeSorted" => None,
            _ => {
                self.server.try_call(self.operation, &self.params.to_string());
                None
            }
        }
    }

    fn read(&self, requests: impl Fn() -> Vec<(String, Request)>) -> Option<(Charges, Charges)> {
        let counted = requests();
        let charged = self.charged()?;
        Some((sum(&counted), charged))
    }

    fn get(&self, params: &Value) -> (String, Request) {
        let table = text(&params["TableName"]);
        let item = self.item(&table, &params["Key"]);
        let item_bytes = item.as_ref().map_or(0, size_bytes);
        (table, Request::Get { item_bytes, consistency: consistency(params) })
    }

    fn batch_get(&self) -> Vec<(String, Request)> {
        let mut requests = Vec::new();
        for (table, wanted) in self.params["RequestItems"].as_object().unwrap() {
            for key in wanted["Keys"].as_array().unwrap() {
                let item_bytes = self.item(table, key).as_ref().map_or(0, size_bytes);
                let request = Request::Get { item_bytes, consistency: consistency(wanted) };
                requests.push((table.clone(), request));
            }
        }
        requests
    }

    /// The rows that a page evaluates are those that it returns without its filter and projection.
    fn read_page(&self) -> Option<(Charges, Charges)> {
        let charged = self.charged()?;
        let evaluated = self.server.call(self.operation, &self.without_filter());
        let rows = evaluated["Items"].as_array().unwrap().iter().map(size_bytes);
        let read = read_rows(rows, consistency(self.params));
        assert_eq!(read.pages, 1, "{}", self.params);
        let index = self.params["IndexName"].as_str().unwrap_or_default().to_owned();
        let table = text(&self.params["TableName"]);
        Some((Charges::from([((table, index), read.units.units())]), charged))
    }

    fn without_filter(&self) -> Value {
        let mut params = self.params.clone();
        let members = params.as_object_mut().unwrap();
        for member in ["FilterExpression", "ProjectionExpression", "Select"] {
            members.remove(member);
        }
        let condition = members.get("KeyConditionExpression").and_then(Value::as_str);
        let is_part = |c: char| c.is_alphanumeric() || "_:#".contains(c);
        let used: Vec<String> =
            condition.unwrap_or("").split(|c: char| !is_part(c)).map(str::to_owned).collect();
        for member in ["ExpressionAttributeNames", "ExpressionAttributeValues"] {
            if let Some(placeholders) = members.get_mut(member).and_then(Value::as_object_mut) {
                placeholders.retain(|name, _| used.contains(name));
                if placeholders.is_empty() {
                    members.remove(member);
                }
            }
        }
        params
    }

    fn write(
        &self,
        keys: Vec<(String, Value)>,
        request: impl Fn(ItemWrite) -> Request,
    ) -> Option<(Charges, Charges)> {
        let plan = |(table, key): (String, Value)| {
            let before = self.item(&table, &key);
            Planned { table, key, before }
        };
        let planned: Vec<Planned> = keys.into_iter().map(plan).collect();
        let charged = self.charged()?;
        let counted = planned.into_iter().map(|Planned { table, key, before }| {
            let after = self.item(&table, &key);
            let write = Schema::of(self.server, &table).write(before.as_ref(), after.as_ref());
            (table, request(write))
        });
        Some((sum(&counted.collect::<Vec<_>>()), charged))
    }

    fn key_of_write(&self, params: &Value) -> Value {
        if !params["Key"].is_null() {
            return params["Key"].clone();
        }
        Schema::of(self.server, &text(&params["TableName"])).key_of(&params["Item"])
    }

    fn batch_keys(&self) -> Vec<(String, Value)> {
        let mut keys = Vec::new();
        for (table, writes) in self.params["RequestItems"].as_object().unwrap() {
            let schema = Schema::of(self.server, table);
            for write in writes.as_array().unwrap() {
                let key = match &write["PutRequest"]["Item"] {
                    Value::Null => write["DeleteRequest"]["Key"].clone(),
                    item => schema.key_of(item),
                };
                keys.push((table.clone(), key));
            }
        }
        keys
    }

    fn transact_keys(&self) -> Vec<(String, Value)> {
        let actions = self.params["TransactItems"].as_array().unwrap().iter();
        let action = actions.map(|action| action.as_object().unwrap().values().next().unwrap());
        action.map(|params| (text(&params["TableName"]), self.key_of_write(params))).collect()
    }

    fn item(&self, table: &str, key: &Value) -> Option<Value> {
        let request = json!({ "TableName": table, "Key": key, "ConsistentRead": true });
        let (status, body) = self.server.try_call("GetItem", &request.to_string());
        let answer: Value = serde_json::from_str(&body).unwrap();
        (status == 200 && !answer["Item"].is_null()).then(|| answer["Item"].clone())
    }

    /// Makes the call, and gives what the server charged for it; nothing if it fails.
    fn charged(&self) -> Option<Charges> {
        let mut params = self.params.clone();
        params["ReturnConsumedCapacity"] = json!("INDEXES");
        let (status, body) = self.server.try_call(self.operation, &params.to_string());
        if status != 200 {
            return None;
        }
        let answer: Value = serde_json::from_str(&body).unwrap();
        let consumed = match &answer["ConsumedCapacity"] {
            Value::Array(tables) => tables.clone(),
            table => vec![table.clone()],
        };
        Some(consumed.iter().flat_map(charges_of).filter(|(_, units)| *units > 0.0).collect())
    }
}

fn charges_of(consumed: &Value) -> Vec<((String, String), f64)> {
    let table = text(&consumed["TableName"]);
    let units = |arm: &Value| arm["CapacityUnits"].as_f64().unwrap_or(0.0);
    let mut charges = vec![((table.clone(), String::new()), units(&consumed["Table"]))];
    for (name, arm) in consumed["GlobalSecondaryIndexes"].as_object().into_iter().flatten() {
        charges.push(((table.clone(), name.clone()), units(arm)));
    }
    let total: f64 = charges.iter().map(|(_, units)| units).sum();
    assert_eq!(total, units(consumed), "{consumed}");
    charges
}

fn sum(requests: &[(String, Request)]) -> Charges {
    let mut charges = Charges::new();
    for (table, request) in requests {
        let consumption = request.consumption();
        let own = (String::new(), consumption.table);
        for (arm, units) in std::iter::once(own).chain(consumption.indexes) {
            let units = units.read.units() + units.write.units();
            if units > 0.0 {
                *charges.entry((table.clone(), arm)).or_default() += units;
            }
        }
    }
    charges
}

fn consistency(params: &Value) -> Consistency {
    if params["ConsistentRead"] == true { Consistency::Strong } else { Consistency::Eventual }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
