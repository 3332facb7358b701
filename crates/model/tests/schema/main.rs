//! The JSON Schema agrees with the reader.
//!
//! The schema uses a small part of the vocabulary, which `validate` below knows in full: a keyword
//! that it does not know fails the test.

mod reference;

use monotable_model::document::{Format, SCHEMA, read, write};
use serde_json::{Map, Value, json};

fn problems(document: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let mut problems = Vec::new();
    validate(&schema, &schema, document, "", &mut problems);
    problems
}

/// Checks a value against a schema whose references lead into `root`.
fn validate(root: &Value, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let target = root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap();
                validate(root, target, value, at, problems);
                true
            }
            "type" => has_type(value, rule.as_str().unwrap()),
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "minLength" => {
                value.as_str().is_none_or(|text| text.len() as u64 >= rule.as_u64().unwrap())
            }
            "pattern" => {
                assert_eq!(rule, "\\.", "the only pattern that is known");
                value.as_str().is_none_or(|text| text.contains('.'))
            }
            "minItems" => size(value).is_none_or(|size| size >= rule.as_u64().unwrap()),
            "maxItems" => size(value).is_none_or(|size| size <= rule.as_u64().unwrap()),
            "minProperties" => {
                members_of(value).is_none_or(|count| count >= rule.as_u64().unwrap())
            }
            "maxProperties" => {
                members_of(value).is_none_or(|count| count <= rule.as_u64().unwrap())
            }
            "required" => {
                let has = |map: &Map<String, Value>| {
                    rule.as_array()
                        .unwrap()
                        .iter()
                        .all(|name| map.contains_key(name.as_str().unwrap()))
                };
                value.as_object().is_none_or(has)
            }
            "items" => {
                for (index, element) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, element, &format!("{at}/{index}"), problems);
                }
                true
            }
            "properties" | "additionalProperties" => {
                members(root, schema, value, at, problems);
                true
            }
            "oneOf" => {
                let fits = |schema: &&Value| {
                    let mut inner = Vec::new();
                    validate(root, schema, value, at, &mut inner);
                    inner.is_empty()
                };
                rule.as_array().unwrap().iter().filter(fits).count() == 1
            }
            other => panic!("the keyword {other} is not known here"),
        };
        if !holds {
            problems.push(format!("{at}: {value} does not fit {keyword} {rule}"));
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("the type {other} is not known here"),
    }
}

fn size(value: &Value) -> Option<u64> {
    value.as_array().map(|elements| elements.len() as u64)
}

fn members_of(value: &Value) -> Option<u64> {
    value.as_object().map(|members| members.len() as u64)
}

fn members(root: &Value, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match (schema.pointer(&format!("/properties/{name}")), schema.get("additionalProperties")) {
            (Some(rule), _) => validate(root, rule, member, &at, problems),
            (None, Some(Value::Bool(false))) => problems.push(format!("{at} is not known")),
            (None, Some(rule)) if rule.is_object() => validate(root, rule, member, &at, problems),
            (None, _) => {}
        }
    }
}

fn base() -> Value {
    json!({
        "format": 1,
        "name": "shop",
        "tables": { "Shop": { "partition_key": "PK", "sort_key": "SK" } },
        "entities": {
            "Order": {
                "key": { "partition": "CUSTOMER#{username}", "sort": "ORDER#{number:08}" },
                "attributes": { "username": "S", "number": { "type": "N", "min": 1 } }
            }
        },
        "relationships": [{ "from": "Order", "to": "Order", "kind": "1:1" }],
        "patterns": {
            "place": { "operation": "transact-write", "actions": [{ "put": "Order" }] },
            "all": { "operation": "steps", "steps": ["place"] }
        },
        "samples": { "Order": [{ "username": "alex", "number": 1 }] },
        "tests": {
            "an order is placed once": {
                "steps": [
                    { "pattern": "place", "with": { "username": "alex", "number": 1 },
                        "expect": "refused" },
                    { "pattern": "all", "expect": ["Order", { "Order": { "number": 1 } }],
                        "units": { "read": 0.5 } }
                ]
            }
        },
        "allow": [{ "rule": "missing-type-prefix", "reason": "b" }],
        "lint": { "profile": "single-table" },
        "workload": { "reads_per_second": 1.5 }
    })
}

#[test]
fn every_example_is_valid() {
    for example in monotable_model_fixture::examples() {
        let model = read(&example.text, Format::Toml).unwrap().model;
        let document = serde_json::from_str(&write(&model, Format::Json)).unwrap();
        assert_eq!(problems(&document), Vec::<String>::new(), "{}", example.name);
    }
}

/// Puts a value at a pointer, whose last part may be new; `null` takes it away.
fn changed(pointer: &str, value: &Value) -> Value {
    let mut document = base();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = document.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        assert!(parent.remove(name).is_some());
    } else {
        parent.insert(name.to_owned(), value.clone());
    }
    document
}

#[test]
fn what_the_reader_refuses_by_shape_the_schema_refuses() {
    let mistakes = [
        ("/format", json!(2)),
        ("/format", Value::Null),
        ("/name", json!("")),
        ("/name", json!(5)),
        ("/titel", json!("x")),
        ("/tables", json!([])),
        ("/tables/Shop/partition_key", Value::Null),
        ("/tables/Shop/partition_key", json!({ "name": "PK", "type": "BOOL" })),
        ("/tables/Shop/partition_key", json!({ "name": "PK" })),
        ("/tables/Shop/stream", json!("everything")),
        ("/tables/Shop/billing", json!("free")),
        ("/tables/Shop/billing", json!({ "read_units": 5 })),
        ("/tables/Shop/billing", json!({ "read_units": -5, "write_units": 1 })),
        ("/tables/Shop/class", json!("gold")),
        ("/tables/Shop/backup", json!(true)),
        ("/tables/Shop/deletion_protection", json!("yes")),
        ("/tables/Shop/global_indexes", json!({ "GSI1": { "sort_key": "a" } })),
        ("/tables/Shop/global_indexes", json!({ "GSI1": { "partition_key": [] } })),
        (
            "/tables/Shop/global_indexes",
            json!({ "GSI1": { "partition_key": "a", "projection": "some" } }),
        ),
        (
            "/tables/Shop/local_indexes",
            json!({ "LSI1": { "partition_key": "a", "sort_key": "b" } }),
        ),
        ("/entities/Order/key", json!("CUSTOMER")),
        ("/entities/Order/key", json!({ "partition": "A", "order": "B" })),
        ("/entities/Order/count", json!(-1)),
        ("/entities/Order/average_bytes", json!(0)),
        ("/entities/Order/singleton", json!("yes")),
        ("/entities/Order/unique", json!([{ "attribute": "a" }])),
        ("/entities/Order/copies", json!({ "attribute": "a" })),
        ("/entities/Order/embedded_in", json!("Customer")),
        ("/entities/Order/attributes/number", json!("X")),
        ("/entities/Order/attributes/number", json!({ "min": 1 })),
        ("/entities/Order/attributes/number/format", json!("roman")),
        ("/entities/Order/attributes/number/enum", json!([])),
        ("/entities/Order/attributes/number/digits", json!(0)),
        ("/entities/Order/attributes/number/min", json!("low")),
        ("/entities/Order/attributes/number/stored", json!("no")),
        ("/entities/Order/attributes/number/colour", json!("red")),
        ("/patterns/place/operation", Value::Null),
        ("/patterns/place/operation", json!("upsert")),
        ("/patterns/place/order", json!("random")),
        ("/patterns/place/limit", json!(0)),
        ("/patterns/place/rate", json!(-1)),
        ("/patterns/place/by", json!("username")),
        ("/patterns/place/actions", json!([{ "put": "Order", "delete": "Order" }])),
        ("/patterns/place/actions", json!([{ "condition": "a" }])),
        ("/patterns/place/actions", json!({})),
        ("/patterns/place/returns_values", json!("none")),
        ("/patterns/place/parameters", json!({ "a": "X" })),
        ("/patterns/all/steps", json!([{ "each": "result" }])),
        ("/patterns/all/view", json!("everything")),
        ("/patterns/all/idempotent_by", json!("")),
        ("/patterns/all/lag_hours", json!(-1)),
        ("/samples/Order", json!({})),
        ("/samples/Order", json!([5])),
        ("/tests/an order is placed once", json!([])),
        ("/tests/an order is placed once/steps", Value::Null),
        ("/tests/an order is placed once/steps", json!([])),
        ("/tests/an order is placed once/steps", json!(["place"])),
        ("/tests/an order is placed once/steps", json!([{ "with": {} }])),
        ("/tests/an order is placed once/steps", json!([{ "pattern": "place", "with": 1 }])),
        ("/tests/an order is placed once/steps", json!([{ "pattern": "place", "rows": [] }])),
        ("/tests/an order is placed once/steps/0/expect", json!("accepted")),
        ("/tests/an order is placed once/steps/0/expect", json!({ "Order": {} })),
        ("/tests/an order is placed once/steps/0/expect", json!([{}])),
        ("/tests/an order is placed once/steps/0/expect", json!([{ "Order": 1 }])),
        ("/tests/an order is placed once/steps/0/units", json!(1)),
        ("/tests/an order is placed once/steps/0/units", json!({ "read": -1 })),
        ("/tests/an order is placed once/samples", json!([])),
        ("/tests/an order is placed once/samples", json!({ "Order": {} })),
        ("/allow", json!([{ "rule": "a" }])),
        ("/workload/reads_per_second", json!("many")),
        ("/workload/colour", json!(1)),
        ("/lint", json!("strict")),
        ("/lint/profile", json!("two-tables")),
        ("/lint/thresholds", json!({ "filter-hit-rate": "half" })),
        ("/lint/severity", json!({ "missing-type-prefix": "fatal" })),
        ("/lint/colour", json!(1)),
    ];
    assert_eq!(problems(&base()), Vec::<String>::new());
    read(&base().to_string(), Format::Json).unwrap();
    for (pointer, value) in mistakes {
        let document = changed(pointer, &value);
        let refused = read(&document.to_string(), Format::Json).is_err();
        assert!(refused, "the reader takes {pointer} = {value}");
        assert!(!problems(&document).is_empty(), "the schema takes {pointer} = {value}");
    }
}
