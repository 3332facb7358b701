//! The smallest and the greatest items that may be stored, with and without metadata.

use monotable_item::limits::{ITEM_BYTES_MAX, NESTING_MAX};
use monotable_item::stored::{
    Edit, Edits, ItemView, Metadata, Origin, decode, decode_attributes, encode,
    encode_with_metadata, locate, same_attributes, select, with_metadata, without_metadata,
};
use monotable_item::{Item, Path, Value, item_nesting, item_size_bytes};

const GREATEST: Metadata = Metadata {
    written_millis: Some(u64::MAX),
    origin: Some(Origin(u64::MAX)),
    version: Some(u64::MAX),
};

/// Checks that an item is stored and read back in every way.
#[track_caller]
fn check(item: &Item) {
    let (plain, full) = (encode(item), encode_with_metadata(item, &GREATEST));
    assert_eq!(full.len(), plain.len() + 1 + 3 * 10);
    assert_eq!(with_metadata(&plain, &GREATEST).as_ref(), Ok(&full));
    assert_eq!(without_metadata(&full).as_deref(), Ok(plain.as_slice()));
    assert!(same_attributes(&plain, &full));
    for stored in [&plain, &full] {
        let view = ItemView::new(stored).expect("it was written by us");
        assert_eq!(view.size_bytes(), item_size_bytes(item));
        assert_eq!(decode(stored).as_ref(), Ok(item));
        assert_eq!(decode_attributes(stored, |_| true).as_ref(), Ok(item));
        assert_eq!(select(view, |_| true).as_ref(), Ok(&plain));
        assert_eq!(Edits::new(view, Vec::new()).write(view.size_bytes()).as_ref(), Ok(&plain));
        let paths: Vec<Path> = item.keys().map(Path::attribute).collect();
        let paths: Vec<&Path> = paths.iter().collect();
        let places = locate(view.attributes(), &paths).expect("it was written by us");
        let removal = |(path, place)| Edit { path, place, value: None };
        let removals = Edits::new(view, paths.into_iter().zip(places).map(removal).collect());
        assert_eq!(removals.size_bytes(ITEM_BYTES_MAX), Ok(0));
        assert_eq!(removals.write(0), Ok(encode(&Item::new())));
    }
    assert_eq!(ItemView::new(&full).and_then(|view| view.metadata()), Ok(GREATEST));
}

fn of(value: Value) -> Item {
    Item::from([("a".to_owned(), value)])
}

#[test]
fn an_item_may_be_empty() {
    check(&Item::new());
    check(&of(Value::List(Vec::new())));
    check(&of(Value::Map(Item::new())));
}

#[test]
fn one_value_may_fill_the_item() {
    let room = ITEM_BYTES_MAX - 1;
    for value in [Value::String("x".repeat(room)), Value::Binary(vec![0; room])] {
        let item = of(value);
        assert_eq!(item_size_bytes(&item), ITEM_BYTES_MAX);
        check(&item);
    }
}

#[test]
fn a_name_may_fill_an_attribute() {
    check(&Item::from([("n".repeat(65_535), Value::Null), ("n".repeat(65_534), Value::Null)]));
}

#[test]
fn very_many_attributes_and_elements_fill_the_item() {
    let attributes: Item =
        (0..ITEM_BYTES_MAX / 6).map(|number| (format!("{number:05}"), Value::Null)).collect();
    assert!(item_size_bytes(&attributes) <= ITEM_BYTES_MAX);
    check(&attributes);
    let room = ITEM_BYTES_MAX - 1 - 3;
    check(&of(Value::List(vec![Value::Null; room / 2])));
    check(&of(Value::number_set((0..60_000).map(Into::into).collect())));
}

#[test]
fn values_lie_as_deep_as_they_may() {
    let list = (0..NESTING_MAX).fold(Value::from("x"), |inner, _| Value::List(vec![inner]));
    let map =
        (0..NESTING_MAX).fold(Value::Binary(vec![0; 300_000]), |inner, _| Value::Map(of(inner)));
    for value in [list, map] {
        let item = of(value);
        assert_eq!(item_nesting(&item), NESTING_MAX);
        check(&item);
    }
}
