use proptest::prelude::*;

use super::super::tests::any_item;
use super::*;
use crate::stored::{
    Edits, ItemView, decode, decode_attributes, encode, encode_with_metadata, select,
};
use crate::{Item, item_size_bytes};

/// Numbers of all lengths.
fn any_number() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0..64_u32).prop_map(|(number, shift)| number >> shift)
}

fn any_metadata() -> impl Strategy<Value = Metadata> {
    let number = || prop::option::of(any_number());
    (number(), number(), number()).prop_map(|(written_millis, origin, version)| Metadata {
        written_millis,
        origin: origin.map(Origin),
        version,
    })
}

/// An item in its stored form with a block of these fields, whatever they are.
fn with_fields(item: &Item, fields: &[u8]) -> Vec<u8> {
    let mut out = vec![FORM_WITH_METADATA];
    push_bytes(fields, &mut out);
    out.extend_from_slice(body(&encode(item)).unwrap());
    out
}

fn metadata_of(stored: &[u8]) -> Metadata {
    ItemView::new(stored).unwrap().metadata().unwrap()
}

proptest! {
    #[test]
    fn metadata_is_read_back_and_is_no_part_of_the_item(
        item in any_item(), metadata in any_metadata(),
    ) {
        let stored = encode_with_metadata(&item, &metadata);
        let view = ItemView::new(&stored).unwrap();
        prop_assert_eq!(view.metadata(), Ok(metadata));
        prop_assert_eq!(view.size_bytes(), item_size_bytes(&item));
        prop_assert_eq!(view.attributes().count_left(), item.len());
        prop_assert_eq!(decode(&stored), Ok(item));
    }

    #[test]
    fn what_has_no_metadata_has_no_byte_for_it(item in any_item(), metadata in any_metadata()) {
        let plain = encode(&item);
        let full = encode_with_metadata(&item, &metadata);
        prop_assert_eq!(&encode_with_metadata(&item, &Metadata::default()), &plain);
        prop_assert_eq!(plain.len() == full.len(), metadata.is_empty());
        prop_assert_eq!(metadata_of(&plain), Metadata::default());
    }

    #[test]
    fn metadata_is_put_replaced_and_removed(
        item in any_item(),
        first in any_metadata(),
        second in any_metadata(),
    ) {
        let plain = encode(&item);
        let put = with_metadata(&plain, &first).unwrap();
        prop_assert_eq!(&put, &encode_with_metadata(&item, &first));
        let replaced = with_metadata(&put, &second).unwrap();
        prop_assert_eq!(&replaced, &encode_with_metadata(&item, &second));
        prop_assert!(matches!(without_metadata(&plain), Ok(Cow::Borrowed(same)) if same == plain));
        prop_assert_eq!(without_metadata(&replaced).map(Cow::into_owned), Ok(plain));
    }

    #[test]
    fn items_are_compared_by_their_attributes(
        left in any_item(),
        right in any_item(),
        first in any_metadata(),
        second in any_metadata(),
    ) {
        let stored = |item: &Item, metadata: &Metadata| encode_with_metadata(item, metadata);
        prop_assert!(same_attributes(&stored(&left, &first), &stored(&left, &second)));
        prop_assert!(same_attributes(&encode(&left), &stored(&left, &second)));
        let is_same = same_attributes(&stored(&left, &first), &stored(&right, &second));
        prop_assert_eq!(is_same, left == right);
        prop_assert_eq!(same_attributes(&encode(&left), &encode(&right)), left == right);
    }

    #[test]
    fn every_reader_passes_over_metadata(item in any_item(), metadata in any_metadata()) {
        let (plain, stored) = (encode(&item), encode_with_metadata(&item, &metadata));
        let wanted = |name: &[u8]| name < b"c".as_slice();
        prop_assert_eq!(decode_attributes(&stored, wanted), decode_attributes(&plain, wanted));
        let (plain_view, view) = (ItemView::new(&plain).unwrap(), ItemView::new(&stored).unwrap());
        prop_assert_eq!(select(view, wanted), select(plain_view, wanted));
        let edited = |view: ItemView<'_>| Edits::new(view, Vec::new()).write(view.size_bytes());
        prop_assert_eq!(metadata_of(&edited(view).unwrap()), Metadata::default());
        prop_assert_eq!(edited(view), Ok(plain.clone()));
    }

    #[test]
    fn fields_of_later_versions_are_passed_over(
        item in any_item(),
        metadata in any_metadata(),
        later in prop::collection::btree_map(4_u8.., prop::collection::vec(any::<u8>(), 0..200),
            0..5),
    ) {
        let mut fields = Vec::new();
        metadata.push_fields(&mut fields);
        for (tag, bytes) in &later {
            fields.push(*tag);
            push_bytes(bytes, &mut fields);
        }
        let stored = with_fields(&item, &fields);
        prop_assert_eq!(metadata_of(&stored), metadata);
        prop_assert!(same_attributes(&stored, &encode(&item)));
        prop_assert_eq!(decode(&stored), Ok(item));
    }

    #[test]
    fn truncated_metadata_is_refused_or_is_less(metadata in any_metadata()) {
        let mut fields = Vec::new();
        metadata.push_fields(&mut fields);
        for end in 0..fields.len() {
            prop_assert_ne!(Metadata::read(&fields[..end]), Ok(metadata));
        }
    }

    #[test]
    fn arbitrary_metadata_is_read_or_refused(fields in prop::collection::vec(any::<u8>(), 0..100)) {
        let item = Item::from([("a".to_owned(), 7.into())]);
        let stored = with_fields(&item, &fields);
        let _ = ItemView::new(&stored).unwrap().metadata();
        prop_assert_eq!(without_metadata(&stored).map(Cow::into_owned), Ok(encode(&item)));
        prop_assert_eq!(decode(&stored), Ok(item));
    }
}

proptest! {
    // Each case decodes the item as often as it has bytes.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn truncated_items_with_metadata_are_refused(item in any_item(), metadata in any_metadata()) {
        let stored = encode_with_metadata(&item, &metadata);
        for end in 0..stored.len() {
            prop_assert!(decode(&stored[..end]).is_err());
        }
    }
}

#[test]
fn metadata_takes_a_tag_and_a_length_and_the_bytes_of_its_numbers() {
    let written = Metadata {
        written_millis: Some(1_700_000_000_123),
        origin: Some(Origin(2)),
        version: Some(0),
    };
    let stored = encode_with_metadata(&Item::new(), &written);
    let block = [0x01, 6, 0x7B, 0x68, 0xE5, 0xCF, 0x8B, 0x01, 0x02, 1, 2, 0x03, 0];
    assert_eq!(stored[..2], [FORM_WITH_METADATA, 13]);
    assert_eq!(stored[2..15], block);
    assert_eq!(stored[15..], [0, 0]);
    assert_eq!(encode(&Item::new()), [FORM, 0, 0]);
}

#[test]
fn malformed_metadata_is_refused() {
    let cases: [&[u8]; 6] = [
        &[0x01],                               // no length
        &[0x01, 2, 1],                         // too short
        &[0x01, 1, 0],                         // a zero at the end
        &[0x01, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1], // more than 64 bits
        &[0x03, 1, 1, 0x01, 1, 1],             // out of order
        &[0x01, 1, 1, 0x01, 1, 1],             // twice
    ];
    for fields in cases {
        assert!(Metadata::read(fields).is_err(), "{fields:02x?}");
    }
}

#[test]
fn other_forms_are_refused() {
    for form in (0..=u8::MAX).filter(|form| ![FORM, FORM_WITH_METADATA].contains(form)) {
        let stored = [form, 0, 0];
        assert!(ItemView::new(&stored).is_err());
        assert!(with_metadata(&stored, &Metadata::default()).is_err());
        assert!(without_metadata(&stored).is_err());
        assert!(!same_attributes(
            &stored,
            &encode_with_metadata(&Item::new(), &Metadata::default())
        ));
    }
    assert!(without_metadata(&[]).is_err());
}
