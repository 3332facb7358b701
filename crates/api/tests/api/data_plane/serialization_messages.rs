//! Bodies that are not of the operation's shape.

use crate::harness::Harness;

async fn text(operation: &str, body: &str) -> Option<String> {
    let error = Harness::new().await.send(operation, body.as_bytes()).await.unwrap_err();
    let body = String::from_utf8(error.clone().into_body()).unwrap();
    assert!(body.contains("com.amazon.coral.service#SerializationException"), "{body}");
    error.message().map(str::to_owned)
}

#[tokio::test]
async fn what_is_no_json_object_has_no_text() {
    for body in ["", "{", "[]", "\"text\"", "1", "null", "{\"TableName\": }"] {
        assert_eq!(text("PutItem", body).await, None, "{body}");
    }
}

#[tokio::test]
async fn a_member_of_another_type_is_told_by_what_was_expected() {
    let structure = "Start of structure or map found where not expected";
    let cases = [
        ("PutItem", r#"{"TableName": 1}"#, "NUMBER_VALUE cannot be converted to String"),
        ("PutItem", r#"{"TableName": 1.5}"#, "DECIMAL_VALUE cannot be converted to String"),
        ("PutItem", r#"{"TableName": true}"#, "TRUE_VALUE cannot be converted to String"),
        ("PutItem", r#"{"TableName": false}"#, "FALSE_VALUE cannot be converted to String"),
        ("PutItem", r#"{"TableName": []}"#, "Unrecognized collection type class java.lang.String"),
        ("PutItem", r#"{"TableName": {}}"#, structure),
        ("PutItem", r#"{"Item": "text"}"#, "Unexpected field type"),
        (
            "PutItem",
            r#"{"Item": []}"#,
            "Unrecognized collection type java.util.Map<java.lang.String, \
             com.amazonaws.dynamodb.v20120810.AttributeValue>",
        ),
        ("PutItem", r#"{"Item": {"a": "text"}}"#, "Unexpected value type in payload"),
        (
            "PutItem",
            r#"{"Item": {"a": []}}"#,
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
        ),
        ("PutItem", r#"{"Item": {"a": {"N": 123}}}"#, "NUMBER_VALUE cannot be converted to String"),
        ("PutItem", r#"{"Item": {"a": {"SS": "text"}}}"#, "Unexpected field type"),
        (
            "PutItem",
            r#"{"Item": {"a": {"B": 1}}}"#,
            "only base-64-encoded strings are convertible to bytes",
        ),
        (
            "PutItem",
            r#"{"Item": {"a": {"B": "abc"}}}"#,
            "Base64 encoded length is expected a multiple of 4 bytes but found: 3",
        ),
        ("GetItem", r#"{"ConsistentRead": "text"}"#, "Unexpected token received from parser"),
        ("GetItem", r#"{"ConsistentRead": 1}"#, "NUMBER_VALUE cannot be converted to Boolean"),
        ("Scan", r#"{"Limit": "1"}"#, "STRING_VALUE cannot be converted to Integer"),
        ("Scan", r#"{"Limit": true}"#, "TRUE_VALUE cannot be converted to Integer"),
        ("Scan", r#"{"AttributesToGet": "text"}"#, "Unexpected field type"),
        ("Scan", r#"{"AttributesToGet": {}}"#, structure),
    ];
    for (operation, body, expected) in cases {
        assert_eq!(text(operation, body).await.as_deref(), Some(expected), "{body}");
    }
}

#[tokio::test]
async fn a_shape_is_checked_before_any_constraint_and_unknown_members_are_ignored() {
    let body = r#"{"ReturnValues": "X", "Nonsense": [1, {}], "Item": {"a": {"Z": 1, "S": 2}}}"#;
    let expected = "NUMBER_VALUE cannot be converted to String";
    assert_eq!(text("PutItem", body).await.as_deref(), Some(expected));
}
