//! Requests and values as the API's JSON.

use anyhow::{Context, Result, bail};
use monotable_item::{Item, Value};
use monotable_model::document::{Order, ReturnsValues};
use monotable_model::plan::{GetRequest, Placeholders, Request, WriteRequest};
use serde_json::{Map, Value as Json, json};

/// The operation and its request.
pub(crate) fn wire(request: &Request) -> (&'static str, Json) {
    match request {
        Request::Get(get) => ("GetItem", of_table(&get.table, get_members(get))),
        Request::Query(query) => {
            let mut members = placeholders(&query.placeholders);
            optional(&mut members, "IndexName", query.index.as_ref());
            optional(&mut members, "KeyConditionExpression", Some(&query.key_condition));
            optional(&mut members, "FilterExpression", query.filter.as_ref());
            optional(&mut members, "ProjectionExpression", query.projection.as_ref());
            optional(&mut members, "Limit", query.limit.as_ref());
            let forward = query.order == Order::Ascending;
            optional(&mut members, "ScanIndexForward", Some(&forward));
            optional(&mut members, "ConsistentRead", query.consistent.then_some(&true));
            ("Query", of_table(&query.table, members))
        }
        Request::Scan(scan) => {
            let mut members = placeholders(&scan.placeholders);
            optional(&mut members, "IndexName", scan.index.as_ref());
            optional(&mut members, "FilterExpression", scan.filter.as_ref());
            optional(&mut members, "ProjectionExpression", scan.projection.as_ref());
            optional(&mut members, "Limit", scan.limit.as_ref());
            ("Scan", of_table(&scan.table, members))
        }
        Request::Write(write) => {
            let (kind, request) = member(write);
            (operation(kind), request)
        }
        Request::BatchGet(gets) => ("BatchGetItem", batch_get(gets)),
        Request::BatchWrite(writes) => ("BatchWriteItem", batch_write(writes)),
        Request::TransactGet(gets) => {
            let gets =
                gets.iter().map(|get| json!({ "Get": of_table(&get.table, get_members(get)) }));
            ("TransactGetItems", json!({ "TransactItems": gets.collect::<Vec<_>>() }))
        }
        Request::TransactWrite(writes) => {
            let writes = writes.iter().map(member).map(|(kind, request)| json!({ kind: request }));
            ("TransactWriteItems", json!({ "TransactItems": writes.collect::<Vec<_>>() }))
        }
    }
}

fn operation(kind: &str) -> &'static str {
    match kind {
        "Put" => "PutItem",
        "Update" => "UpdateItem",
        "Delete" => "DeleteItem",
        other => panic!("{other} is no request of its own"),
    }
}

/// A write as the member of a transaction, which is also the request of its own.
fn member(write: &WriteRequest) -> (&'static str, Json) {
    let returns = |members: &mut Map<String, Json>, values: Option<ReturnsValues>| {
        let word = values.map(|values| match values {
            ReturnsValues::AllOld => "ALL_OLD",
            ReturnsValues::AllNew => "ALL_NEW",
            ReturnsValues::UpdatedOld => "UPDATED_OLD",
            ReturnsValues::UpdatedNew => "UPDATED_NEW",
        });
        optional(members, "ReturnValues", word.as_ref());
    };
    match write {
        WriteRequest::Put(put) => {
            let mut members = placeholders(&put.placeholders);
            members.insert("Item".to_owned(), json_of_item(&put.item));
            optional(&mut members, "ConditionExpression", put.condition.as_ref());
            returns(&mut members, put.returns_values);
            ("Put", of_table(&put.table, members))
        }
        WriteRequest::Update(update) => {
            let mut members = placeholders(&update.placeholders);
            members.insert("Key".to_owned(), json_of_item(&update.key));
            optional(&mut members, "UpdateExpression", Some(&update.update));
            optional(&mut members, "ConditionExpression", update.condition.as_ref());
            returns(&mut members, update.returns_values);
            ("Update", of_table(&update.table, members))
        }
        WriteRequest::Delete(delete) => {
            let mut members = placeholders(&delete.placeholders);
            members.insert("Key".to_owned(), json_of_item(&delete.key));
            optional(&mut members, "ConditionExpression", delete.condition.as_ref());
            returns(&mut members, delete.returns_values);
            ("Delete", of_table(&delete.table, members))
        }
        WriteRequest::Check(check) => {
            let mut members = placeholders(&check.placeholders);
            members.insert("Key".to_owned(), json_of_item(&check.key));
            optional(&mut members, "ConditionExpression", Some(&check.condition));
            ("ConditionCheck", of_table(&check.table, members))
        }
    }
}

fn get_members(get: &GetRequest) -> Map<String, Json> {
    let mut members = placeholders(&get.placeholders);
    members.insert("Key".to_owned(), json_of_item(&get.key));
    optional(&mut members, "ProjectionExpression", get.projection.as_ref());
    optional(&mut members, "ConsistentRead", get.consistent.then_some(&true));
    members
}

/// Reads of one table; no model has a batch over several.
fn batch_get(gets: &[GetRequest]) -> Json {
    let keys: Vec<Json> = gets.iter().map(|get| json_of_item(&get.key)).collect();
    let table = gets.first().map_or("", |get| get.table.as_str());
    assert!(gets.iter().all(|get| get.table == table));
    let mut members = gets.first().map(get_members).unwrap_or_default();
    members.remove("Key");
    members.insert("Keys".to_owned(), json!(keys));
    json!({ "RequestItems": { table: members } })
}

fn batch_write(writes: &[WriteRequest]) -> Json {
    let mut tables = Map::new();
    for write in writes {
        let (table, request) = match write {
            WriteRequest::Put(put) => {
                (&put.table, json!({ "PutRequest": { "Item": json_of_item(&put.item) } }))
            }
            WriteRequest::Delete(delete) => {
                (&delete.table, json!({ "DeleteRequest": { "Key": json_of_item(&delete.key) } }))
            }
            WriteRequest::Update(_) | WriteRequest::Check(_) => panic!("no batch takes {write:?}"),
        };
        let requests = tables.entry(table).or_insert_with(|| json!([]));
        requests.as_array_mut().unwrap().push(request);
    }
    json!({ "RequestItems": tables })
}

fn of_table(table: &str, mut members: Map<String, Json>) -> Json {
    members.insert("TableName".to_owned(), json!(table));
    Json::Object(members)
}

fn optional(
    members: &mut Map<String, Json>,
    name: &str,
    value: Option<&(impl Clone + Into<Json>)>,
) {
    if let Some(value) = value {
        members.insert(name.to_owned(), value.clone().into());
    }
}

fn placeholders(placeholders: &Placeholders) -> Map<String, Json> {
    let mut members = Map::new();
    if !placeholders.names.is_empty() {
        members.insert("ExpressionAttributeNames".to_owned(), json!(placeholders.names));
    }
    if !placeholders.values.is_empty() {
        let values = placeholders.values.iter().map(|(name, value)| (name.clone(), json_of(value)));
        members.insert("ExpressionAttributeValues".to_owned(), Json::Object(values.collect()));
    }
    members
}

fn json_of_item(item: &Item) -> Json {
    Json::Object(item.iter().map(|(name, value)| (name.clone(), json_of(value))).collect())
}

fn json_of(value: &Value) -> Json {
    let numbers = |number: &monotable_item::Number| number.to_string();
    match value {
        Value::String(text) => json!({ "S": text }),
        Value::Number(number) => json!({ "N": number.to_string() }),
        Value::Bool(bool) => json!({ "BOOL": bool }),
        Value::Null => json!({ "NULL": true }),
        Value::List(elements) => json!({ "L": elements.iter().map(json_of).collect::<Vec<_>>() }),
        Value::Map(members) => json!({ "M": json_of_item(members) }),
        Value::StringSet(texts) => json!({ "SS": texts.iter().collect::<Vec<_>>() }),
        Value::NumberSet(set) => json!({ "NS": set.iter().map(numbers).collect::<Vec<_>>() }),
        Value::Binary(_) | Value::BinarySet(_) => panic!("no model has binary values"),
    }
}

/// The item that JSON stands for.
pub(crate) fn item_of(json: &Json) -> Result<Item> {
    let members = json.as_object().with_context(|| format!("{json} is no item"))?;
    members.iter().map(|(name, json)| Ok((name.clone(), value_of(json)?))).collect()
}

/// The value that JSON stands for.
pub(crate) fn value_of(json: &Json) -> Result<Value> {
    let member = json.as_object().and_then(|members| members.iter().next());
    let (kind, json) = member.with_context(|| format!("{json} is no value"))?;
    let text = || json.as_str().with_context(|| format!("{json} is no text"));
    let elements = || json.as_array().into_iter().flatten();
    Ok(match kind.as_str() {
        "S" => Value::from(text()?),
        "N" => Value::Number(text()?.parse()?),
        "BOOL" => Value::Bool(json == &Json::Bool(true)),
        "NULL" => Value::Null,
        "L" => Value::List(elements().map(value_of).collect::<Result<_>>()?),
        "M" => Value::Map(item_of(json)?),
        "SS" => {
            let texts = elements().filter_map(Json::as_str);
            Value::string_set(texts.map(str::to_owned).collect())
        }
        other => bail!("no model has values of type {other}"),
    })
}
