//! Entries of indexes and expiry indexes, and counters.

use expect_test::expect;
use monotable_database::check::{CheckMode, EntryFlaw, Problem};
use monotable_storage::Batch;

use super::catalogue::creating;
use super::{COLLECTION, COUNTER, EXPIRY, Fixture, INDEX_ENTRY, ITEM, check, print};

const FILL: u8 = 0x0D;
/// The numbers of the indexes.
const BY_STATE: u32 = 0;
const NEAR: u32 = 1;

fn first(fixture: &Fixture, tag: u8, index: u32) -> (Vec<u8>, Vec<u8>) {
    fixture.entries(&fixture.index_prefix(tag, index)).remove(0)
}

/// The key with the last byte `from` replaced.
fn replaced(key: &[u8], from: u8, to: u8) -> Vec<u8> {
    let mut key = key.to_vec();
    let at = key.iter().rposition(|byte| *byte == from).unwrap();
    key[at] = to;
    key
}

#[test]
fn an_item_without_its_entries() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        batch.delete(first(fixture, INDEX_ENTRY, BY_STATE).0);
        batch.delete(first(fixture, INDEX_ENTRY, NEAR).0);
        batch.delete(first(fixture, EXPIRY, 0).0);
    };
    check(
        break_it,
        &expect![[r#"
        orders.by_state pk="a" sk=-2.5: IndexEntry(Missing)
        orders.near pk="a" sk=1: IndexEntry(Missing)
        orders pk="a" sk=1: ExpiryEntry(Missing)
    "#]],
    );
}

#[test]
fn entries_with_other_content() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        batch.put(first(fixture, INDEX_ENTRY, BY_STATE).0, b"junk".to_vec());
        batch.put(first(fixture, EXPIRY, 0).0, b"junk".to_vec());
    };
    check(
        break_it,
        &expect![[r#"
        orders.by_state pk="a" sk=-2.5: IndexEntry(Differs)
        orders pk="a" sk=1: ExpiryEntry(Differs)
    "#]],
    );
}

#[test]
fn entries_without_an_item() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        for (tag, index) in [(INDEX_ENTRY, BY_STATE), (EXPIRY, 0)] {
            let (key, value) = first(fixture, tag, index);
            batch.put(replaced(&key, b'a', b'c'), value);
        }
    };
    check(
        break_it,
        &expect![[r#"
            orders.by_state pk="c" sk=-2.5: IndexEntry(WithoutItem)
            orders pk="c" sk=1: ExpiryEntry(WithoutItem)
        "#]],
    );
}

#[test]
fn entries_that_are_not_those_of_their_items() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, value) = first(fixture, EXPIRY, 0);
        let mut later = key.clone();
        later[16] += 1;
        batch.put(later, value);
        // The entry under another sort key of the index.
        let (key, value) = first(fixture, INDEX_ENTRY, NEAR);
        batch.put(replaced(&key, b'T', b'Z'), value);
    };
    check(
        break_it,
        &expect![[r#"
            orders.near pk="a" sk=1: IndexEntry(NotOfItem)
            orders pk="a" sk=1: ExpiryEntry(NotOfItem)
        "#]],
    );
}

#[test]
fn entries_that_cannot_be_read() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        for (tag, index) in [(INDEX_ENTRY, NEAR), (EXPIRY, 0)] {
            batch.put([&fixture.index_prefix(tag, index)[..], b"?"].concat(), vec![]);
        }
    };
    check(
        break_it,
        &expect![[r#"
        orders.near 0300000001000000013f: IndexEntry(Unreadable)
        orders 0b00000001000000003f: ExpiryEntry(Unreadable)
    "#]],
    );
}

#[test]
fn an_index_that_is_being_filled_has_no_entries_beyond_its_notes() {
    let fixture = Fixture::new();
    let mut batch = Batch::new();
    let (key, value) = creating(&fixture);
    batch.put(key, value);
    fixture.0.write_raw(&batch);
    let (report, _) = fixture.0.check(CheckMode::ReadOnly);
    expect![[r#"
        orders.by_state: Counter { counter: Items, stored: 2, actual: 0 }
        orders.by_state: Counter { counter: Bytes, stored: 42, actual: 0 }
        orders.by_state pk="a" sk=-2.5: IndexEntry(Early)
        orders.by_state pk="a" sk=1: IndexEntry(Early)
    "#]]
    .assert_eq(&print(&report));
    fixture.0.check(CheckMode::Repair);
    assert_eq!(fixture.0.faults(), []);
    assert_eq!(fixture.entries(&fixture.index_prefix(INDEX_ENTRY, BY_STATE)), []);
}

#[test]
fn notes_of_the_filling_that_cannot_be() {
    let note = |fixture: &Fixture| [fixture.index_prefix(FILL, BY_STATE), vec![3]].concat();
    check(
        |fixture, batch| batch.put(note(fixture), vec![1]),
        &expect![[r#"
        orders.by_state 0d000000010000000003: FillOfCompleteIndex
    "#]],
    );
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        let (key, value) = creating(fixture);
        batch.put(key, value);
        batch.put(note(fixture), b"\0elsewhere".to_vec());
    };
    check(
        break_it,
        &expect![[r#"
        orders.by_state 0d000000010000000003: FillOutside { slice: 3 } (not repairable)
    "#]],
    );
}

#[test]
fn counters_that_are_not_sums() {
    let break_it = |fixture: &Fixture, batch: &mut Batch| {
        batch.add([fixture.index_prefix(COUNTER, u32::MAX), vec![0]].concat(), 5);
        batch.add([fixture.index_prefix(COUNTER, BY_STATE), vec![1]].concat(), -1);
        let (item, _) = fixture.item("3");
        let partition = &item[5..item.len() - 4];
        batch.add([&fixture.prefix(COLLECTION)[..], partition].concat(), 7);
        batch.add([&fixture.prefix(COLLECTION)[..], b"nobody"].concat(), 9);
    };
    check(
        break_it,
        &expect![[r#"
        orders pk="b": Counter { counter: CollectionBytes, stored: 38, actual: 31 }
        orders: Counter { counter: Items, stored: 8, actual: 3 }
        orders.by_state: Counter { counter: Bytes, stored: 41, actual: 42 }
        orders: Counter { counter: CollectionBytes, stored: 9, actual: 0 }
    "#]],
    );
}

#[test]
fn a_long_key_is_known_by_the_attributes_of_its_entry() {
    let fixture = Fixture::new();
    let long = "k".repeat(600);
    fixture.put(&format!(r#"{{"pk": "{long}", "sk": 1, "state": "{long}", "n": 1, "t": "T"}}"#));
    assert_eq!(fixture.0.faults(), []);
    let mut batch = Batch::new();
    let items = fixture.entries(&fixture.prefix(ITEM)).into_iter();
    items.filter(|(_, value)| value.len() > 600).for_each(|(key, _)| batch.delete(key));
    fixture.0.write_raw(&batch);
    let (report, _) = fixture.0.check(CheckMode::ReadOnly);
    let flaws: Vec<&Problem> = report.faults.iter().map(|fault| &fault.problem).collect();
    let orphan = Problem::IndexEntry(EntryFlaw::WithoutItem);
    assert_eq!(flaws.iter().filter(|flaw| ***flaw == orphan).count(), 2, "{flaws:?}");
    fixture.0.check(CheckMode::Repair);
    assert_eq!(fixture.0.faults(), []);
}
