//! Stretches of keys where nothing is: walks note them, and later ones go around them.
//!
//! What is noted must be true for every later reader, so a writer that puts a value into a gap cuts
//! the gap before anybody sees that value. A reader finds out about a gap at its own instant, and
//! values may have been written into it since. So the keys of the last commits are kept, and a note
//! that one of them contradicts, or that is older than what is kept, is dropped.
//!
//! Most stores never have such gaps. Nothing is kept until a walk has passed over many deleted
//! entries, and no longer than gaps are of use.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use monotable_storage::Direction;

/// How many gaps are known at most.
const GAPS_MAX: usize = 4_096;
/// How many keys of the last commits are kept at most: some tenths of a second of a busy store.
const RECENT_MAX: usize = 16_384;
/// For how many commits unused gaps are kept.
const UNUSED_COMMITS: u64 = 1 << 16;

/// See the module.
#[derive(Debug)]
pub(crate) struct Gaps {
    /// The number of the next commit.
    next_number: Arc<AtomicU64>,
    /// Whether keys are kept, so that writers look no further where there are none.
    is_watching: AtomicBool,
    passed: AtomicU64,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// By their first keys. They do not overlap.
    gaps: BTreeMap<Vec<u8>, Gap>,
    /// The keys that were written lately, with their commits.
    recent: VecDeque<(u64, Vec<u8>)>,
    /// All keys that commits from this one on have written are in `recent`.
    recent_from: u64,
    /// The last commit when a gap was of use.
    used_at: u64,
}

#[derive(Clone, Debug)]
struct Gap {
    /// The first key behind it.
    end: Vec<u8>,
    /// It holds for readers at this instant or later.
    since: u64,
}

impl Gaps {
    /// Without any, in a store whose next commit has this number.
    pub(crate) fn new(next_number: Arc<AtomicU64>) -> Gaps {
        Gaps {
            next_number,
            is_watching: AtomicBool::new(false),
            passed: AtomicU64::new(0),
            known: Mutex::default(),
        }
    }

    /// Where a walk continues that is at a key in a gap.
    pub(crate) fn beyond(&self, key: &[u8], instant: u64, direction: Direction) -> Option<Vec<u8>> {
        if !self.is_watching.load(Ordering::Relaxed) {
            return None;
        }
        let mut known = self.lock();
        let (start, gap) = known.around(key, direction)?;
        if gap.since > instant {
            return None;
        }
        let beyond = match direction {
            Direction::Forward => gap.end.clone(),
            Direction::Backward => start.clone(),
        };
        known.used_at = known.used_at.max(instant);
        Some(beyond)
    }

    /// Notes that a reader at this instant found nothing from `start` on and before `end`. Returns
    /// whether it is believed: if not, somebody who reads later may be.
    pub(crate) fn note(&self, start: &[u8], end: &[u8], instant: u64) -> bool {
        if start >= end {
            return false;
        }
        let mut known = self.lock();
        if !self.is_watching.swap(true, Ordering::SeqCst) {
            // Commits take their number before they look whether somebody watches, so all from the
            // next one on are known. If there was one since that instant, the next walk will be
            // believed.
            let recent_from = self.next_number.load(Ordering::SeqCst);
            *known = Known { recent_from, used_at: instant, ..Known::default() };
        }
        let mut later = known.recent.iter().rev().take_while(|(number, _)| *number >= instant);
        let is_contradicted = later.any(|(_, key)| **key >= *start && **key < *end);
        if instant < known.recent_from || is_contradicted {
            return false;
        }
        known.used_at = known.used_at.max(instant);
        known.add(start.to_vec(), Gap { end: end.to_vec(), since: instant });
        true
    }

    /// Cuts gaps where a commit writes values. To be called before anybody sees them.
    pub(crate) fn written<'a>(&self, number: u64, keys: impl Iterator<Item = &'a [u8]>) {
        if !self.is_watching.load(Ordering::SeqCst) {
            return;
        }
        let mut known = self.lock();
        if number > known.used_at.saturating_add(UNUSED_COMMITS) {
            *known = Known::default();
            self.is_watching.store(false, Ordering::Relaxed);
            return;
        }
        for key in keys {
            known.cut(key);
            known.recent.push_back((number, key.to_vec()));
        }
        while known.recent.len() > RECENT_MAX
            && let Some((oldest, _)) = known.recent.pop_front()
        {
            known.recent_from = known.recent_from.max(oldest + 1);
        }
    }

    /// Counts deleted entries that a walk has passed over.
    pub(crate) fn passed(&self, entries: usize) {
        self.passed.fetch_add(entries as u64, Ordering::Relaxed);
    }

    /// How many there have been.
    pub(crate) fn passed_in_all(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    /// Gaps are only ever made smaller or forgotten by half, so what a panicking thread left is
    /// true.
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// The gap that a walk at this key is in: forwards if the key lies in it, backwards if what is
    /// just below does.
    fn around(&self, key: &[u8], direction: Direction) -> Option<(&Vec<u8>, &Gap)> {
        let bound = match direction {
            Direction::Forward => Bound::Included(key),
            Direction::Backward => Bound::Excluded(key),
        };
        let (start, gap) = self.gaps.range::<[u8], _>((Bound::Unbounded, bound)).next_back()?;
        let is_inside = match direction {
            Direction::Forward => *key < *gap.end,
            Direction::Backward => *key <= *gap.end,
        };
        is_inside.then_some((start, gap))
    }

    /// Adds a gap, joined with all that it meets.
    fn add(&mut self, mut start: Vec<u8>, mut gap: Gap) {
        let met: Vec<Vec<u8>> = self
            .gaps
            .range::<[u8], _>((Bound::Unbounded, Bound::Included(gap.end.as_slice())))
            .rev()
            .take_while(|(_, other)| other.end >= start)
            .map(|(start, _)| start.clone())
            .collect();
        for other_start in met {
            let Some(other) = self.gaps.remove(&other_start) else { continue };
            start = start.min(other_start);
            gap.end = gap.end.max(other.end);
            gap.since = gap.since.max(other.since);
        }
        if self.gaps.len() >= GAPS_MAX {
            self.gaps.pop_first();
        }
        self.gaps.insert(start, gap);
    }

    /// Takes a key out of the gap that it is in.
    fn cut(&mut self, key: &[u8]) {
        let Some((start, gap)) = self.around(key, Direction::Forward) else { return };
        let (start, gap) = (start.clone(), gap.clone());
        self.gaps.remove(&start);
        let behind = [key, &[0]].concat();
        if behind < gap.end {
            self.gaps.insert(behind, gap.clone());
        }
        if *start < *key {
            self.gaps.insert(start, Gap { end: key.to_vec(), ..gap });
        }
        while self.gaps.len() > GAPS_MAX {
            self.gaps.pop_first();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn watching() -> Gaps {
        let gaps = Gaps::new(Arc::new(AtomicU64::new(1)));
        gaps.note(b"\xF0", b"\xF1", 1);
        gaps
    }

    fn beyond(gaps: &Gaps, key: &[u8], instant: u64, direction: Direction) -> Option<String> {
        gaps.beyond(key, instant, direction).map(|key| String::from_utf8(key).unwrap())
    }

    #[test]
    fn a_gap_is_gone_around_by_later_readers_in_both_directions() {
        let gaps = watching();
        gaps.note(b"c", b"m", 5);
        assert_eq!(beyond(&gaps, b"d", 5, Direction::Forward).as_deref(), Some("m"));
        assert_eq!(beyond(&gaps, b"c", 9, Direction::Forward).as_deref(), Some("m"));
        assert_eq!(beyond(&gaps, b"m", 9, Direction::Forward), None);
        assert_eq!(beyond(&gaps, b"m", 9, Direction::Backward).as_deref(), Some("c"));
        assert_eq!(beyond(&gaps, b"c", 9, Direction::Backward), None);
        assert_eq!(beyond(&gaps, b"d", 4, Direction::Forward), None);
    }

    #[test]
    fn a_value_cuts_the_gap_that_it_is_written_into() {
        let gaps = watching();
        gaps.note(b"c", b"m", 5);
        gaps.written(7, [b"f".as_slice()].into_iter());
        assert_eq!(beyond(&gaps, b"d", 9, Direction::Forward).as_deref(), Some("f"));
        assert_eq!(beyond(&gaps, b"f", 9, Direction::Forward), None);
        assert_eq!(beyond(&gaps, b"g", 9, Direction::Forward).as_deref(), Some("m"));
    }

    #[test]
    fn a_note_that_a_later_value_contradicts_is_dropped() {
        let gaps = watching();
        gaps.written(7, [b"f".as_slice()].into_iter());
        gaps.note(b"c", b"m", 7);
        assert_eq!(beyond(&gaps, b"d", 9, Direction::Forward), None);
        gaps.note(b"c", b"f", 7);
        assert_eq!(beyond(&gaps, b"d", 9, Direction::Forward).as_deref(), Some("f"));
        gaps.note(b"f", b"m", 8);
        assert_eq!(beyond(&gaps, b"d", 9, Direction::Forward).as_deref(), Some("m"));
    }

    #[test]
    fn what_is_of_no_use_is_forgotten() {
        let gaps = watching();
        gaps.note(b"c", b"m", 5);
        gaps.written(6 + UNUSED_COMMITS, std::iter::empty());
        assert_eq!(beyond(&gaps, b"d", u64::MAX, Direction::Forward), None);
        assert!(!gaps.is_watching.load(Ordering::Relaxed));
    }

    proptest! {
        /// Readers at any instant note what they find, and no reader is ever led past a key that it
        /// should see.
        #[test]
        fn nobody_is_led_past_a_key(
            steps in vec((0..4_u8, 0..20_u8, 0..20_u8, 0..6_u64), 1..200),
        ) {
            let gaps = watching();
            let mut states: Vec<BTreeSet<u8>> = vec![BTreeSet::new(); 3];
            for (kind, key, other, age) in steps {
                let number = states.len() as u64 - 1;
                let mut state = states.last().unwrap().clone();
                match kind {
                    0 => {
                        gaps.written(number, [[key].as_slice()].into_iter());
                        state.insert(key);
                        states.push(state);
                    }
                    1 => {
                        gaps.written(number, std::iter::empty());
                        state.remove(&key);
                        states.push(state);
                    }
                    _ => {
                        // Whoever reads at an instant sees all commits below it.
                        let instant = number.saturating_sub(age).max(2);
                        let seen = &states[instant as usize];
                        let (start, end) = (key.min(other), key.max(other));
                        if seen.range(start..end).next().is_none() {
                            gaps.note(&[start], &[end], instant);
                        }
                        for direction in [Direction::Forward, Direction::Backward] {
                            let Some(beyond) = gaps
                                .beyond(&[key], instant, direction) else { continue };
                            let passed: Vec<_> = match direction {
                                Direction::Forward => seen.iter()
                                    .filter(|it| **it >= key && [**it][..] < beyond[..]).collect(),
                                Direction::Backward => seen.iter()
                                    .filter(|it| **it < key && [**it][..] >= beyond[..]).collect(),
                            };
                            prop_assert!(passed.is_empty(), "{:?} from {} at {}", passed, key,
                                instant);
                        }
                    }
                }
            }
        }
    }
}
