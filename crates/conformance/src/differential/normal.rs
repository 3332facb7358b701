//! Answers without what no two endpoints have in common.

use monotable_workload::Call;
use serde_json::{Map, Value, json};

use super::Answer;

/// Members of descriptions that are an endpoint's own, or change by themselves.
const OWN: &[&str] = &[
    "BillingModeSummary",
    "CreationDateTime",
    "IndexArn",
    "IndexSizeBytes",
    "IndexStatus",
    "ItemCount",
    "LastDecreaseDateTime",
    "LastIncreaseDateTime",
    "LatestStreamArn",
    "LatestStreamLabel",
    "NumberOfDecreasesToday",
    "TableArn",
    "TableId",
    "TableSizeBytes",
    "TableStatus",
    "WarmThroughput",
];

/// Lists whose order means nothing.
const UNORDERED: &[&str] = &[
    "AttributeDefinitions",
    "GlobalSecondaryIndexes",
    "LocalSecondaryIndexes",
    "NonKeyAttributes",
];

/// An answer with what can be compared.
pub fn normal(call: &Call, mut answer: Answer, with_capacity: bool) -> Answer {
    if answer.status != 200 {
        answer.body = error(&answer.body);
    } else if is_page_of_scan(call) {
        // Which items a part of a scan has is up to the endpoint.
        answer.body = json!({});
    } else {
        sort_items(call, &mut answer.body);
    }
    clean(&mut answer.body, call.action.ends_with("Table"), with_capacity);
    answer
}

/// An error in one form: endpoints differ in the name space and in how they write `message`.
fn error(body: &Value) -> Value {
    let Value::Object(members) = body else { return body.clone() };
    let mut members = members.clone();
    let name = members.remove("__type");
    let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
    let [upper, lower] = ["Message", "message"].map(|member| members.remove(member));
    let mut normal = Map::new();
    normal.insert("error".to_owned(), json!(name.rsplit('#').next()));
    normal.insert("text".to_owned(), upper.or(lower).unwrap_or(Value::Null));
    normal.extend(members);
    Value::Object(normal)
}

fn is_page_of_scan(call: &Call) -> bool {
    let has = |member: &str| call.request.get(member).is_some_and(|member| !member.is_null());
    call.action == "Scan" && ["Limit", "Segment", "ExclusiveStartKey"].into_iter().any(has)
}

/// Sorts items where DynamoDB promises no order: those of scans and batches, those of an index that
/// have one key, and those of statements, which may be any of these.
fn sort_items(call: &Call, body: &mut Value) {
    let is_of_index = call.request.get("IndexName").is_some_and(|name| !name.is_null());
    match call.action.as_str() {
        "Scan" | "ExecuteStatement" => sort(body.get_mut("Items")),
        "Query" if is_of_index => sort(body.get_mut("Items")),
        "BatchGetItem" => {
            let tables = body.get_mut("Responses").and_then(Value::as_object_mut);
            tables.into_iter().flatten().for_each(|(_, items)| sort(Some(items)));
        }
        _ => {}
    }
}

fn sort(list: Option<&mut Value>) {
    if let Some(elements) = list.and_then(Value::as_array_mut) {
        elements.iter_mut().for_each(|element| clean(element, false, true));
        elements.sort_by_cached_key(canonical);
    }
}

/// A value as text, whatever the order of its members.
pub(crate) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            let members =
                members.into_iter().map(|(name, member)| format!("{name}:{}", canonical(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Takes out what is an endpoint's own, and sorts sets.
fn clean(value: &mut Value, is_description: bool, with_capacity: bool) {
    match value {
        Value::Object(members) => {
            if !with_capacity {
                members.remove("ConsumedCapacity");
            }
            if is_description {
                OWN.iter().for_each(|name| _ = members.remove(*name));
            }
            for (name, member) in members.iter_mut() {
                clean(member, is_description, with_capacity);
                let is_set = matches!(name.as_str(), "SS" | "NS" | "BS");
                if is_set || is_description && UNORDERED.contains(&name.as_str()) {
                    sort_plainly(member);
                }
            }
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|element| clean(element, is_description, with_capacity));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn sort_plainly(list: &mut Value) {
    if let Value::Array(elements) = list {
        elements.sort_by_cached_key(canonical);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(action: &str, request: Value, one: (u16, Value), other: (u16, Value)) -> bool {
        let call = Call::new(action, request);
        let [one, other] =
            [one, other].map(|(status, body)| normal(&call, Answer { status, body }, false));
        one == other
    }

    #[test]
    fn names_of_errors_and_orders_without_meaning_do_not_count() {
        let error = |name: &str, member: &str| (400, json!({"__type": name, member: "text"}));
        let (long, short) = (error("a#X", "message"), error("X", "Message"));
        assert!(same("GetItem", json!({}), long.clone(), short));
        assert!(!same("GetItem", json!({}), long, error("Y", "message")));
        let scan = |items: Value| (200, json!({"Items": items, "Count": 2}));
        assert!(same("Scan", json!({}), scan(json!(["a", "b"])), scan(json!(["b", "a"]))));
        assert!(!same("Query", json!({}), scan(json!(["a", "b"])), scan(json!(["b", "a"]))));
        let set = |members: Value| (200, json!({"Item": {"s": {"SS": members}}}));
        assert!(same("GetItem", json!({}), set(json!(["a", "b"])), set(json!(["b", "a"]))));
        let table = |id: &str| (200, json!({"Table": {"TableId": id, "TableName": "t"}}));
        assert!(same("DescribeTable", json!({}), table("1"), table("2")));
    }
}
