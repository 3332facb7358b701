use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::Value as Tree;

use super::*;
use crate::DecodeError;

/// Reads a body into a tree, as no caller outside tests does.
fn read(body: &[u8]) -> Result<Tree, DecodeError> {
    let mut reader = Reader::new(body)?;
    let tree = read_value(&mut reader)?;
    reader.finish()?;
    Ok(tree)
}

fn read_value(reader: &mut Reader<'_>) -> Result<Tree, DecodeError> {
    Ok(match reader.peek()? {
        Token::Object => {
            let mut members = serde_json::Map::new();
            reader.object(|reader, name| {
                members.insert(name.into_owned(), read_value(reader)?);
                Ok(())
            })?;
            Tree::Object(members)
        }
        Token::Array => {
            let mut elements = Vec::new();
            reader.array(|reader| {
                elements.push(read_value(reader)?);
                Ok(())
            })?;
            Tree::Array(elements)
        }
        Token::String => Tree::String(reader.string()?.into_owned()),
        Token::Number => reader.number()?.parse().map_or(Tree::Null, Tree::Number),
        Token::True => reader.literal("true").map(|()| Tree::Bool(true))?,
        Token::False => reader.literal("false").map(|()| Tree::Bool(false))?,
        Token::Null => reader.literal("null").map(|()| Tree::Null)?,
    })
}

fn skip(body: &[u8]) -> Result<(), DecodeError> {
    let mut reader = Reader::new(body)?;
    reader.skip_value()?;
    reader.finish()
}

/// The library that decides what JSON is, but for floats it cannot hold, which are JSON
/// nevertheless.
fn read_elsewhere(body: &[u8]) -> Option<Result<Tree, ()>> {
    match serde_json::from_slice(body) {
        Ok(tree) => Some(Ok(tree)),
        Err(error) if error.to_string().contains("number out of range") => None,
        Err(_) => Some(Err(())),
    }
}

fn check_agreement(body: &[u8]) -> Result<(), TestCaseError> {
    let Some(expected) = read_elsewhere(body) else { return Ok(()) };
    let found = read(body);
    prop_assert_eq!(skip(body), found.clone().map(drop));
    prop_assert_eq!(found.map_err(drop), expected);
    Ok(())
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        any::<i64>().prop_map(Tree::from),
        any::<String>().prop_map(Tree::String),
    ];
    leaf.prop_recursive(5, 50, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Tree::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Tree::Object(members.into_iter().collect())),
        ]
    })
}

/// Bodies that are nearly JSON, or are.
fn json_like() -> impl Strategy<Value = String> {
    let pieces = [
        "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"a\":", "\\", "\\n", "\\u", "\\ud83d",
        "\\ude00", "0041", "true", "false", "null", "0", "-", "1", "12", ".", "e", "E", "+", " ",
        "\n", "\t", "\u{1}", "\u{e9}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12)
        .prop_map(|pieces| pieces.concat())
}

fn write(tree: &Tree, writer: &mut Writer) {
    match tree {
        Tree::Null => writer.null(),
        Tree::Bool(truth) => writer.boolean(*truth),
        Tree::Number(number) => writer.integer(number.as_i64().unwrap()),
        Tree::String(text) => writer.string(text),
        Tree::Array(elements) => {
            writer.begin_array();
            elements.iter().for_each(|element| write(element, writer));
            writer.end_array();
        }
        Tree::Object(members) => {
            writer.begin_object();
            for (name, value) in members {
                writer.key(name);
                write(value, writer);
            }
            writer.end_object();
        }
    }
}

fn written(call: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer::default();
    call(&mut writer);
    String::from_utf8(writer.into_bytes()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_reader_accepts_of_any_bytes_exactly_what_serde_json_does(body: Vec<u8>) {
        check_agreement(&body)?;
    }

    #[test]
    fn the_reader_accepts_of_near_json_exactly_what_serde_json_does(body in json_like()) {
        check_agreement(body.as_bytes())?;
    }
}

proptest! {
    #[test]
    fn the_reader_reads_what_serde_json_writes(tree in any_tree()) {
        prop_assert_eq!(read(tree.to_string().as_bytes()), Ok(tree.clone()));
        prop_assert_eq!(read(format!("{tree:#}").as_bytes()), Ok(tree));
    }

    #[test]
    fn serde_json_reads_what_the_writer_writes(tree in any_tree()) {
        let text = written(|writer| write(&tree, writer));
        prop_assert_eq!(serde_json::from_str::<Tree>(&text).unwrap(), tree);
    }

    #[test]
    fn a_truncated_body_is_malformed(tree in any_tree(), cut in any::<prop::sample::Index>()) {
        let text = serde_json::to_vec(&[tree]).unwrap();
        let body = &text[..cut.index(text.len())];
        let is_malformed = matches!(read(body), Err(DecodeError::Malformed { .. }));
        prop_assert!(is_malformed);
    }
}

#[test]
fn a_string_without_escapes_is_borrowed() {
    let borrowed = Reader::new(b" \"caf\xc3\xa9\"").unwrap().string().unwrap();
    assert!(matches!(borrowed, Cow::Borrowed("caf\u{e9}")));
    let owned = Reader::new(b"\"a\\u00e9\\n\\ud83d\\ude00z\"").unwrap().string().unwrap();
    assert!(matches!(owned, Cow::Owned(text) if text == "a\u{e9}\n\u{1f600}z"));
}

#[test]
fn half_a_surrogate_pair_is_malformed() {
    for body in [r#""\ud83d""#, r#""\ude00""#, r#""\ud83dx""#, r#""\ud83d\n""#, r#""\ud83d\u0041""#]
    {
        assert!(matches!(read(body.as_bytes()), Err(DecodeError::Malformed { .. })), "{body}");
    }
}

#[test]
fn the_offset_of_a_mistake_is_told() {
    for (body, offset) in [
        ("", 0),
        ("  ", 2),
        ("{\"a\" 1}", 5),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("tru", 0),
        ("\"a\u{1}\"", 2),
        ("\"\\x\"", 2),
        ("{} {}", 3),
        ("01", 1),
        ("1.", 2),
        ("-", 1),
    ] {
        assert_eq!(read(body.as_bytes()), Err(DecodeError::Malformed { offset }), "{body}");
    }
    assert_eq!(read(b"\"ab\xff\""), Err(DecodeError::Malformed { offset: 3 }));
}

#[test]
fn nesting_ends_at_the_limit() {
    for (open, close) in [("[", "]"), ("{\"a\":[", "]}")] {
        let levels = DEPTH_MAX / open.matches(['[', '{']).count();
        let nested = |levels: usize| open.repeat(levels) + &close.repeat(levels);
        assert!(skip(nested(levels).as_bytes()).is_ok());
        assert_eq!(skip(nested(levels + 1).as_bytes()), Err(DecodeError::TooDeep));
    }
    assert_eq!(skip("[".repeat(1_000_000).as_bytes()), Err(DecodeError::TooDeep));
}

#[test]
fn numbers_of_any_length_are_read_as_text() {
    let digits = "9".repeat(100_000);
    assert_eq!(Reader::new(digits.as_bytes()).unwrap().number(), Ok(digits.as_str()));
    assert_eq!(Reader::new(b"-0.5e+999").unwrap().number(), Ok("-0.5e+999"));
}

#[test]
fn floats_have_a_fraction() {
    for (float, text) in
        [(0.5, "0.5"), (1.0, "1.0"), (2.0, "2.0"), (40000.0, "40000.0"), (0.0, "0.0")]
    {
        assert_eq!(written(|writer| writer.float(float)), text);
    }
}

#[test]
fn thousandths_have_three_places() {
    for (thousandths, text) in
        [(1_731_628_800_123, "1731628800.123"), (5, "0.005"), (-1500, "-1.500"), (0, "0.000")]
    {
        assert_eq!(written(|writer| writer.thousandths(thousandths)), text);
    }
}

#[test]
fn strings_are_escaped_where_they_must_be() {
    assert_eq!(
        written(|writer| writer.string("\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}\u{e9}")),
        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\u{e9}\"",
    );
}

#[test]
fn bytes_are_written_as_padded_base64() {
    for (bytes, text) in
        [(&b""[..], r#""""#), (b"\x00", r#""AA==""#), (b"\xff\xfe\xfd", r#""//79""#)]
    {
        assert_eq!(written(|writer| writer.base64(bytes)), text);
    }
}
