//! The tree against a sorted map, with memtables written out and tables merged at any time.

use std::collections::BTreeMap;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Clone, Debug)]
enum Step {
    Put(u16, u16),
    Delete(u16),
    RemoveRange(u16, u16),
    Seal,
    WriteOut,
    Merge,
    Tidy,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..60_u16, 0..400_u16).prop_map(|(key, length)| Step::Put(key, length)),
        6 => (0..60_u16).prop_map(Step::Delete),
        1 => (0..60_u16, 0..60_u16).prop_map(|(start, end)| Step::RemoveRange(start, end)),
        2 => Just(Step::Seal),
        2 => Just(Step::WriteOut),
        2 => Just(Step::Merge),
        1 => Just(Step::Tidy),
        1 => Just(Step::Reopen),
    ]
}

const SMALL: Options = Options { table_bytes: 500 };

struct Run {
    directory: tempfile::TempDir,
    tree: Tree,
    number: u64,
    expected: Entries,
}

fn key(number: u16) -> Vec<u8> {
    [b"a key ".as_slice(), &number.to_be_bytes()].concat()
}

fn never() -> bool {
    false
}

impl Run {
    fn new() -> Run {
        let directory = tempfile::tempdir().unwrap();
        Tree::create(directory.path()).unwrap();
        let tree = Tree::open(directory.path(), SMALL).unwrap();
        Run { directory, tree, number: 0, expected: Entries::new() }
    }

    fn write_out_all(&self) {
        self.tree.seal();
        while self.tree.write_out(&never).unwrap() {}
    }

    fn take(&mut self, step: &Step) {
        self.number += 1;
        match step {
            Step::Put(number, length) => {
                let value = vec![*length as u8; (*length).into()];
                let memtable = self.tree.state().active().clone();
                memtable.insert(key(*number), Some(Bytes::from(value.clone())), self.number);
                self.expected.insert(key(*number), value);
            }
            Step::Delete(number) => {
                self.tree.state().active().insert(key(*number), None, self.number);
                self.expected.remove(&key(*number));
            }
            Step::RemoveRange(start, end) => {
                let (start, end) = (key(*start), key(*end));
                let (from, to) = (Bound::Included(&start[..]), Bound::Excluded(&end[..]));
                self.tree.remove_range(&RemovedRange::new(from, to, self.number));
                self.expected.retain(|key, _| *key < start || *key >= end);
            }
            Step::Seal => drop(self.tree.seal()),
            Step::WriteOut => drop(self.tree.write_out(&never).unwrap()),
            Step::Merge => drop(self.tree.merge_due(&never).unwrap()),
            Step::Tidy => while self.tree.tidy(&never).unwrap() {},
            Step::Reopen => {
                self.write_out_all();
                self.tree.release_obsolete(&|| ());
                self.tree = Tree::open(self.directory.path(), SMALL).unwrap();
                assert!(self.tree.persisted() <= self.number);
            }
        }
    }

    fn check(&self) {
        let state = self.tree.state();
        assert_eq!(
            walk(&state, Direction::Forward),
            self.expected.clone().into_iter().collect::<Vec<_>>()
        );
        let backward: Vec<_> = self.expected.clone().into_iter().rev().collect();
        assert_eq!(walk(&state, Direction::Backward), backward);
        for number in 0..60 {
            let found = state.get(&key(number), u64::MAX).unwrap().map(|value| value.to_vec());
            assert_eq!(found.as_ref(), self.expected.get(&key(number)), "key {number}");
        }
        assert!(state.tables.levels.iter().all(crate::run::Run::is_disjoint));
    }
}

fn walk(state: &State, direction: Direction) -> Vec<(Vec<u8>, Vec<u8>)> {
    let all = Bound::Unbounded;
    let mut cursor = state.cursor(direction, all, all, u64::MAX).unwrap();
    let mut met = Vec::new();
    while let Some(key) = cursor.key() {
        met.extend(cursor.value().map(|value| (key.to_vec(), value.to_vec())));
        cursor.step().unwrap();
    }
    met
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_tree_is_a_sorted_map(steps in vec(step(), 1..300)) {
        let mut run = Run::new();
        let mut held = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            run.take(step);
            run.check();
            if place % 37 == 0 {
                held.push((run.tree.state(), run.number + 1, run.expected.clone()));
            }
        }
        // Whoever held a state sees what was there then, however much was merged since.
        for (state, instant, expected) in held {
            for number in 0..60 {
                let found = state.get(&key(number), instant).unwrap().map(|value| value.to_vec());
                prop_assert_eq!(found.as_ref(), expected.get(&key(number)));
            }
        }
    }
}

#[test]
fn what_lives_and_dies_in_one_memtable_leaves_nothing() {
    let mut run = Run::new();
    for number in 0..1_000 {
        run.take(&Step::Put(number, 9));
        run.take(&Step::Delete(number));
    }
    run.write_out_all();
    assert_eq!(run.tree.state().table_count(), 0);
    assert_eq!(run.tree.persisted(), run.number);
}

#[test]
fn deletions_go_early_and_with_the_last_that_they_hide() {
    let mut run = Run::new();
    (0..4_000).for_each(|number| run.take(&Step::Put(number, 9)));
    run.write_out_all();
    (0..4_000).for_each(|number| run.take(&Step::Delete(number)));
    run.write_out_all();
    while run.tree.merge_due(&never).unwrap() {}
    let left: u64 = run.tree.state().tables.iter().map(|table| table.meta().entries).sum();
    assert_eq!(left, 0);
}

#[test]
fn a_removed_range_lets_whole_tables_go_unread_and_is_forgotten() {
    let mut run = Run::new();
    for _ in 0..3 {
        (0..500).for_each(|number| run.take(&Step::Put(number, 90)));
        run.write_out_all();
        while run.tree.tidy(&never).unwrap() {}
    }
    let before = run.tree.state().table_count();
    assert!(before > 20);
    run.take(&Step::RemoveRange(5, 495));
    run.check_range_is_gone();
    while run.tree.merge_due(&never).unwrap() {}
    let state = run.tree.state();
    let left: u64 = state.tables.iter().map(|table| table.meta().entries).sum();
    // Ten keys, some of them with older values in deeper levels, and what a table has beside them.
    assert!(left <= 60, "{left} entries are left");
    while run.tree.tidy(&never).unwrap() {}
    assert_eq!(run.tree.state().removed().iter().count(), 0);
}

#[test]
fn a_range_that_grows_step_by_step_does_not_write_a_table_anew_each_time() {
    let mut run = Run::new();
    run.tree = Tree::open(run.directory.path(), Options { table_bytes: 1 << 20 }).unwrap();
    (0..2_000).for_each(|number| run.take(&Step::Put(number, 390)));
    run.write_out_all();
    while run.tree.tidy(&never).unwrap() {}
    let mut jobs = 0;
    for end in (20..=2_000).step_by(20) {
        run.take(&Step::RemoveRange(0, end));
        run.check_range_is_gone();
        while run.tree.merge_due(&never).unwrap() {
            jobs += 1;
        }
    }
    // A quarter of what is left each time, until a single block is.
    assert!((2..25).contains(&jobs), "{jobs} jobs for 100 steps");
    assert_eq!(run.tree.state().table_count(), 0);
}

impl Run {
    fn check_range_is_gone(&self) {
        let state = self.tree.state();
        let met = walk(&state, Direction::Forward);
        assert_eq!(met, self.expected.clone().into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn what_was_replaced_is_removed_once_nobody_reads_it() {
    let mut run = Run::new();
    let files = |run: &Run| fs::read_dir(run.directory.path().join("tables")).unwrap().count();
    for _ in 0..4 {
        (0..20).for_each(|number| run.take(&Step::Put(number, 20)));
        run.write_out_all();
    }
    let held = run.tree.state();
    assert!(run.tree.merge_due(&never).unwrap());
    assert!(run.tree.release_obsolete(&|| ()));
    assert_eq!(held.get(&key(3), u64::MAX).unwrap().unwrap().len(), 20);
    let while_held = files(&run);
    drop(held);
    assert!(!run.tree.release_obsolete(&|| ()));
    assert_eq!(files(&run), while_held - 4);
}

#[test]
fn a_value_that_is_held_keeps_its_file_whole() {
    let mut run = Run::new();
    run.tree = Tree::open(run.directory.path(), Options { table_bytes: 8 << 20 }).unwrap();
    (0..4_000).for_each(|number| run.take(&Step::Put(number, 399)));
    run.write_out_all();
    let path = run.tree.state().tables.first[0].path().to_owned();
    let bytes = fs::metadata(&path).unwrap().len();
    let held = run.tree.state().get(&key(3_999), u64::MAX).unwrap().unwrap();
    run.take(&Step::RemoveRange(0, 4_000));
    while run.tree.merge_due(&never).unwrap() {}
    let pieces = std::cell::Cell::new(0);
    assert!(run.tree.release_obsolete(&|| pieces.set(pieces.get() + 1)));
    assert_eq!((pieces.get(), fs::metadata(&path).unwrap().len()), (0, bytes));
    assert_eq!(*held, [143; 399]);
    drop(held);
    assert!(!run.tree.release_obsolete(&|| pieces.set(pieces.get() + 1)));
    assert_eq!(pieces.get(), bytes / (1 << 20));
    assert!(!path.exists());
}

#[test]
fn a_merge_that_is_stopped_leaves_everything_as_it_was() {
    let mut run = Run::new();
    for _ in 0..4 {
        (0..2_000).for_each(|number| run.take(&Step::Put(number, 20)));
        run.write_out_all();
    }
    let names = |run: &Run| {
        let entries = fs::read_dir(run.directory.path().join("tables")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names(&run);
    assert!(matches!(run.tree.merge_due(&|| true), Err(Error::Stopped)));
    assert_eq!(names(&run), before);
    assert!(run.tree.merge_due(&never).unwrap());
}

#[test]
fn tables_that_a_merge_has_no_keys_for_stay_as_they_are() {
    let mut run = Run::new();
    run.tree = Tree::open(run.directory.path(), Options { table_bytes: 20_000 }).unwrap();
    let ids = |run: &Run| -> Vec<u64> {
        run.tree.state().tables.levels[0].tables().iter().map(|table| table.id()).collect()
    };
    for numbers in [0..500, 500..1_000] {
        numbers.for_each(|number| run.take(&Step::Put(number, 90)));
        run.write_out_all();
    }
    while run.tree.tidy(&never).unwrap() {}
    let before = ids(&run);
    for number in [0, 999, 0, 999] {
        run.take(&Step::Put(number, 7));
        run.take(&Step::Put(999 - number, 7));
        run.write_out_all();
    }
    assert!(run.tree.merge_due(&never).unwrap());
    let after = ids(&run);
    assert!(before.len() > 4, "{before:?}");
    assert_eq!(before[1..before.len() - 1], after[1..after.len() - 1]);
}
