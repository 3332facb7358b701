//! Vector indexes are filled, kept, given up and removed like other indexes.

use monotable_database::check::{CheckMode, EntryFlaw, Problem};
use monotable_database::schema::{Distance, IndexStatus};
use monotable_database::{TableChange, TableError, Write};
use monotable_item::stored;
use monotable_storage::{Batch, KeyRange};

use super::{definition, found, indexes, item, put, search, vector_index};
use crate::support::harness::Harness;
use crate::support::store::{LocalStore, MemoryStore, Store};

const ITEMS: usize = 600;
/// The family of vector entries.
const VECTOR_ENTRY: u8 = 0x0E;

/// A table without vector indexes that has items, a third of them without vectors.
fn filled<S: Store>() -> Harness<S> {
    let harness = Harness::new();
    harness.change(Harness::<S>::database(&harness).create_table(definition(Vec::new()))).unwrap();
    for number in 0..ITEMS {
        let vector = [number as i64, 1, 0];
        let vector = (number % 3 != 0).then_some(&vector[..]);
        put(&harness, &item(&format!("{number:04}"), vector, &[("tenant", "p")]));
    }
    harness
}

fn change<S: Store>(harness: &Harness<S>, change: TableChange) -> Result<(), TableError> {
    let table = harness.table(super::TABLE).unwrap();
    harness.change(harness.database().update_table(&table, change)).map(drop)
}

fn create(name: &str) -> TableChange {
    let definition = vector_index(name, Distance::Euclidean, Vec::new());
    TableChange { create_vector_index: Some(definition), ..TableChange::default() }
}

fn delete(name: &str) -> TableChange {
    TableChange { delete_vector_index: Some(name.to_owned()), ..TableChange::default() }
}

fn status<S: Store>(harness: &Harness<S>, name: &str) -> Option<IndexStatus> {
    let table = harness.table(super::TABLE).unwrap();
    table.schema().vector_index(name).map(|index| index.status)
}

#[test]
fn an_index_is_filled_with_the_items_that_were_there() {
    let harness = filled::<MemoryStore>();
    change(&harness, create("near")).unwrap();
    assert_eq!(status(&harness, "near"), Some(IndexStatus::Creating));
    // Writes go on meanwhile.
    put(&harness, &item("0001", Some(&[0, 0, 0]), &[]));
    put(&harness, &item("9999", Some(&[0, 0, 1]), &[]));
    harness.settle();
    assert_eq!(status(&harness, "near"), Some(IndexStatus::Active));
    let matches = search(&harness, "near", &[0.0, 0.0, 0.0], 2, &[]);
    assert_eq!(found(&matches), [("0001".to_owned(), 0.0), ("9999".to_owned(), 1.0)]);
    let everything = search(&harness, "near", &[0.0, 0.0, 0.0], ITEMS * 2, &[]);
    assert_eq!(everything.len(), ITEMS / 3 * 2 + 1);
    assert_eq!(harness.faults(), []);
}

#[test]
fn a_filling_that_a_crash_cuts_short_goes_on_after_the_restart() {
    let mut harness = filled::<LocalStore>();
    change(&harness, create("near")).unwrap();
    harness.crash();
    assert_eq!(harness.faults(), []);
    harness.settle();
    assert_eq!(status(&harness, "near"), Some(IndexStatus::Active));
    let everything = search(&harness, "near", &[0.0, 0.0, 0.0], ITEMS * 2, &[]);
    assert_eq!(everything.len(), ITEMS / 3 * 2);
    assert_eq!(harness.faults(), []);
}

#[test]
fn an_index_can_be_given_up_while_it_is_filled() {
    let harness = filled::<MemoryStore>();
    change(&harness, create("near")).unwrap();
    assert!(matches!(change(&harness, create("other")), Err(TableError::Busy)));
    change(&harness, delete("near")).unwrap();
    harness.settle();
    assert_eq!(status(&harness, "near"), None);
    change(&harness, create("near")).unwrap();
    harness.settle();
    assert_eq!(status(&harness, "near"), Some(IndexStatus::Active));
    assert_eq!(harness.faults(), []);
}

#[test]
fn nothing_is_left_of_an_index_that_was_removed() {
    let harness = Harness::<MemoryStore>::new();
    harness.change(harness.database().create_table(definition(indexes(Distance::Cosine)))).unwrap();
    put(&harness, &item("a", Some(&[1, 2, 3]), &[("tenant", "p"), ("kind", "x")]));
    assert_eq!(vector_entries(&harness), 2);
    change(&harness, delete("by_tenant")).unwrap();
    harness.settle();
    assert_eq!(vector_entries(&harness), 1);
    let table = harness.table(super::TABLE).unwrap();
    harness.change(harness.database().delete_table(&table)).unwrap();
    harness.settle();
    assert_eq!(vector_entries(&harness), 0);
    assert_eq!(harness.faults(), []);
}

#[test]
fn an_item_leaves_the_index_with_its_vector_its_partition_or_itself() {
    let harness = Harness::<MemoryStore>::new();
    harness.change(harness.database().create_table(definition(indexes(Distance::Cosine)))).unwrap();
    let count = |index: &str| {
        let conditions = [("tenant", "p")];
        search(&harness, index, &[1.0, 0.0, 0.0], 9, &conditions).len()
    };
    let vector = [1, 0, 0];
    put(&harness, &item("a", Some(&vector), &[("tenant", "p")]));
    assert_eq!((count("by_tenant"), count("all")), (1, 1));
    put(&harness, &item("a", Some(&vector), &[]));
    assert_eq!((count("by_tenant"), count("all")), (0, 1));
    put(&harness, &item("a", None, &[("tenant", "p")]));
    assert_eq!((count("by_tenant"), count("all")), (0, 0));
    put(&harness, &item("a", Some(&vector), &[("tenant", "p")]));
    let table = harness.table(super::TABLE).unwrap();
    let stored = stored::encode(&item("a", None, &[])).into();
    let key = Write::put(table.schema(), stored).unwrap().key().clone();
    harness.run(harness.database().write(&table, &Write::delete(key))).unwrap();
    assert_eq!((count("by_tenant"), count("all")), (0, 0));
    assert_eq!(harness.faults(), []);
}

fn vector_entries<S: Store>(harness: &Harness<S>) -> usize {
    harness.entries(&KeyRange::prefix(&[VECTOR_ENTRY])).len()
}

#[test]
fn the_check_finds_and_mends_entries_that_do_not_follow_from_items() {
    let harness = Harness::<MemoryStore>::new();
    harness.change(harness.database().create_table(definition(indexes(Distance::Cosine)))).unwrap();
    put(&harness, &item("a", Some(&[1, 2, 3]), &[("tenant", "p"), ("kind", "x")]));
    let entries = harness.entries(&KeyRange::prefix(&[VECTOR_ENTRY]));
    let [(first, value), (second, _)] = &entries[..] else { panic!("two indexes hold the item") };
    let stray = [&first[..], b"!"].concat();
    let mut batch = Batch::new();
    batch.put(first.clone(), value.slice(..value.len() - 1));
    batch.delete(second.clone());
    batch.put(stray, value.clone());
    harness.write_raw(&batch);
    let problems: Vec<Problem> = harness.faults().into_iter().map(|fault| fault.problem).collect();
    let entry = |flaw: EntryFlaw| Problem::IndexEntry(flaw);
    assert_eq!(
        problems,
        [EntryFlaw::Differs, EntryFlaw::Missing, EntryFlaw::Unreadable].map(entry)
    );
    harness.check(CheckMode::Repair);
    assert_eq!(harness.faults(), []);
    assert_eq!(harness.entries(&KeyRange::prefix(&[VECTOR_ENTRY])), entries);
}
