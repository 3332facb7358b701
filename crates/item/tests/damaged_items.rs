//! Bytes that are no stored item, or no longer: every reader refuses them or reads something, and
//! none panics.

use std::borrow::Cow;

use monotable_item::stored::{
    CorruptItem, Edit, Edits, FORM, FORM_WITH_METADATA, ItemView, Metadata, NewValue, Origin,
    ValueView, decode, decode_attributes, encode_with_metadata, locate, same_attributes, select,
    with_metadata, without_metadata,
};
use monotable_item::{Item, Path, Step, Value};
use proptest::prelude::*;

const LIST: u8 = 0x07;
const MAP: u8 = 0x08;

/// Deeper than a thread's stack can be followed, in as many bytes as an item may have.
const LEVELS: usize = 80_000;

fn is_wanted(name: &[u8]) -> bool {
    name < b"b".as_slice()
}

/// Lets every reader and every writer that starts from stored bytes see these.
fn read_by_all(bytes: &[u8]) -> Result<Item, CorruptItem> {
    let _ = with_metadata(bytes, &Metadata { version: Some(1), ..Metadata::default() });
    let _ = without_metadata(bytes);
    let _ = same_attributes(bytes, &[FORM_WITH_METADATA, 0, 0, 0]);
    if let Ok(view) = ItemView::new(bytes) {
        read_view(view);
        let _ = decode_attributes(bytes, is_wanted);
        for value in [None, Some(Value::Null)] {
            let _ = edit(view, &Path::attribute("a"), value.clone());
            let inside = Path { root: "a".to_owned(), steps: vec![Step::Index(1)] };
            let _ = edit(view, &inside, value);
        }
    }
    decode(bytes)
}

/// Changes or removes the value at a path, if it leads anywhere.
fn edit(view: ItemView<'_>, path: &Path, value: Option<Value>) -> Result<Vec<u8>, CorruptItem> {
    let place = locate(view.attributes(), &[path])?.remove(0);
    let value = value.map(|value| NewValue::Value(Cow::Owned(value)));
    let edits = Edits::new(view, vec![Edit { path, place, value }]);
    edits.nesting()?;
    edits.write(edits.size_bytes(usize::MAX)?)
}

fn read_view(view: ItemView<'_>) {
    let _ = (view.metadata(), view.get("a"), view.get(""), view.size_bytes());
    let _ = select(view, |_| true);
    let _ = select(view, is_wanted);
    view.attributes().names().for_each(drop);
    for (_, value) in view.attributes().flatten() {
        let _ = (value.kind(), value.size_bytes());
    }
}

fn some_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "[a-c]{0,200}".prop_map(Value::String),
        any::<i64>().prop_map(Value::from),
        prop::collection::vec(any::<u8>(), 0..9).prop_map(Value::Binary),
        Just(Value::Bool(true)),
        prop::collection::vec("[a-z]{1,4}", 1..4).prop_map(Value::string_set),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..4).prop_map(Value::Map),
        ]
    })
}

fn some_item() -> impl Strategy<Value = (Item, Metadata)> {
    let number = || prop::option::of(any::<u64>());
    let metadata = (number(), number(), number()).prop_map(|(written_millis, origin, version)| {
        Metadata { written_millis, origin: origin.map(Origin), version }
    });
    (prop::collection::btree_map("[a-c]{1,2}", some_value(), 0..5), metadata)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 1..300)) {
        for form in [bytes[0], FORM, FORM_WITH_METADATA] {
            bytes[0] = form;
            let _ = read_by_all(&bytes);
        }
    }

    /// Most bytes of a stored item are small, so that bytes like these get further than others.
    #[test]
    fn any_small_bytes_are_read_or_refused(mut bytes in prop::collection::vec(0..16_u8, 1..60)) {
        for form in [FORM, FORM_WITH_METADATA] {
            bytes[0] = form;
            let _ = read_by_all(&bytes);
        }
    }

    #[test]
    fn an_item_with_changed_bytes_is_read_or_refused(
        (item, metadata) in some_item(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut stored = encode_with_metadata(&item, &metadata);
        for (index, byte) in changes {
            *index.get_mut(&mut stored) = byte;
        }
        let _ = read_by_all(&stored);
    }

    #[test]
    fn a_truncated_item_is_refused(
        (item, metadata) in some_item(), end in any::<prop::sample::Index>(),
    ) {
        let stored = encode_with_metadata(&item, &metadata);
        let end = end.index(stored.len());
        prop_assert!(read_by_all(&stored[..end]).is_err());
    }
}

/// An item with one attribute, whose value is a list in a list and so on; or a map in a map.
fn nested(tag: u8, levels: usize) -> Vec<u8> {
    // From the inside out, so back to front.
    let mut reversed = vec![0x06];
    for _ in 0..levels {
        if tag == MAP {
            reversed.push(0);
        }
        reversed.push(1);
        let length = varint(reversed.len());
        reversed.extend(length.iter().rev());
        reversed.push(tag);
    }
    reversed.extend([b'a', 1, 1, 0, FORM]);
    reversed.reverse();
    reversed
}

fn varint(mut length: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out
}

#[test]
fn what_is_nested_without_end_is_refused() {
    for tag in [LIST, MAP] {
        assert!(read_by_all(&nested(tag, 31)).is_ok());
        for levels in [32, 1_000, LEVELS] {
            let stored = nested(tag, levels);
            assert!(read_by_all(&stored).is_err(), "{levels}");
            let view = ItemView::new(&stored).unwrap();
            assert!(view.get("a").unwrap().unwrap().size_bytes().is_err());
            assert!(select(view, |_| true).is_err());
        }
    }
}

#[test]
fn lengths_and_counts_beyond_the_end_are_refused() {
    let greatest = [0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
    let heads: [&[u8]; 6] = [
        &[FORM],
        &[FORM, 0],
        &[FORM, 0, 1],
        &[FORM, 0, 1, 1, b'a', 0x01],
        &[FORM, 0, 1, 1, b'a', LIST],
        &[FORM_WITH_METADATA],
    ];
    for head in heads {
        assert!(read_by_all(&[head, &greatest].concat()).is_err(), "{head:02x?}");
        assert!(read_by_all(&[head, &[0xFF; 9]].concat()).is_err(), "{head:02x?}");
    }
    // Ten attributes of which none is there, and a list that says so of its values.
    assert!(read_by_all(&[FORM, 0, 10]).is_err());
    assert!(read_by_all(&[FORM, 0, 1, 1, b'a', LIST, 1, 10]).is_err());
}

#[test]
fn a_head_that_names_less_than_there_is_is_refused_when_that_is_replaced() {
    let item = Item::from([("a".to_owned(), Value::from("text"))]);
    let mut stored = encode_with_metadata(&item, &Metadata::default());
    stored[1] = 0;
    let view = ItemView::new(&stored).unwrap();
    assert!(matches!(view.get("a"), Ok(Some(ValueView::String(b"text")))));
    assert!(edit(view, &Path::attribute("a"), None).is_err());
}
