//! Tables against a sorted map, and what damage does to them.

use std::collections::BTreeMap;
use std::ops::Bound;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;
use crate::Direction;

type Entries = BTreeMap<Vec<u8>, (u64, Option<Vec<u8>>)>;

fn write(entries: &Entries, path: &Path) -> Table {
    let mut writer = TableWriter::create(path.to_owned(), 5, 0).unwrap();
    for (key, (number, value)) in entries {
        writer.push(key, *number, value.as_deref()).unwrap();
    }
    Table::open(&writer.finish().unwrap()).unwrap()
}

fn key() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![0..3_u8, Just(255)], 0..6)
}

fn entries() -> impl Strategy<Value = Entries> {
    let value = prop_oneof![Just(0), 1..20_usize, Just(5_000)];
    let value = value.prop_map(|length| vec![7; length]);
    btree_map(key(), (0..1_000_u64, proptest::option::of(value)), 1..60)
}

fn walk(table: &Table, direction: Direction, from: Bound<&[u8]>) -> Vec<Vec<u8>> {
    let mut cursor = TableCursor::new(table, direction, from).unwrap();
    let mut keys = Vec::new();
    while let Some(key) = cursor.key() {
        keys.push(key.to_vec());
        cursor.step().unwrap();
    }
    keys
}

proptest! {
    #[test]
    fn a_table_has_what_was_written(entries in entries(), others in vec(key(), 10)) {
        let directory = tempfile::tempdir().unwrap();
        let table = write(&entries, &directory.path().join("1"));
        for key in entries.keys().chain(&others) {
            let found = table.get(key, xxh3_64(key)).unwrap();
            let found = found.map(|found| (found.number, found.value.map(|it| it.to_vec())));
            prop_assert_eq!(found.as_ref(), entries.get(key));
        }
        table.verify(&mut |_| ()).unwrap();
    }

    #[test]
    fn cursors_begin_anywhere_and_go_both_ways(entries in entries(), others in vec(key(), 10)) {
        let directory = tempfile::tempdir().unwrap();
        let table = write(&entries, &directory.path().join("1"));
        let all: Vec<Vec<u8>> = entries.keys().cloned().collect();
        prop_assert_eq!(walk(&table, Direction::Forward, Bound::Unbounded), all.clone());
        for key in entries.keys().chain(&others) {
            let key = key.as_slice();
            for from in [Bound::Included(key), Bound::Excluded(key)] {
                let unbounded = Bound::Unbounded;
                let above: Vec<_> =
                    entries.range::<[u8], _>((from, unbounded)).map(|it| it.0.clone()).collect();
                prop_assert_eq!(walk(&table, Direction::Forward, from), above);
                let below: Vec<_> =
                    entries.range::<[u8],
                    _>((unbounded, from)).rev().map(|it| it.0.clone()).collect();
                prop_assert_eq!(walk(&table, Direction::Backward, from), below);
            }
        }
    }
}

/// What a damaged table shows: it is refused, or reads refuse, or it has what was written.
#[test]
fn every_changed_byte_is_noticed_before_it_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("1");
    let entries: Entries =
        (0..40_u8).map(|key| (vec![key; 9], (key.into(), Some(vec![key; 600])))).collect();
    drop(write(&entries, &path));
    let bytes = fs::read(&path).unwrap();
    for place in (0..bytes.len()).filter(|place| place % 7 == 0 || *place > 24_000) {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        // A new file, because the old one may be mapped.
        let path = directory.path().join(format!("changed-{place}"));
        fs::write(&path, changed).unwrap();
        let Ok(table) = Table::open(&path) else { continue };
        assert!(table.verify(&mut |_| ()).is_err(), "byte {place}");
        let shown = entries.iter().filter_map(|(key, expected)| {
            let found = table.get(key, xxh3_64(key)).ok()?;
            Some(
                found.map(|it| (it.number, it.value.map(|it| it.to_vec())))
                    == Some(expected.clone()),
            )
        });
        assert!(shown.into_iter().all(|is_right| is_right), "byte {place}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_table_that_is_not_finished_or_obsolete_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = TableWriter::create(directory.path().join("1"), 1, 0).unwrap();
    writer.push(b"a", 1, None).unwrap();
    drop(writer);
    let table = write(&Entries::from([(b"a".to_vec(), (1, None))]), &directory.path().join("2"));
    let value = table.share(&table.content[..4]);
    table.make_obsolete();
    drop(table);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    assert_eq!(value.len(), 4);
}
