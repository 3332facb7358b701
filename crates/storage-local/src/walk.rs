//! Walking over a range of a state, past whatever was deleted.
//!
//! A queue that is worked off from its head, an index whose entries come and go, a log that is
//! trimmed: all leave stretches of deleted entries, which stay until tables are merged. A walk that
//! meets many of them in a row notes the stretch (`gaps`), and the next one goes around it.

use std::ops::{Bound, ControlFlow};

use bytes::Bytes;
use monotable_storage::Direction;
use monotable_tree::{Cursor, Result, State};

use crate::gaps::Gaps;

/// After how many entries a walk lets others go first: about two milliseconds.
const PIECE_ENTRIES: usize = 8_192;
/// How many pieces of a stretch are walked at most when no reader waits.
const STRETCH_PIECES_MAX: usize = 16;
/// So many deleted entries in a row may belong to a gap that is known.
const MANY_IN_A_ROW: usize = 8;
/// So many deleted entries in a row are worth a note.
const WORTH_A_NOTE: usize = 32;

/// See the module.
pub(crate) struct Walk<'a> {
    state: &'a State,
    instant: u64,
    gaps: &'a Gaps,
    start: Bound<&'a [u8]>,
    end: Bound<&'a [u8]>,
    direction: Direction,
    /// Where to go on, if not from the beginning.
    from: Option<Vec<u8>>,
    /// The deleted entries that were met last, if there are any.
    stretch: Option<Stretch>,
    /// How many deleted entries were met in all.
    passed: usize,
    /// Whether the last stretch that was worth a note has become a gap.
    is_noted: bool,
}

/// Deleted entries in a row.
struct Stretch {
    /// The first of them.
    first: Vec<u8>,
    /// How many there are, without those of gaps that were known.
    entries: usize,
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walked {
    ToTheEnd,
    /// It is to be asked again.
    FarEnough,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        state: &'a State,
        instant: u64,
        gaps: &'a Gaps,
        (start, end): (Bound<&'a [u8]>, Bound<&'a [u8]>),
        direction: Direction,
    ) -> Walk<'a> {
        Walk {
            state,
            instant,
            gaps,
            start,
            end,
            direction,
            from: None,
            stretch: None,
            passed: 0,
            is_noted: false,
        }
    }

    /// Visits entries until the range ends, the visitor has enough, or others should go first.
    pub(crate) fn go_on(
        &mut self,
        visit: &mut impl FnMut(&[u8], Bytes) -> ControlFlow<()>,
    ) -> Result<Walked> {
        let begin = self.from.take().or_else(|| self.jump_at_once());
        if begin.as_ref().is_some_and(|begin| !self.is_inside(begin)) {
            return Ok(Walked::ToTheEnd);
        }
        let mut cursor = self.cursor(begin.as_deref())?;
        for _ in 0..PIECE_ENTRIES {
            let Some(key) = cursor.key() else {
                self.note_to_the_end();
                return Ok(Walked::ToTheEnd);
            };
            if let Some(value) = cursor.value() {
                self.note_before(key);
                self.stretch = None;
                if visit(key, value).is_break() {
                    return Ok(Walked::ToTheEnd);
                }
            } else if let Some(beyond) = self.pass_over(key) {
                if !self.is_inside(&beyond) {
                    self.note_to_the_end();
                    return Ok(Walked::ToTheEnd);
                }
                cursor = self.cursor(Some(&beyond))?;
                continue;
            }
            cursor.step()?;
        }
        let Some(key) = cursor.key() else { return Ok(Walked::ToTheEnd) };
        self.note_before(key);
        self.from = Some(match self.direction {
            Direction::Forward => key.to_vec(),
            Direction::Backward => after(key),
        });
        Ok(Walked::FarEnough)
    }

    /// Walks on from a key: at or above it forwards, below it backwards.
    fn cursor(&self, from: Option<&[u8]>) -> Result<Cursor<'a>> {
        let state = self.state;
        match self.direction {
            Direction::Forward => {
                let from = from.map_or(self.start, Bound::Included);
                state.cursor(monotable_tree::Direction::Forward, from, self.end, self.instant)
            }
            Direction::Backward => {
                let from = from.map_or(self.end, Bound::Excluded);
                state.cursor(monotable_tree::Direction::Backward, from, self.start, self.instant)
            }
        }
    }

    /// Where to begin if the range begins in a gap.
    fn jump_at_once(&self) -> Option<Vec<u8>> {
        match (self.direction, self.start, self.end) {
            (Direction::Forward, Bound::Included(key) | Bound::Excluded(key), _) => {
                self.gaps.beyond(key, self.instant, self.direction)
            }
            (Direction::Backward, _, Bound::Excluded(key)) => {
                self.gaps.beyond(key, self.instant, self.direction)
            }
            // The key itself may be there though all below it is a gap.
            (Direction::Backward, _, Bound::Included(key)) => {
                self.gaps.beyond(&after(key), self.instant, self.direction)
            }
            (Direction::Forward | Direction::Backward, _, _) => None,
        }
    }

    /// Counts a deleted entry. Returns where to go on, if there is a gap around it.
    fn pass_over(&mut self, key: &[u8]) -> Option<Vec<u8>> {
        let stretch =
            self.stretch.get_or_insert_with(|| Stretch { first: key.to_vec(), entries: 0 });
        stretch.entries += 1;
        self.passed += 1;
        if !stretch.entries.is_multiple_of(MANY_IN_A_ROW) {
            return None;
        }
        let beyond = self.gaps.beyond(key, self.instant, self.direction)?;
        let is_further = match self.direction {
            Direction::Forward => *beyond > *key,
            Direction::Backward => *beyond <= *key,
        };
        is_further.then_some(beyond)
    }

    /// Returns whether something of the range lies beyond a place: at or above it forwards, below
    /// it backwards.
    fn is_inside(&self, place: &[u8]) -> bool {
        match (self.direction, self.start, self.end) {
            (Direction::Forward, _, Bound::Included(end)) => place <= end,
            (Direction::Forward, _, Bound::Excluded(end)) => place < end,
            (Direction::Backward, Bound::Included(start) | Bound::Excluded(start), _) => {
                place > start
            }
            (Direction::Forward | Direction::Backward, _, _) => true,
        }
    }

    /// Notes that there is nothing from the first deleted entry up to a key.
    fn note_before(&mut self, key: &[u8]) {
        let Some(stretch) = self.stretch_worth_a_note() else { return };
        self.is_noted = match self.direction {
            Direction::Forward => self.gaps.note(&stretch.first, key, self.instant),
            Direction::Backward => {
                self.gaps.note(&after(key), &after(&stretch.first), self.instant)
            }
        };
    }

    fn note_to_the_end(&mut self) {
        let Some(stretch) = self.stretch_worth_a_note() else { return };
        let note = |start: &[u8], end: &[u8]| self.gaps.note(start, end, self.instant);
        self.is_noted = match (self.direction, self.start, self.end) {
            (Direction::Forward, _, Bound::Excluded(end)) => note(&stretch.first, end),
            (Direction::Forward, _, Bound::Included(end)) => note(&stretch.first, &after(end)),
            (Direction::Backward, Bound::Included(start), _) => note(start, &after(&stretch.first)),
            (Direction::Backward, Bound::Excluded(start), _) => {
                note(&after(start), &after(&stretch.first))
            }
            (Direction::Forward | Direction::Backward, _, _) => false,
        };
    }

    fn stretch_worth_a_note(&self) -> Option<&Stretch> {
        self.stretch.as_ref().filter(|stretch| stretch.entries >= WORTH_A_NOTE)
    }
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        if self.passed > 0 {
            self.gaps.passed(self.passed);
        }
    }
}

/// Deleted entries in a row, up to the first value.
#[derive(Debug)]
pub(crate) struct DeletedStretch {
    /// How many there are, without those of gaps that were known.
    pub(crate) entries: usize,
    /// What became of them.
    pub(crate) outcome: Outcome,
    /// Where they end; none if nothing is behind them.
    pub(crate) end: Option<Vec<u8>>,
}

/// What became of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is a gap now.
    Gap,
    /// There was nothing, or too little to be worth a note.
    Short,
    /// It was not believed, because others write meanwhile. It may be the next time.
    Doubtful,
}

/// Walks from a key to the first value at or above it. A very long stretch is walked in part.
pub(crate) fn stretch_from(
    state: &State,
    instant: u64,
    gaps: &Gaps,
    start: &[u8],
) -> Result<DeletedStretch> {
    let bounds = (Bound::Included(start), Bound::Unbounded);
    let mut walk = Walk::new(state, instant, gaps, bounds, Direction::Forward);
    let mut end = None;
    let mut visit = |key: &[u8], _: Bytes| {
        end = Some(key.to_vec());
        ControlFlow::Break(())
    };
    for _ in 0..STRETCH_PIECES_MAX {
        if walk.go_on(&mut visit)? == Walked::ToTheEnd {
            break;
        }
    }
    let outcome = match (walk.is_noted, walk.passed >= WORTH_A_NOTE) {
        (true, _) => Outcome::Gap,
        (false, true) => Outcome::Doubtful,
        (false, false) => Outcome::Short,
    };
    Ok(DeletedStretch { entries: walk.passed, outcome, end: end.or_else(|| walk.from.take()) })
}

/// The first key behind a key.
fn after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

#[cfg(test)]
mod tests;
