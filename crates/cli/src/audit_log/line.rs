//! One line of the audit log.
//!
//! Tables are those that the call got to know. If it was refused before that, they are read from
//! its body. Keys are always read from the body: of what stands there as a key or an item, those
//! attributes that are the key of the table, and nothing else.

use std::time::{Duration, UNIX_EPOCH};

use monotable_database::schema::TableSchema;
use monotable_server::AuditedCall;
use serde_json::{Map, Value, json};

/// A body that is larger is not read: its calls have no keys in the log.
const BODY_BYTES_MAX: usize = 1 << 20;
/// The most tables and the longest name that are taken from a body.
const TABLES_MAX: usize = 100;
const NAME_CHARS_MAX: usize = 255;

/// Whether lines have the keys of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    Kept,
    LeftOut,
}

/// The line of a call.
pub(super) fn line_of(call: &AuditedCall, keys: Keys) -> String {
    let body = call.body.as_ref().filter(|body| body.len() <= BODY_BYTES_MAX);
    let body: Option<Value> = body.and_then(|body| serde_json::from_slice(body).ok());
    let mut line = json!({
        "time": time_text(call.time_millis),
        "requestId": call.request_id,
        "action": call.action,
        "tables": tables(call, body.as_ref()),
        "outcome": call.outcome.name(),
    });
    if let Some(members) = line.as_object_mut() {
        let mut add = |name: &str, value: Option<Value>| {
            members.extend(value.map(|value| (name.to_owned(), value)));
        };
        add("account", call.caller.account.as_deref().map(Value::from));
        add("user", call.caller.user.as_deref().map(Value::from));
        add("accessKeyId", call.caller.access_key_id.as_deref().map(Value::from));
        add("source", call.source.map(|source| source.to_string().into()));
        add("status", call.status.map(Value::from));
        add("error", call.error.map(Value::from));
        if keys == Keys::Kept {
            let found = body.as_ref().map(|body| item_keys(call, body));
            add("keys", found.filter(|keys| !keys.is_empty()).map(Value::from));
            let is_large = call.body.as_ref().is_some_and(|body| body.len() > BODY_BYTES_MAX);
            add("keysLeftOut", is_large.then_some(Value::Bool(true)));
        }
    }
    line.to_string()
}

fn time_text(millis: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(millis)).to_string()
}

/// The names of the tables that the call was about.
fn tables(call: &AuditedCall, body: Option<&Value>) -> Vec<String> {
    if !call.tables.is_empty() {
        return call.tables.iter().map(|table| table.name.clone()).collect();
    }
    let Some(body) = body else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    let named = ["TableName", "ResourceArn", "StreamArn"].map(|member| body.get(member));
    let named = named.into_iter().flatten().filter_map(Value::as_str);
    let members = parts(body).into_iter().map(|part| part.table);
    for name in named.chain(members).take(TABLES_MAX) {
        let name: String = table_name(name).chars().take(NAME_CHARS_MAX).collect();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A part of a call that is about one item.
struct Part<'b> {
    table: &'b str,
    /// The item, or its key.
    attributes: Option<&'b Map<String, Value>>,
}

/// The parts of a call, whatever its operation.
fn parts(body: &Value) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    if let Some(table) = body.get("TableName").and_then(Value::as_str) {
        found.push(Part { table, attributes: attributes_of(body) });
    }
    for (table, asked) in body.get("RequestItems").and_then(Value::as_object).into_iter().flatten()
    {
        let keys = asked.get("Keys").and_then(Value::as_array).into_iter().flatten();
        let writes = asked.as_array().into_iter().flatten().filter_map(Value::as_object);
        let writes = writes.flat_map(Map::values).map(attributes_of);
        let keys = keys.map(Value::as_object);
        found.extend(keys.chain(writes).map(|attributes| Part { table, attributes }));
    }
    let members = body.get("TransactItems").and_then(Value::as_array).into_iter().flatten();
    for action in members.filter_map(Value::as_object).flat_map(Map::values) {
        if let Some(table) = action.get("TableName").and_then(Value::as_str) {
            found.push(Part { table, attributes: attributes_of(action) });
        }
    }
    found
}

/// The item or the key that a part of a call has.
fn attributes_of(part: &Value) -> Option<&Map<String, Value>> {
    part.get("Key").or_else(|| part.get("Item")).and_then(Value::as_object)
}

/// The keys of all items that the call names.
fn item_keys(call: &AuditedCall, body: &Value) -> Vec<Value> {
    let key_of = |part: Part<'_>| {
        let name = table_name(part.table);
        let table = call.tables.iter().find(|table| table.name == name)?;
        let key = key_attributes(table.schema.as_ref()?, part.attributes?);
        Some(json!({ "table": name, "key": key }))
    };
    parts(body).into_iter().filter_map(key_of).collect()
}

/// The attributes that are the key of a table.
fn key_attributes(schema: &TableSchema, attributes: &Map<String, Value>) -> Map<String, Value> {
    let part = |name: &String| Some((name.clone(), attributes.get(name)?.clone()));
    schema.key.attributes().filter_map(|attribute| part(&attribute.name)).collect()
}

/// The name of a table that is given by its name, its resource name, or that of its stream.
fn table_name(name: &str) -> &str {
    let rest = name.split_once(":table/").map_or(name, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use monotable_server::{AuditOutcome, AuditedCaller};

    use super::*;

    fn refused(body: &Value) -> Value {
        let call = AuditedCall {
            time_millis: 1_794_744_000_123,
            request_id: "ID".to_owned(),
            caller: AuditedCaller { user: Some("alice".into()), ..AuditedCaller::default() },
            source: Some("127.0.0.1:4711".parse().unwrap()),
            action: "dynamodb:PutItem".to_owned(),
            tables: Vec::new(),
            outcome: AuditOutcome::Refused,
            status: Some(400),
            error: Some("ValidationException"),
            body: Some(body.to_string().into()),
        };
        serde_json::from_str(&line_of(&call, Keys::Kept)).unwrap()
    }

    #[test]
    fn a_line_says_who_did_what_and_what_became_of_it() {
        let line = refused(&json!({ "TableName": "orders", "Item": { "id": { "S": "secret" } } }));
        assert_eq!(
            line,
            json!({
                "time": "2026-11-15T12:00:00.123Z",
                "requestId": "ID",
                "user": "alice",
                "source": "127.0.0.1:4711",
                "action": "dynamodb:PutItem",
                "tables": ["orders"],
                "outcome": "refused",
                "status": 400,
                "error": "ValidationException",
            })
        );
    }

    #[test]
    fn tables_are_found_wherever_a_call_names_them() {
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/a";
        let named = |name: &str| json!({ "TableName": name });
        for (body, tables) in [
            (json!({ "TableName": arn }), json!(["a"])),
            (json!({ "StreamArn": format!("{arn}/stream/2026") }), json!(["a"])),
            (json!({ "RequestItems": { "a": { "Keys": [{}] }, "b": [] } }), json!(["a"])),
            (
                json!({ "TransactItems": [{ "Put": named("a") }, { "Get": named("b") }] }),
                json!(["a", "b"]),
            ),
            (json!("no object"), json!([])),
        ] {
            assert_eq!(refused(&body)["tables"], tables, "{body}");
        }
    }
}
