//! Reading items that are to be stored, and keys, straight into the stored form.
//!
//! An item is mostly right and mostly written in the plainest way, so one pass over its JSON writes
//! its bytes and holds no value. Whatever is unusual (a value that is refused, JSON that is
//! malformed or of another shape, a name that occurs twice) ends that pass, and [`WireItem`] reads
//! the item again from its start. So there is one place that decides what is wrong with an item,
//! and in which order.

use std::borrow::Cow;

use bytes::Bytes;
use monotable_item::limits::NESTING_MAX;
use monotable_item::stored::{self, ItemBuilder};
use monotable_item::{NumberError, Type, Value};

use super::base64;
use super::decode::WireItem;
use super::error::{InvalidAttribute, ValueError};
use super::set;
use crate::decode::Decode;
use crate::error::{DecodeError, WireType};
use crate::json::{Reader, Token};

/// The most room that an item gets at first, which is enough for most. It gets less where the body
/// ends sooner.
const CAPACITY_BYTES_MAX: usize = 2048;

/// An item or a key of a request in its stored form, or the first of its attributes that is
/// refused.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredItem(pub Result<Bytes, InvalidAttribute>);

impl Decode for StoredItem {
    const TYPE: WireType = WireItem::TYPE;

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut ahead = reader.clone();
        if let Ok(stored) = read_item(&mut ahead) {
            *reader = ahead;
            return Ok(StoredItem(Ok(stored.into())));
        }
        let WireItem(item) = WireItem::decode(reader)?;
        Ok(StoredItem(item.map(|item| stored::encode(&item).into())))
    }
}

/// Something that this pass leaves to [`WireItem`].
struct Unusual;

impl From<DecodeError> for Unusual {
    fn from(_: DecodeError) -> Unusual {
        Unusual
    }
}

impl From<ValueError> for Unusual {
    fn from(_: ValueError) -> Unusual {
        Unusual
    }
}

impl From<NumberError> for Unusual {
    fn from(_: NumberError) -> Unusual {
        Unusual
    }
}

fn read_item(reader: &mut Reader<'_>) -> Result<Vec<u8>, Unusual> {
    let mut builder = ItemBuilder::with_capacity(reader.rest_bytes().min(CAPACITY_BYTES_MAX));
    let mut attributes = builder.attributes();
    reader.members(|reader, name| {
        builder.name(&mut attributes, &name);
        read_value(reader, 0, &mut builder)
    })?;
    builder.finish(&attributes).ok_or(Unusual)
}

/// Reads a value that has `depth` maps and lists around it.
fn read_value(
    reader: &mut Reader<'_>,
    depth: usize,
    builder: &mut ItemBuilder,
) -> Result<(), Unusual> {
    if let Some(letter) = reader.open_letter() {
        read_content(reader, kind_of_letter(letter)?, depth, builder)?;
        return Ok(reader.close()?);
    }
    let mut types = 0;
    reader.members(|reader, code| {
        types += 1;
        read_content(reader, Type::from_code(&code).ok_or(Unusual)?, depth, builder)
    })?;
    if types == 1 { Ok(()) } else { Err(Unusual) }
}

/// The type whose code is this letter. Those of most values are.
fn kind_of_letter(letter: u8) -> Result<Type, Unusual> {
    match letter {
        b'S' => Ok(Type::String),
        b'N' => Ok(Type::Number),
        b'B' => Ok(Type::Binary),
        b'M' => Ok(Type::Map),
        b'L' => Ok(Type::List),
        _ => Err(Unusual),
    }
}

/// Reads the content of a value of a type.
#[inline]
fn read_content(
    reader: &mut Reader<'_>,
    kind: Type,
    depth: usize,
    builder: &mut ItemBuilder,
) -> Result<(), Unusual> {
    match kind {
        Type::String => builder.string(&reader.string()?),
        Type::Number => builder.number(&reader.string()?)?,
        Type::Binary => builder.binary(&base64::decode(&reader.string()?)?),
        Type::Bool => builder.bool(read_bool(reader)?),
        Type::Null if read_bool(reader)? => builder.null(),
        Type::Null => return Err(Unusual),
        Type::Map => read_map(reader, depth + 1, builder)?,
        Type::List => read_list(reader, depth + 1, builder)?,
        Type::StringSet => builder.value(&set::strings(Vec::decode(reader)?)?),
        Type::NumberSet => builder.value(&set::numbers(Vec::decode(reader)?)?),
        Type::BinarySet => builder.value(&read_binaries(reader)?),
    }
    Ok(())
}

fn read_bool(reader: &mut Reader<'_>) -> Result<bool, Unusual> {
    match reader.peek()? {
        Token::True => Ok(reader.literal("true").map(|()| true)?),
        Token::False => Ok(reader.literal("false").map(|()| false)?),
        _ => Err(Unusual),
    }
}

fn read_binaries(reader: &mut Reader<'_>) -> Result<Value, Unusual> {
    let mut members = Vec::new();
    reader.elements(|reader| {
        members.push(base64::decode(&reader.string()?)?);
        Ok::<(), Unusual>(())
    })?;
    Ok(set::binaries(members)?)
}

fn read_map(
    reader: &mut Reader<'_>,
    depth: usize,
    builder: &mut ItemBuilder,
) -> Result<(), Unusual> {
    check_depth(depth)?;
    let mut map = builder.begin_map();
    reader.members(|reader, name: Cow<'_, str>| {
        builder.name(&mut map, &name);
        read_value(reader, depth, builder)
    })?;
    if builder.end_map(&map) { Ok(()) } else { Err(Unusual) }
}

fn read_list(
    reader: &mut Reader<'_>,
    depth: usize,
    builder: &mut ItemBuilder,
) -> Result<(), Unusual> {
    check_depth(depth)?;
    let mut list = builder.begin_list();
    reader.elements(|reader| {
        builder.element(&mut list);
        read_value(reader, depth, builder)
    })?;
    builder.end_list(&list);
    Ok(())
}

fn check_depth(depth: usize) -> Result<(), Unusual> {
    if depth > NESTING_MAX { Err(Unusual) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use monotable_item::item_size_bytes;
    use monotable_item::stored::ItemView;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::*;
    use crate::decode_request;

    /// The same as values: its stored form is theirs, and what is wrong with it is what is wrong
    /// with them.
    fn by_values(body: &[u8]) -> Result<StoredItem, DecodeError> {
        let WireItem(item) = decode_request(body)?;
        Ok(StoredItem(item.map(|item| stored::encode(&item).into())))
    }

    /// Values that are right, refused or of another shape, written in the ways of several clients.
    fn any_value_json() -> impl Strategy<Value = String> {
        let plain = [
            r#"{"S":"text"}"#,
            r#"{"S": "a \"b\" \u00e9\n"}"#,
            r#"{"S":""}"#,
            r#"{ "N" : "7" }"#,
            r#"{"N":"-0012.50"}"#,
            r#"{"N":"1E3"}"#,
            r#"{"B":"AP8="}"#,
            r#"{"BOOL":true}"#,
            r#"{"BOOL":"False"}"#,
            r#"{"NULL":true}"#,
            r#"{"SS":["b","a"]}"#,
            r#"{"NS":["2","1.0"]}"#,
            r#"{"BS":["/w==","AA=="]}"#,
            r#"{"M":{}}"#,
            r#"{"L":[]}"#,
            r#"{"\u0053":"x"}"#,
        ];
        let unusual = [
            r#"{"N":"x"}"#,
            r#"{"N":"1e200"}"#,
            r#"{"N":""}"#,
            r#"{"B":"A"}"#,
            r#"{"NULL":false}"#,
            r#"{"SS":[]}"#,
            r#"{"SS":["a","a"]}"#,
            r#"{"NS":["1","1.0"]}"#,
            r#"{"BS":["AA==","AA=="]}"#,
            r#"{"NS":[1]}"#,
            r#"{}"#,
            "null",
            "7",
            r#"{"S":null}"#,
            r#"{"S":null,"N":"1"}"#,
            r#"{"S":"a","N":"1"}"#,
            r#"{"S":"a","S":"b"}"#,
            r#"{"X":{"S":"a"}}"#,
            r#"{"S":1}"#,
            r#"{"BOOL":"maybe"}"#,
            r#"{"M":[]}"#,
            r#"{"L":{}}"#,
        ];
        let leaf = prop_oneof![
            8 => select(plain.to_vec()).prop_map(str::to_owned),
            1 => select(unusual.to_vec()).prop_map(str::to_owned),
            4 => "[-+]?[0-9]{0,42}([.][0-9]{0,4})?".prop_map(|text| format!(r#"{{"N":"{text}"}}"#)),
            1 => (30_usize..34).prop_map(nested),
        ];
        leaf.prop_recursive(4, 60, 6, |inner| {
            let list = prop::collection::vec(inner.clone(), 0..6);
            prop_oneof![
                list.prop_map(|values| format!(r#"{{"L":[{}]}}"#, values.join(","))),
                object(inner).prop_map(|map| format!(r#"{{"M":{map}}}"#)),
            ]
        })
    }

    fn nested(levels: usize) -> String {
        format!("{}{}{}", r#"{"L":["#.repeat(levels), r#"{"NULL":true}"#, "]}".repeat(levels))
    }

    /// Names are few, so that some are there twice.
    fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
        let member = ("[a-h]{0,2}", value).prop_map(|(name, value)| format!(r#""{name}":{value}"#));
        prop::collection::vec(member, 0..6)
            .prop_map(|members| format!("{{{}}}", members.join(", ")))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn an_item_read_in_one_pass_is_what_its_values_are(body in object(any_value_json())) {
            let found = decode_request::<StoredItem>(body.as_bytes());
            prop_assert_eq!(&found, &by_values(body.as_bytes()));
            let values = decode_request::<WireItem>(body.as_bytes());
            if let (Ok(StoredItem(Ok(stored))), Ok(WireItem(Ok(item)))) = (found, values) {
                let size_bytes = ItemView::new(&stored).unwrap().size_bytes();
                prop_assert_eq!(size_bytes, item_size_bytes(&item));
            }
        }

        #[test]
        fn a_damaged_item_is_refused_as_its_values_are(
            body in object(any_value_json()),
            place: Index,
            damage in select(vec!["", "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "0", "null",
                "\u{1}"]),
        ) {
            let place = place.index(body.len());
            let damaged = [&body[..place], damage, body.get(place + 1..).unwrap_or_default()]
                .concat();
            let found = decode_request::<StoredItem>(damaged.as_bytes());
            prop_assert_eq!(found, by_values(damaged.as_bytes()));
        }
    }

    /// Reading twice is right, but it is not what most items should cost.
    #[test]
    fn plain_items_take_one_pass() {
        for body in [
            "{}",
            r#"{"b": {"S": "x"}, "a": {"N": "1"}}"#,
            r#"{"a":{"M":{"z":{"L":[{"NULL":true},{"BOOL":false}]},"y":{"SS":["b","a"]}}}}"#,
            r#"{"a":{"N":"+1e-3"},"b":{"B":"AP8="},"c":{"NS":["1"]},"d":{"BS":["AA=="]}}"#,
        ] {
            let mut reader = Reader::new(body.as_bytes()).unwrap();
            assert!(read_item(&mut reader).is_ok(), "{body}");
        }
    }
}
