use proptest::prelude::*;

use super::*;
use crate::{Item, Number, Value, item_size_bytes};

fn any_number() -> impl Strategy<Value = Number> {
    (any::<bool>(), 0..10_u128.pow(38), -130_i32..126)
        .prop_filter_map("range", |(sign, digits, exponent)| {
            Number::from_parts(sign, digits, exponent).ok()
        })
}

pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<String>().prop_map(Value::String),
        any_number().prop_map(Value::Number),
        prop::collection::vec(any::<u8>(), 0..200).prop_map(Value::Binary),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        prop::collection::vec(any::<String>(), 1..5).prop_map(Value::string_set),
        prop::collection::vec(any_number(), 1..5).prop_map(Value::number_set),
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 1..5)
            .prop_map(Value::binary_set),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(Value::Map),
        ]
    })
}

pub(super) fn any_item() -> impl Strategy<Value = Item> {
    prop::collection::btree_map("[a-e]{1,3}", any_value(), 0..6)
}

proptest! {
    #[test]
    fn what_is_stored_is_read_back(item in any_item()) {
        prop_assert_eq!(decode(&encode(&item)), Ok(item));
    }

    #[test]
    fn the_size_at_the_front_is_the_item_size(item in any_item()) {
        let stored = encode(&item);
        prop_assert_eq!(ItemView::new(&stored).unwrap().size_bytes(), item_size_bytes(&item));
    }

    #[test]
    fn one_attribute_is_found_among_the_others(item in any_item(), name in "[a-e]{1,3}") {
        let stored = encode(&item);
        let found = ItemView::new(&stored).unwrap().get(&name).unwrap();
        let found = found.map(|view| super::decode::value(view, Depth::default()).unwrap());
        prop_assert_eq!(found.as_ref(), item.get(&name));
        let only = decode_attributes(&stored, |found| found == name.as_bytes()).unwrap();
        prop_assert_eq!(only.get(&name), item.get(&name));
        prop_assert_eq!(only.len(), usize::from(item.contains_key(&name)));
    }

    #[test]
    fn names_are_read_without_their_values(item in any_item()) {
        let stored = encode(&item);
        let names = ItemView::new(&stored).unwrap().attributes().names();
        let names: Vec<&[u8]> = names.collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(names, item.keys().map(String::as_bytes).collect::<Vec<_>>());
    }

    #[test]
    fn a_selection_is_what_encoding_the_chosen_attributes_gives(mut item in any_item()) {
        let stored = encode(&item);
        let selected = select(ItemView::new(&stored).unwrap(), |name| name < b"c".as_slice())
            .unwrap();
        item.retain(|name, _| name.as_str() < "c");
        prop_assert_eq!(selected, encode(&item));
    }

    #[test]
    fn arbitrary_bytes_are_read_or_refused(
        mut bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = decode(&bytes);
        if let Some(first) = bytes.first_mut() {
            *first = FORM;
        }
        let _ = decode(&bytes);
        if let Ok(view) = ItemView::new(&bytes) {
            view.attributes().names().for_each(drop);
        }
    }

    #[test]
    fn truncated_items_are_refused(item in any_item()) {
        let stored = encode(&item);
        for end in 0..stored.len() {
            prop_assert!(decode(&stored[..end]).is_err());
        }
    }
}
