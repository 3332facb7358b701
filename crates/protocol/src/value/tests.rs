use bytes::Bytes;
use monotable_item::limits::NESTING_MAX;
use monotable_item::{Item, Number, NumberError, Type, Value, stored};
use proptest::prelude::*;

use super::*;
use crate::{DecodeError, decode_request, encode_json};

fn value(body: &str) -> Result<Value, ValueError> {
    decode_request::<WireValue>(body.as_bytes()).unwrap().0
}

fn item(body: &str) -> Result<Item, InvalidAttribute> {
    decode_request::<WireItem>(body.as_bytes()).unwrap().0
}

fn number(text: &str) -> Number {
    text.parse().unwrap()
}

#[track_caller]
fn refused(body: &str, error: ValueError) {
    assert_eq!(value(body), Err(error));
}

fn bad_number(text: &str, reason: NumberError) -> ValueError {
    ValueError::Number { text: text.to_owned(), reason }
}

fn any_number() -> impl Strategy<Value = Number> {
    (any::<i64>(), -100_i32..100).prop_map(|(digits, places)| number(&format!("{digits}e{places}")))
}

fn any_value() -> impl Strategy<Value = Value> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..20);
    let leaf = prop_oneof![
        any::<String>().prop_map(Value::String),
        any_number().prop_map(Value::Number),
        bytes().prop_map(Value::Binary),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        prop::collection::vec(any::<String>(), 1..5).prop_map(Value::string_set),
        prop::collection::vec(any_number(), 1..5).prop_map(Value::number_set),
        prop::collection::vec(bytes(), 1..5).prop_map(Value::binary_set),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(Value::Map),
        ]
    })
}

proptest! {
    #[test]
    fn a_value_that_is_written_is_read_back(sent in any_value()) {
        let body = encode_json(&sent).unwrap();
        prop_assert_eq!(decode_request(&body), Ok(WireValue(Ok(sent))));
    }

    #[test]
    fn a_stored_item_is_written_as_its_values_are(
        item in prop::collection::btree_map(any::<String>(), any_value(), 0..6),
    ) {
        let metadata = stored::Metadata { version: Some(7), ..stored::Metadata::default() };
        let expected = encode_json(&item);
        for stored in [stored::encode(&item), stored::encode_with_metadata(&item, &metadata)] {
            prop_assert_eq!(&encode_json(&ResponseItem::Stored(stored.into())), &expected);
        }
    }

    #[test]
    fn a_corrupt_stored_item_is_an_error_or_text(mut bytes: Vec<u8>) {
        bytes.insert(0, stored::FORM);
        for form in [stored::FORM, stored::FORM_WITH_METADATA] {
            bytes[0] = form;
            let _ = encode_json(&ResponseItem::Stored(Bytes::from(bytes.clone())));
        }
    }
}

#[test]
fn a_stored_item_is_written_to_the_depth_of_items_and_no_deeper() {
    let written = |levels: usize| {
        let deep = (0..levels).fold(Value::Null, |inner, level| match level % 2 {
            0 => Value::List(vec![inner]),
            _ => Value::Map(Item::from([("a".to_owned(), inner)])),
        });
        let stored = stored::encode(&Item::from([("a".to_owned(), deep)]));
        encode_json(&ResponseItem::Stored(Bytes::from(stored)))
    };
    assert!(written(NESTING_MAX).is_ok());
    assert!(written(NESTING_MAX + 1).is_err());
    assert!(written(1000).is_err());
}

#[test]
fn each_type_is_read() {
    for (body, expected) in [
        (r#"{"S": "a\n"}"#, Value::from("a\n")),
        (r#"{"S": ""}"#, Value::from("")),
        (r#"{"N": "+0042.1200"}"#, Value::Number(number("42.12"))),
        (r#"{"B": "AP8="}"#, Value::Binary(vec![0, 255])),
        (r#"{"BOOL": false}"#, Value::Bool(false)),
        (r#"{"NULL": true}"#, Value::Null),
        (r#"{"L": [{"S": "a"}, {"L": []}]}"#, Value::List(vec!["a".into(), Value::List(vec![])])),
        (r#"{"M": {"a": {"N": "1"}}}"#, Value::Map(Item::from([("a".to_owned(), 1.into())]))),
        (r#"{"SS": ["b", "", "a"]}"#, Value::string_set(vec!["".into(), "a".into(), "b".into()])),
        (r#"{"NS": ["2", "1"]}"#, Value::number_set(vec![1.into(), 2.into()])),
        (r#"{"BS": ["", "AA=="]}"#, Value::binary_set(vec![vec![], vec![0]])),
    ] {
        assert_eq!(value(body), Ok(expected), "{body}");
    }
}

#[test]
fn the_words_true_and_false_are_booleans() {
    assert_eq!(value(r#"{"BOOL": "TRUE"}"#), Ok(Value::Bool(true)));
    assert_eq!(value(r#"{"NULL": "true"}"#), Ok(Value::Null));
}

#[test]
fn a_number_is_refused_with_its_text() {
    refused(r#"{"N": "1+2"}"#, bad_number("1+2", NumberError::NotANumber));
    refused(r#"{"N": ""}"#, bad_number("", NumberError::NotANumber));
    refused(r#"{"N": "1e126"}"#, bad_number("1e126", NumberError::Overflow));
    refused(r#"{"N": "1e-131"}"#, bad_number("1e-131", NumberError::Underflow));
    let digits = "1".repeat(39);
    let body = format!(r#"{{"N": "{digits}"}}"#);
    refused(&body, bad_number(&digits, NumberError::TooManyDigits));
    refused(r#"{"NS": ["1", "x", "1"]}"#, bad_number("x", NumberError::NotANumber));
}

#[test]
fn repeated_members_are_told_as_they_were_sent() {
    let duplicates = |kind, members: &[&str]| ValueError::Duplicates {
        kind,
        members: members.iter().map(|member| (*member).to_owned()).collect(),
    };
    refused(r#"{"SS": ["b", "a", "b"]}"#, duplicates(Type::StringSet, &["b", "a", "b"]));
    refused(r#"{"NS": ["1", "2", "1.0"]}"#, duplicates(Type::NumberSet, &["1", "2", "1.0"]));
    let binaries = ["AA==", "/w==", "AA=="];
    refused(r#"{"BS": ["AA==", "/w==", "AA=="]}"#, duplicates(Type::BinarySet, &binaries));
}

#[test]
fn an_empty_set_is_refused() {
    refused(r#"{"SS": []}"#, ValueError::EmptySet(Type::StringSet));
    refused(r#"{"NS": []}"#, ValueError::EmptySet(Type::NumberSet));
    refused(r#"{"BS": []}"#, ValueError::EmptySet(Type::BinarySet));
}

#[test]
fn a_value_needs_exactly_one_type() {
    refused("{}", ValueError::NoType);
    refused("null", ValueError::NoType);
    refused(r#"{"S": null}"#, ValueError::NoType);
    refused(r#"{"X": {"S": "a"}}"#, ValueError::NoType);
    refused(r#"{"S": "a", "BOOL": true}"#, ValueError::SeveralTypes);
    refused(r#"{"L": [{"S": "a"}, {}]}"#, ValueError::NoType);
    assert_eq!(value(r#"{"S": null, "BOOL": true}"#), Ok(Value::Bool(true)));
}

#[test]
fn a_bad_value_comes_before_several_types() {
    let body = r#"{"S": "a", "N": "x"}"#;
    refused(body, bad_number("x", NumberError::NotANumber));
}

#[test]
fn null_must_be_true() {
    refused(r#"{"NULL": false}"#, ValueError::NullNotTrue);
}

#[test]
fn maps_and_lists_nest_to_the_limit() {
    let maps = |levels: usize| {
        format!("{}{}{}", r#"{"M":{"a":"#.repeat(levels), r#"{"S":"x"}"#, "}}".repeat(levels))
    };
    let lists = |levels: usize| {
        format!("{}{}{}", r#"{"L":["#.repeat(levels), r#"{"S":"x"}"#, "]}".repeat(levels))
    };
    for nested in [&maps as &dyn Fn(usize) -> String, &lists] {
        assert!(value(&nested(NESTING_MAX)).is_ok());
        refused(&nested(NESTING_MAX + 1), ValueError::TooDeep);
        let deepest = nested(200);
        assert_eq!(decode_request::<WireValue>(deepest.as_bytes()), Err(DecodeError::TooDeep));
    }
}

#[test]
fn the_first_bad_attribute_is_named_and_the_rest_still_read() {
    let body = r#"{"a": {"S": "x"}, "b": {"M": {"c": {"NULL": false}}}, "d": {}}"#;
    let error = ValueError::NullNotTrue;
    let invalid = InvalidAttribute { name: "b".to_owned(), error, too_deep: None };
    assert_eq!(item(body), Err(invalid));

    let broken_later = br#"{"a": {"N": "x"}, "b": {"S": 1}}"#;
    let outcome = decode_request::<WireItem>(broken_later);
    assert!(matches!(outcome, Err(DecodeError::Mismatch { .. })));
}

#[test]
fn attributes_that_only_lie_too_deep_are_kept() {
    let nested = |leaf: &str| {
        let levels = NESTING_MAX + 1;
        let value = format!("{}{leaf}{}", r#"{"M":{"k":"#.repeat(levels), "}}".repeat(levels));
        item(&format!(r#"{{"deep": {value}, "a": {{"S": "x"}}}}"#)).unwrap_err()
    };
    let kept = nested(r#"{"S": "leaf"}"#);
    assert_eq!((kept.name.as_str(), &kept.error), ("deep", &ValueError::TooDeep));
    assert_eq!(kept.too_deep.map(|item| item.len()), Some(2));
    let worse = nested(r#"{"NULL": false}"#);
    assert_eq!((worse.error, worse.too_deep), (ValueError::NullNotTrue, None));
}

#[test]
fn the_last_of_several_attributes_with_one_name_stands() {
    let body = r#"{"a": {"S": "x"}, "a": {"S": "y"}}"#;
    assert_eq!(item(body), Ok(Item::from([("a".to_owned(), "y".into())])));
}
