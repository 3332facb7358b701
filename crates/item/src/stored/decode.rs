//! From the stored form to values.

use super::{Attributes, CorruptItem, Depth, ItemView, Members, ValueView};
use crate::{Item, Map, Number, Value};

/// How many members there is room for at first.
const USUAL_MEMBERS: usize = 12;

/// The whole item.
pub fn decode(stored: &[u8]) -> Result<Item, CorruptItem> {
    map(ItemView::new(stored)?.attributes(), Depth::default())
}

/// The attributes that `wanted` accepts, which is asked in byte order of the names; the others are
/// skipped, not decoded.
pub fn decode_attributes(
    stored: &[u8],
    mut wanted: impl FnMut(&[u8]) -> bool,
) -> Result<Item, CorruptItem> {
    let mut item = Item::new();
    let mut attributes = ItemView::new(stored)?.attributes();
    while let Some(name) = attributes.next_name()? {
        if wanted(name) {
            item.insert(text(name)?, value(attributes.value()?, Depth::default())?);
        } else {
            attributes.skip_value()?;
        }
    }
    Ok(item)
}

/// A value that lies so deep.
pub(super) fn value(view: ValueView<'_>, depth: Depth) -> Result<Value, CorruptItem> {
    Ok(match view {
        ValueView::String(bytes) => Value::String(text(bytes)?),
        ValueView::Number(bytes) => Value::Number(number(bytes)?),
        ValueView::Binary(bytes) => Value::Binary(bytes.to_vec()),
        ValueView::Bool(truth) => Value::Bool(truth),
        ValueView::Null => Value::Null,
        ValueView::List(values) => {
            let depth = depth.inside()?;
            Value::List(values.map(|found| value(found?, depth)).collect::<Result<_, _>>()?)
        }
        ValueView::Map(attributes) => Value::Map(map(attributes, depth.inside()?)?),
        ValueView::StringSet(members) => Value::StringSet(set(members, text)?),
        ValueView::NumberSet(members) => Value::NumberSet(set(members, number)?),
        ValueView::BinarySet(members) => {
            Value::BinarySet(set(members, |bytes| Ok(bytes.to_vec()))?)
        }
    })
}

fn map(attributes: Attributes<'_>, depth: Depth) -> Result<Map, CorruptItem> {
    // A map is built from a list. With this room, most lists are allocated once, and in a size that
    // allocators have at hand.
    let mut members = Vec::with_capacity(USUAL_MEMBERS);
    for attribute in attributes {
        let (name, found) = attribute?;
        members.push((text(name)?, value(found, depth)?));
    }
    Ok(members.into_iter().collect())
}

fn set<T>(
    members: Members<'_>,
    decode: impl Fn(&[u8]) -> Result<T, CorruptItem>,
) -> Result<Vec<T>, CorruptItem> {
    members.map(|member| decode(member?)).collect()
}

fn text(bytes: &[u8]) -> Result<String, CorruptItem> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| CorruptItem("text is not UTF-8"))
}

pub(super) fn number(bytes: &[u8]) -> Result<Number, CorruptItem> {
    std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or(CorruptItem::BAD_NUMBER)
}
