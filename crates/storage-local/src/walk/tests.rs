use std::collections::BTreeSet;
use std::ops::RangeBounds;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_tree::{Memtable, RemovedRange, Tree};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const KEYS: u8 = 120;

/// A tree that is written to as the committer does it, beside what is in it at each instant.
struct Stage {
    tree: Tree,
    memtable: Arc<Memtable>,
    next_number: Arc<AtomicU64>,
    gaps: Gaps,
    /// What whoever reads at an instant must see, with the state that it has.
    moments: Vec<(Arc<State>, u64, BTreeSet<u8>)>,
    _directory: tempfile::TempDir,
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8, u8),
    Delete(u8, u8),
    Remove(u8, u8),
    /// Full memtables go to tables and are merged.
    WriteOut,
    Walk(Wanted),
}

/// A walk from one bound to the other, of this many entries at most, at a moment that is so old.
#[derive(Clone, Debug)]
struct Wanted {
    start: Bound<u8>,
    end: Bound<u8>,
    direction: Direction,
    limit: usize,
    age: usize,
}

impl Stage {
    fn new() -> Stage {
        let directory = tempfile::tempdir().unwrap();
        Tree::create(directory.path()).unwrap();
        let options = monotable_tree::Options { table_bytes: 1 << 12 };
        let tree = Tree::open(directory.path(), options).unwrap();
        let next_number = Arc::new(AtomicU64::new(1));
        let mut stage = Stage {
            memtable: tree.state().active().clone(),
            tree,
            gaps: Gaps::new(next_number.clone()),
            next_number,
            moments: Vec::new(),
            _directory: directory,
        };
        stage.publish(BTreeSet::new());
        stage
    }

    fn publish(&mut self, keys: BTreeSet<u8>) {
        let instant = self.next_number.load(Ordering::SeqCst);
        self.moments.push((self.tree.state(), instant, keys));
    }

    fn newest(&self) -> BTreeSet<u8> {
        self.moments.last().unwrap().2.clone()
    }

    fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let mut keys = self.newest();
        match step {
            Step::Put(first, last) => {
                let written: Vec<u8> = (*first..=*last).collect();
                self.write(&written, Some(&Bytes::from_static(b"value")));
                keys.extend(written);
            }
            Step::Delete(first, last) => {
                let written: Vec<u8> = (*first..=*last).collect();
                self.write(&written, None);
                keys.retain(|key| !written.contains(key));
            }
            Step::Remove(first, last) => {
                let number = self.next_number.fetch_add(1, Ordering::SeqCst);
                let range = RemovedRange::new(
                    Bound::Included(&[*first]),
                    Bound::Included(&[*last]),
                    number,
                );
                self.tree.remove_range(&range);
                keys.retain(|key| !(*first..=*last).contains(key));
            }
            Step::WriteOut => {
                self.memtable = self.tree.seal();
                while self.tree.write_out(&|| false).unwrap() {}
                while self.tree.merge_due(&|| false).unwrap() {}
            }
            Step::Walk(wanted) => return self.walk(wanted),
        }
        self.publish(keys);
        Ok(())
    }

    fn write(&self, keys: &[u8], value: Option<&Bytes>) {
        let number = self.next_number.fetch_add(1, Ordering::SeqCst);
        if value.is_some() {
            self.gaps.written(number, keys.iter().map(std::slice::from_ref));
        }
        keys.iter().for_each(|key| self.memtable.insert(vec![*key], value.cloned(), number));
    }

    fn walk(&self, wanted: &Wanted) -> Result<(), TestCaseError> {
        let moment = self.moments.len().saturating_sub(1 + wanted.age);
        let (state, instant, keys) = &self.moments[moment];
        let bounds = (wanted.start.map(|key| [key]), wanted.end.map(|key| [key]));
        let slices = (
            bounds.0.as_ref().map(<[u8; 1]>::as_slice),
            bounds.1.as_ref().map(<[u8; 1]>::as_slice),
        );
        let mut walk = Walk::new(state, *instant, &self.gaps, slices, wanted.direction);
        let mut met = Vec::new();
        let mut visit = |key: &[u8], _| {
            met.push(key[0]);
            if met.len() == wanted.limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        while walk.go_on(&mut visit).unwrap() == Walked::FarEnough {}
        let is_inside = |key: &&u8| (wanted.start, wanted.end).contains(*key);
        let mut expected: Vec<u8> = keys.iter().filter(is_inside).copied().collect();
        if wanted.direction == Direction::Backward {
            expected.reverse();
        }
        expected.truncate(wanted.limit);
        prop_assert_eq!(met, expected, "{:?}", wanted);
        Ok(())
    }
}

/// A bound at a key, or none.
fn bound(kind: u8, key: u8) -> Bound<u8> {
    match kind {
        0 => Bound::Unbounded,
        1 => Bound::Included(key),
        _ => Bound::Excluded(key),
    }
}

/// The engine walks over no range that is empty, so one key is below the other.
fn wanted() -> impl Strategy<Value = Wanted> {
    let keys = (0..KEYS - 1).prop_flat_map(|start| (Just(start), start + 1..KEYS));
    let direction = prop_oneof![Just(Direction::Forward), Just(Direction::Backward)];
    (keys, 0..3_u8, 0..3_u8, direction, 1..9_usize, 0..4_usize).prop_map(
        |((start, end), start_kind, end_kind, direction, limit, age)| Wanted {
            start: bound(start_kind, start),
            end: bound(end_kind, end),
            direction,
            limit,
            age: age.saturating_sub(1),
        },
    )
}

fn stretch() -> impl Strategy<Value = (u8, u8)> {
    (0..KEYS, prop_oneof![Just(0_u8), 1..KEYS])
        .prop_map(|(first, count)| (first, (first + count).min(KEYS - 1)))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => stretch().prop_map(|(first, last)| Step::Put(first, last)),
        3 => stretch().prop_map(|(first, last)| Step::Delete(first, last)),
        1 => stretch().prop_map(|(first, last)| Step::Remove(first, last)),
        1 => Just(Step::WriteOut),
        8 => wanted().prop_map(Step::Walk),
    ]
}

proptest! {
    #[test]
    fn walks_around_gaps_meet_what_is_there_and_nothing_else(steps in vec(step(), 1..60)) {
        let mut stage = Stage::new();
        for step in &steps {
            stage.take(step)?;
        }
    }
}
