//! What the tests share: tables, texts and short ways to call.

use serde_json::{Value, json};

use crate::harness::Harness;

/// A table with the partition key `pk`, a string.
pub(crate) const PLAIN: &str = "plain";
/// A table with the keys `pk` and `sk`, both strings, a local index `by-lsi` on `lsiSk` that
/// projects all, and a global index `by-gsi` on `gsiPk` that projects `proj`.
pub(crate) const PAIRS: &str = "pairs";
/// A table with the partition key `pk`, a binary, and a global index `by-bin` on `bin`, a binary.
pub(crate) const BYTES: &str = "bytes";
/// A table with the partition key `pk`, a string, and a global index `by-many` with the partition
/// key
/// `h1`, `h2` and the sort key `a`, `b`, `c`, all strings.
pub(crate) const MANY: &str = "many";
/// A table that is not there.
pub(crate) const ABSENT: &str = "absent";

/// What a key that does not fit is answered with.
pub(crate) const KEY_MISMATCH: &str = "The provided key element does not match the schema";
/// What an empty `pk` is answered with.
pub(crate) const EMPTY_PK: &str = "One or more parameter values are not valid. The AttributeValue \
    for a key attribute cannot contain an empty string value. Key: pk";
/// What a value that lies too deep is answered with.
pub(crate) const NESTING: &str = "Nesting Levels have exceeded supported limits: Attributes in the \
    item have nested levels beyond supported limit";
/// What two expressions beside each other are answered with, up to their names.
pub(crate) const MIXING: &str =
    "Can not use both expression and non-expression parameters in the same request: ";

/// A text inside the envelope of the newer layer.
pub(crate) fn one(text: &str) -> String {
    format!("1 validation error detected: {text}")
}

/// A text after the most usual beginning.
pub(crate) fn invalid(text: &str) -> String {
    format!("One or more parameter values were invalid: {text}")
}

/// The older form of a violated constraint.
pub(crate) fn old(value: &str, path: &str, constraint: &str) -> String {
    format!("Value '{value}' at '{path}' failed to satisfy constraint: {constraint}")
}

/// The older form for a missing member.
pub(crate) fn null(path: &str) -> String {
    format!("Value null at '{path}' failed to satisfy constraint: Member must not be null")
}

/// What a wrong `ReturnConsumedCapacity` is answered with.
pub(crate) fn wrong_capacity(value: &str) -> String {
    let constraint = "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
    old(value, "returnConsumedCapacity", constraint)
}

/// A database with all tables.
pub(crate) async fn tables() -> Harness {
    let harness = Harness::new().await;
    for definition in definitions() {
        harness.call("CreateTable", definition).await;
    }
    harness
}

/// The tables that are there.
pub(crate) fn definitions() -> [Value; 4] {
    let key = |name: &str, role: &str| json!({"AttributeName": name, "KeyType": role});
    let attribute = |name: &str, kind: &str| json!({"AttributeName": name, "AttributeType": kind});
    [
        json!({"TableName": PLAIN, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [attribute("pk", "S")], "KeySchema": [key("pk", "HASH")]}),
        json!({"TableName": PAIRS, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [attribute("pk", "S"), attribute("sk", "S"),
                attribute("lsiSk", "S"), attribute("gsiPk", "S")],
            "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
            "LocalSecondaryIndexes": [{"IndexName": "by-lsi",
                "KeySchema": [key("pk", "HASH"), key("lsiSk", "RANGE")],
                "Projection": {"ProjectionType": "ALL"}}],
            "GlobalSecondaryIndexes": [{"IndexName": "by-gsi", "KeySchema": [key("gsiPk", "HASH")],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["proj"]}}]}),
        json!({"TableName": BYTES, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [attribute("pk", "B"), attribute("bin", "B")],
            "KeySchema": [key("pk", "HASH")],
            "GlobalSecondaryIndexes": [{"IndexName": "by-bin", "KeySchema": [key("bin", "HASH")],
                "Projection": {"ProjectionType": "KEYS_ONLY"}}]}),
        json!({"TableName": MANY, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [attribute("pk", "S"), attribute("h1", "S"),
                attribute("h2", "S"), attribute("a", "S"), attribute("b", "S"),
                attribute("c", "S")],
            "KeySchema": [key("pk", "HASH")],
            "GlobalSecondaryIndexes": [{"IndexName": "by-many",
                "KeySchema": [key("h1", "HASH"), key("h2", "HASH"), key("a", "RANGE"),
                    key("b", "RANGE"), key("c", "RANGE")],
                "Projection": {"ProjectionType": "ALL"}}]}),
    ]
}

/// Shorthands of calls.
impl Harness {
    /// The text of a call that must be refused as not valid.
    pub(crate) async fn refusal(&self, operation: &str, request: Value) -> String {
        let (code, text) = self.error(operation, request).await;
        assert_eq!(code, "ValidationException", "{text}");
        text
    }

    /// Checks the text of a call that must be refused as not valid.
    pub(crate) async fn refuses(&self, operation: &str, request: Value, text: &str) {
        let context = request.to_string();
        let context = context.get(..context.len().min(400)).unwrap_or_default();
        assert_eq!(self.refusal(operation, request).await, text, "{operation} {context}");
    }

    /// Checks that a call finds no table.
    pub(crate) async fn finds_no_table(&self, operation: &str, request: Value) {
        let not_found =
            ("ResourceNotFoundException".to_owned(), "Requested resource not found".to_owned());
        assert_eq!(self.error(operation, request).await, not_found, "{operation}");
    }

    /// Puts an item.
    pub(crate) async fn put(&self, table: &str, item: Value) {
        self.call("PutItem", json!({"TableName": table, "Item": item})).await;
    }

    /// The item with a key, or null.
    pub(crate) async fn get(&self, table: &str, key: Value) -> Value {
        let answer = self.call("GetItem", json!({"TableName": table, "Key": key})).await;
        answer.get("Item").cloned().unwrap_or(Value::Null)
    }

    /// The whole body of an error.
    pub(crate) async fn error_body(&self, operation: &str, request: Value) -> Value {
        let error = self.send(operation, request.to_string().as_bytes()).await.unwrap_err();
        serde_json::from_slice(&error.into_body()).unwrap()
    }
}

/// An object with the members of both; those of the second stand.
pub(crate) fn with(base: Value, more: Value) -> Value {
    let (Value::Object(mut base), Value::Object(more)) = (base, more) else {
        panic!("both must be objects")
    };
    base.extend(more);
    Value::Object(base)
}

/// A string in this many maps.
pub(crate) fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({"S": "leaf"}), |inner, _| json!({"M": {"n": inner}}))
}

/// A string value of this many bytes.
pub(crate) fn text(bytes: usize) -> Value {
    json!({"S": "x".repeat(bytes)})
}
