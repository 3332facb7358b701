//! Where a value has another type than its member, the error tells what was expected, what was
//! found and where: all that DynamoDB's answers are made of.

use monotable_protocol::batch_get_item::BatchGetItemRequest;
use monotable_protocol::batch_write_item::BatchWriteItemRequest;
use monotable_protocol::create_table::CreateTableRequest;
use monotable_protocol::list_tables::ListTablesRequest;
use monotable_protocol::put_item::PutItemRequest;
use monotable_protocol::scan::ScanRequest;
use monotable_protocol::{
    Base64Error, Decode, DecodeError, Found, ValueRole, WireType, decode_request,
};

const ATTRIBUTE_VALUE: WireType = WireType::Structure("AttributeValue");

/// Puts each token of JSON in the place of `?`, and expects a mismatch but for the accepted ones.
#[track_caller]
fn check<T: Decode>(body: &str, expected: WireType, role: ValueRole, accepted: &[Found]) {
    let tokens = [
        ("\"23\"", Found::String),
        ("23", Found::Integer),
        ("-2147483648", Found::Integer),
        ("34.56", Found::Decimal),
        ("1e3", Found::Decimal),
        ("true", Found::True),
        ("false", Found::False),
        ("[]", Found::Array),
        ("{}", Found::Object),
    ];
    for (token, found) in tokens {
        let outcome = decode_request::<T>(body.replace('?', token).as_bytes()).err();
        let mismatch = DecodeError::Mismatch { expected, found, role };
        let refusal = (!accepted.contains(&found)).then_some(mismatch);
        assert_eq!(outcome, refusal, "{token} in {body}");
    }
}

#[test]
fn strings() {
    let (string, accepted) = (WireType::String, &[Found::String]);
    check::<PutItemRequest>(r#"{"TableName": ?}"#, string, ValueRole::Member, accepted);
    check::<ScanRequest>(r#"{"AttributesToGet": [?]}"#, string, ValueRole::Element, accepted);
    let names = r##"{"ExpressionAttributeNames": {"#a": ?}}"##;
    check::<ScanRequest>(names, string, ValueRole::Element, accepted);
    check::<PutItemRequest>(r#"{"Item": {"a": {"S": ?}}}"#, string, ValueRole::Member, accepted);
    check::<PutItemRequest>(r#"{"Item": {"a": {"N": ?}}}"#, string, ValueRole::Member, accepted);
    check::<PutItemRequest>(
        r#"{"Item": {"a": {"NS": [?]}}}"#,
        string,
        ValueRole::Element,
        accepted,
    );
}

#[test]
fn numbers() {
    let accepted = &[Found::Integer, Found::Decimal];
    check::<ListTablesRequest>(r#"{"Limit": ?}"#, WireType::Integer, ValueRole::Member, accepted);
    let units = r#"{"ProvisionedThroughput": {"ReadCapacityUnits": ?}}"#;
    check::<CreateTableRequest>(units, WireType::Long, ValueRole::Member, accepted);
}

#[test]
fn booleans() {
    let accepted = &[Found::True, Found::False];
    check::<ScanRequest>(
        r#"{"ConsistentRead": ?}"#,
        WireType::Boolean,
        ValueRole::Member,
        accepted,
    );
    let value = r#"{"Item": {"a": {"BOOL": ?}}}"#;
    check::<PutItemRequest>(value, WireType::Boolean, ValueRole::Member, accepted);
    let null = r#"{"Item": {"a": {"NULL": ?}}}"#;
    check::<PutItemRequest>(null, WireType::Boolean, ValueRole::Member, accepted);
}

/// A string that is not base64 is another kind of error, so strings stand aside here.
#[test]
fn blobs() {
    let tokens = [
        ("23", Found::Integer),
        ("34.56", Found::Decimal),
        ("true", Found::True),
        ("[]", Found::Array),
        ("{}", Found::Object),
    ];
    for (body, role) in [
        (r#"{"Item": {"a": {"B": ?}}}"#, ValueRole::Member),
        (r#"{"Item": {"a": {"BS": [?]}}}"#, ValueRole::Element),
    ] {
        for (token, found) in tokens {
            let outcome = decode_request::<PutItemRequest>(body.replace('?', token).as_bytes());
            let expected = WireType::Blob;
            assert_eq!(outcome, Err(DecodeError::Mismatch { expected, found, role }));
        }
        let outcome = decode_request::<PutItemRequest>(body.replace('?', "\"23456\"").as_bytes());
        assert_eq!(outcome, Err(DecodeError::Base64(Base64Error::Length(5))));
    }
}

#[test]
fn lists() {
    let accepted = &[Found::Array];
    let strings = WireType::List(&WireType::String);
    check::<ScanRequest>(r#"{"AttributesToGet": ?}"#, strings, ValueRole::Member, accepted);
    let values = WireType::List(&ATTRIBUTE_VALUE);
    check::<PutItemRequest>(r#"{"Item": {"a": {"L": ?}}}"#, values, ValueRole::Member, accepted);
    let blobs = WireType::List(&WireType::Blob);
    check::<PutItemRequest>(r#"{"Item": {"a": {"BS": ?}}}"#, blobs, ValueRole::Member, accepted);
    let writes = WireType::List(&WireType::Structure("WriteRequest"));
    check::<BatchWriteItemRequest>(
        r#"{"RequestItems": {"t": ?}}"#,
        writes,
        ValueRole::Element,
        accepted,
    );
}

#[test]
fn maps() {
    let accepted = &[Found::Object];
    let values = WireType::Map(&ATTRIBUTE_VALUE);
    check::<PutItemRequest>(r#"{"Item": ?}"#, values, ValueRole::Member, accepted);
    check::<PutItemRequest>(r#"{"Item": {"a": {"M": ?}}}"#, values, ValueRole::Member, accepted);
    let keys = r#"{"RequestItems": {"t": {"Keys": [?]}}}"#;
    check::<BatchGetItemRequest>(keys, values, ValueRole::Element, accepted);
    let names = WireType::Map(&WireType::String);
    check::<ScanRequest>(r#"{"ExpressionAttributeNames": ?}"#, names, ValueRole::Member, accepted);
    const WRITES: WireType = WireType::List(&WireType::Structure("WriteRequest"));
    let tables = WireType::Map(&WRITES);
    check::<BatchWriteItemRequest>(r#"{"RequestItems": ?}"#, tables, ValueRole::Member, accepted);
}

#[test]
fn structures() {
    let accepted = &[Found::Object];
    let throughput = WireType::Structure("ProvisionedThroughput");
    let body = r#"{"ProvisionedThroughput": ?}"#;
    check::<CreateTableRequest>(body, throughput, ValueRole::Member, accepted);
    let element = WireType::Structure("KeySchemaElement");
    check::<CreateTableRequest>(r#"{"KeySchema": [?]}"#, element, ValueRole::Element, accepted);
    check::<PutItemRequest>(r#"{"Item": {"a": ?}}"#, ATTRIBUTE_VALUE, ValueRole::Element, accepted);
    let list = r#"{"Item": {"a": {"L": [?]}}}"#;
    check::<PutItemRequest>(list, ATTRIBUTE_VALUE, ValueRole::Element, accepted);
    let expected = r#"{"Expected": {"a": {"Value": ?}}}"#;
    check::<PutItemRequest>(expected, ATTRIBUTE_VALUE, ValueRole::Member, accepted);
    check::<ScanRequest>("?", WireType::Structure("ScanRequest"), ValueRole::Root, accepted);
}

#[test]
fn null_is_an_absent_member_but_no_element() {
    let request: ScanRequest = decode_request(br#"{"TableName": null, "Limit": null}"#).unwrap();
    assert_eq!(request, ScanRequest::default());
    let outcome = decode_request::<ScanRequest>(br#"{"AttributesToGet": [null]}"#);
    let (expected, found, role) = (WireType::String, Found::Null, ValueRole::Element);
    assert_eq!(outcome, Err(DecodeError::Mismatch { expected, found, role }));
}

#[test]
fn the_first_mismatch_of_the_body_is_told() {
    let outcome = decode_request::<ScanRequest>(br#"{"Limit": "5", "TableName": 5}"#);
    let (expected, found, role) = (WireType::Integer, Found::String, ValueRole::Member);
    assert_eq!(outcome, Err(DecodeError::Mismatch { expected, found, role }));
}

#[test]
fn broken_json_is_told_rather_than_a_mismatch() {
    for body in ["{\"TableName\": tru}", "{\"Limit\": \"5}", "{\"TableName\": 5.}"] {
        let outcome = decode_request::<ScanRequest>(body.as_bytes());
        assert!(matches!(outcome, Err(DecodeError::Malformed { .. })), "{body}");
    }
}

#[test]
fn unknown_members_are_skipped() {
    let body = br#"{"Unknown": {"a": [1, {"b": null}]}, "TableName": "t"}"#;
    let request: ScanRequest = decode_request(body).unwrap();
    assert_eq!(request.table_name.as_deref(), Some("t"));
}

#[test]
fn numbers_lose_their_fraction_and_stay_in_range() {
    for (text, limit) in
        [("5.9", 5), ("-5.9", -5), ("1e3", 1000), ("99999999999", i32::MAX), ("-1e99", i32::MIN)]
    {
        let body = format!(r#"{{"Limit": {text}}}"#);
        let request: ListTablesRequest = decode_request(body.as_bytes()).unwrap();
        assert_eq!(request.limit, Some(limit));
    }
}
