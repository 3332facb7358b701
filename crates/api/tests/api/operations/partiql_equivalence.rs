//! A statement gives what the request gives that says the same with expressions.

use std::cell::Cell;

use crate::harness;
use crate::harness::Harness;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

/// A condition that can be written in both languages.
#[derive(Debug, Clone)]
enum Condition {
    Compare(&'static str, &'static str, Literal),
    Between(&'static str, i64, i64),
    In(&'static str, Vec<Literal>),
    Exists(&'static str),
    Missing(&'static str),
    BeginsWith(&'static str, &'static str),
    Size(&'static str, i64),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Debug, Clone)]
enum Literal {
    Number(i64),
    Text(&'static str),
    Bool(bool),
    Null,
}

impl Literal {
    fn statement(&self) -> String {
        match self {
            Literal::Number(number) => number.to_string(),
            Literal::Text(text) => format!("'{text}'"),
            Literal::Bool(value) => value.to_string().to_uppercase(),
            Literal::Null => "NULL".to_owned(),
        }
    }

    fn value(&self) -> Value {
        match self {
            Literal::Number(number) => json!({"N": number.to_string()}),
            Literal::Text(text) => json!({"S": text}),
            Literal::Bool(value) => json!({"BOOL": value}),
            Literal::Null => json!({"NULL": true}),
        }
    }
}

/// An expression with its values.
#[derive(Default)]
struct Expression {
    values: Map<String, Value>,
}

impl Expression {
    fn placeholder(&mut self, value: Value) -> String {
        let name = format!(":v{}", self.values.len());
        self.values.insert(name.clone(), value);
        name
    }

    fn text(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(path, operator, literal) => {
                format!("{path} {operator} {}", self.placeholder(literal.value()))
            }
            Condition::Between(path, lower, upper) => {
                let lower = self.placeholder(Literal::Number(*lower).value());
                let upper = self.placeholder(Literal::Number(*upper).value());
                format!("{path} BETWEEN {lower} AND {upper}")
            }
            Condition::In(path, literals) => {
                let values: Vec<String> =
                    literals.iter().map(|literal| self.placeholder(literal.value())).collect();
                format!("{path} IN ({})", values.join(", "))
            }
            Condition::Exists(path) => format!("attribute_exists({path})"),
            Condition::Missing(path) => format!("attribute_not_exists({path})"),
            Condition::BeginsWith(path, prefix) => {
                format!("begins_with({path}, {})", self.placeholder(json!({"S": prefix})))
            }
            Condition::Size(path, size) => {
                format!("size({path}) > {}", self.placeholder(Literal::Number(*size).value()))
            }
            Condition::Not(inner) => format!("NOT {}", self.nested(inner)),
            Condition::And(left, right) => {
                format!("{} AND {}", self.nested(left), self.nested(right))
            }
            Condition::Or(left, right) => {
                format!("{} OR {}", self.nested(left), self.nested(right))
            }
        }
    }

    fn nested(&mut self, condition: &Condition) -> String {
        format!("({})", self.text(condition))
    }
}

fn statement(condition: &Condition) -> String {
    match condition {
        Condition::Compare(path, operator, literal) => {
            format!("{path} {operator} {}", literal.statement())
        }
        Condition::Between(path, lower, upper) => format!("{path} BETWEEN {lower} AND {upper}"),
        Condition::In(path, literals) => {
            let values: Vec<String> = literals.iter().map(Literal::statement).collect();
            format!("{path} IN [{}]", values.join(", "))
        }
        Condition::Exists(path) => format!("{path} IS NOT MISSING"),
        Condition::Missing(path) => format!("{path} IS MISSING"),
        Condition::BeginsWith(path, prefix) => format!("begins_with({path}, '{prefix}')"),
        Condition::Size(path, size) => format!("size({path}) > {size}"),
        Condition::Not(inner) => format!("NOT ({})", statement(inner)),
        Condition::And(left, right) => format!("({}) AND ({})", statement(left), statement(right)),
        Condition::Or(left, right) => format!("({}) OR ({})", statement(left), statement(right)),
    }
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        (-2..4_i64).prop_map(Literal::Number),
        prop::sample::select(vec!["", "a", "ab", "b"]).prop_map(Literal::Text),
        any::<bool>().prop_map(Literal::Bool),
        Just(Literal::Null),
    ]
}

/// A literal that has an order and can be a key of the table.
fn key_condition() -> impl Strategy<Value = Condition> {
    let operator = prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let partition = prop::sample::select(vec!["a", "b", "c"]).prop_map(Literal::Text);
    let sort = (0..4_i64).prop_map(Literal::Number);
    prop_oneof![
        3 => partition.clone().prop_map(|value| Condition::Compare("pk", "=", value)),
        1 => prop::collection::vec(partition, 1..3).prop_map(|it| Condition::In("pk", it)),
        2 => (operator, sort.clone()).prop_map(|(by, value)| Condition::Compare("sk", by, value)),
        2 => (partition_of(), sort_comparison(), sort_comparison()).prop_map(|(pk, one, other)| {
            Condition::And(Box::new(pk), Box::new(Condition::And(Box::new(one), Box::new(other))))
        }),
        1 => prop::collection::vec(sort, 1..3).prop_map(|it| Condition::In("sk", it)),
        1 => (0..2_i64, 2..4_i64).prop_map(|(from, to)| Condition::Between("sk", from, to)),
    ]
}

fn partition_of() -> impl Strategy<Value = Condition> {
    let partition = prop::sample::select(vec!["a", "b", "c"]).prop_map(Literal::Text);
    partition.prop_map(|value| Condition::Compare("pk", "=", value))
}

fn sort_comparison() -> impl Strategy<Value = Condition> {
    let operator = prop::sample::select(vec!["=", "<", "<=", ">", ">="]);
    (operator, 0..4_i64).prop_map(|(by, it)| Condition::Compare("sk", by, Literal::Number(it)))
}

fn condition() -> impl Strategy<Value = Condition> {
    let path = || prop::sample::select(vec!["n", "s", "m.k", "l[0]", "flag"]);
    let equality = prop::sample::select(vec!["=", "<>"]);
    let ordering = prop::sample::select(vec!["<", "<=", ">", ">="]);
    let leaf = prop_oneof![
        (path(), equality, literal()).prop_map(|(path, by, it)| Condition::Compare(path, by, it)),
        (path(), ordering, -2..4_i64).prop_map(|(path, by, it)| Condition::Compare(
            path,
            by,
            Literal::Number(it)
        )),
        (path(), -2..1_i64, 1..4_i64).prop_map(|(path, a, b)| Condition::Between(path, a, b)),
        (path(), prop::collection::vec(literal(), 1..4)).prop_map(|(it, of)| Condition::In(it, of)),
        path().prop_map(Condition::Exists),
        path().prop_map(Condition::Missing),
        (path(), prop::sample::select(vec!["a", "b"]))
            .prop_map(|(path, prefix)| Condition::BeginsWith(path, prefix)),
        (path(), 0..3_i64).prop_map(|(path, size)| Condition::Size(path, size)),
        key_condition(),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|it| Condition::Not(Box::new(it))),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
        ]
    })
}

async fn filled() -> Harness {
    let harness = Harness::new().await;
    let create = json!({
        "TableName": "table",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
    });
    harness.call("CreateTable", create).await;
    for (partition, name) in ["a", "b", "c"].into_iter().enumerate() {
        for number in 0..4 {
            harness
                .call(
                    "PutItem",
                    json!({"TableName": "table", "Item": item(partition, name, number)}),
                )
                .await;
        }
    }
    harness
}

/// Items that differ in which attributes they have and of what type.
fn item(partition: usize, name: &str, number: usize) -> Value {
    let mut item = json!({"pk": {"S": name}, "sk": {"N": number.to_string()}});
    let text = ["", "a", "ab", "b"][number];
    let kinds = [
        json!({"N": number.to_string()}),
        json!({"S": text}),
        json!({"BOOL": number.is_multiple_of(2)}),
        json!({"NULL": true}),
    ];
    for (position, attribute) in ["n", "s", "flag"].into_iter().enumerate() {
        if (number + position + partition) % 4 != 3 {
            item[attribute] = kinds[(position + partition) % 4].clone();
        }
    }
    item["m"] = json!({"M": {"k": kinds[number]}});
    item["l"] = json!({"L": [kinds[(number + 1) % 4]]});
    item
}

fn keys(items: &Value) -> Vec<String> {
    let key = |item: &Value| format!("{}/{}", item["pk"]["S"], item["sk"]["N"]);
    let mut keys: Vec<String> = items.as_array().unwrap().iter().map(key).collect();
    keys.sort();
    keys
}

/// All items that a statement selects, page by page.
async fn selected(harness: &Harness, condition: &str, limit: i64) -> Result<Vec<String>, String> {
    let mut request = json!({
        "Statement": format!("SELECT * FROM \"table\" WHERE {condition}"),
        "Limit": limit,
    });
    let mut all = Vec::new();
    loop {
        let body = request.to_string();
        let answer = harness.send("ExecuteStatement", body.as_bytes()).await;
        let answer = answer.map_err(|error| harness::code_and_text(error).1)?;
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        all.extend(keys(&answer["Items"]));
        match answer.get("NextToken") {
            Some(token) => request["NextToken"] = token.clone(),
            None => break,
        }
    }
    all.sort();
    Ok(all)
}

fn run(cases: u32, test: &impl AsyncFn(&Harness, Condition, i64)) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let harness = runtime.block_on(filled());
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&(condition(), 1..20_i64), |(condition, limit)| {
        runtime.block_on(test(&harness, condition, limit));
        Ok(())
    });
    outcome.unwrap();
}

/// Alternatives that ask for the same keys are refused, and no others. Most conditions have none:
/// otherwise nothing would be compared.
#[test]
fn a_select_finds_what_a_scan_with_the_same_filter_finds_on_pages_of_any_size() {
    const CASES: u32 = 400;
    let compared = Cell::new(0);
    run(CASES, &async |harness, condition, limit| {
        let text = statement(&condition);
        let mut expression = Expression::default();
        let filter = expression.text(&condition);
        let mut scan = json!({"TableName": "table", "FilterExpression": filter});
        if !expression.values.is_empty() {
            scan["ExpressionAttributeValues"] = Value::Object(expression.values);
        }
        let expected = harness.call("Scan", scan).await;
        match selected(harness, &text, limit).await {
            Ok(found) => {
                assert_eq!(found, keys(&expected["Items"]), "{text}");
                compared.set(compared.get() + 1);
            }
            Err(refused) => {
                assert!(refused.starts_with("Overlapping conditions"), "{text}: {refused}")
            }
        }
    });
    assert!(compared.get() >= CASES * 9 / 10, "{} of {CASES} compared", compared.get());
}

#[test]
fn ranges_of_one_partition_are_read_in_the_order_of_their_keys() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let harness = filled().await;
        let select = "SELECT sk FROM \"table\" WHERE pk = 'a' AND (sk > 2 OR sk = 2 OR sk < 1)";
        let read = async |order: &str| {
            let request = json!({"Statement": format!("{select}{order}")});
            let items = harness.call("ExecuteStatement", request).await["Items"].clone();
            let number = |item: &Value| item["sk"]["N"].as_str().unwrap().to_owned();
            items.as_array().unwrap().iter().map(number).collect::<Vec<_>>()
        };
        assert_eq!(read("").await, ["0", "2", "3"]);
        assert_eq!(read(" ORDER BY sk DESC").await, ["3", "2", "0"]);
        let overlapping = json!({"Statement": format!("{select} OR pk = 'a'")});
        let (code, _) = harness.error("ExecuteStatement", overlapping).await;
        assert_eq!(code, "ValidationException");
    });
}

/// Whether a call succeeds, or the code and the text of its error.
async fn outcome(
    harness: &Harness,
    operation: &str,
    request: &Value,
) -> Result<(), (String, String)> {
    let answer = harness.send(operation, request.to_string().as_bytes()).await;
    answer.map(|_| ()).map_err(harness::code_and_text)
}

/// A write of an item that is not there fails in a statement, and is none in an expression.
#[test]
fn an_update_does_what_update_item_with_the_same_condition_does() {
    const CASES: u32 = 150;
    let written = Cell::new(0);
    run(CASES, &async |harness, condition, number| {
        let key = json!({"pk": {"S": "a"}, "sk": {"N": (number % 4).to_string()}});
        let text = format!(
            "UPDATE \"table\" SET n = {number}, x = [1, 'a'] REMOVE s WHERE pk = 'a' AND sk = {} \
             AND ({})",
            number % 4,
            statement(&condition)
        );
        let mut expression = Expression::default();
        let condition = expression.text(&condition);
        expression.values.insert(":n".to_owned(), json!({"N": number.to_string()}));
        expression.values.insert(":x".to_owned(), json!({"L": [{"N": "1"}, {"S": "a"}]}));
        let get = json!({"TableName": "table", "Key": key});
        let before = harness.call("GetItem", get.clone()).await["Item"].clone();
        let update = json!({
            "TableName": "table",
            "Key": key,
            "UpdateExpression": "SET n = :n, x = :x REMOVE s",
            "ConditionExpression": condition,
            "ExpressionAttributeValues": expression.values,
        });
        let expected = outcome(harness, "UpdateItem", &update).await;
        let updated = harness.call("GetItem", get.clone()).await["Item"].clone();
        harness.call("PutItem", json!({"TableName": "table", "Item": before})).await;
        match outcome(harness, "ExecuteStatement", &json!({"Statement": text})).await {
            Err((_, said)) if said.starts_with("Multiple conditions on same key") => {
                assert!(expected.is_err(), "{text}: {said}");
            }
            done => {
                assert_eq!(done, expected, "{text}");
                written.set(written.get() + u32::from(done.is_ok()));
            }
        }
        assert_eq!(harness.call("GetItem", get).await["Item"], updated, "{text}");
        harness.call("PutItem", json!({"TableName": "table", "Item": before})).await;
    });
    assert!(written.get() >= CASES / 5, "{} of {CASES} written", written.get());
}
