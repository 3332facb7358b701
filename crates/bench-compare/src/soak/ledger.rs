//! What a client knows of its items.
//!
//! Of each item it knows the version that must be there, and of all versions that were before, how
//! many there were and a checksum over them in order. The consumer of the stream keeps the same, so
//! that both are compared without keeping every change.

/// The state that a change leads to: a version, or no item.
pub(super) type State = Option<u64>;

/// All changes of an item in order, as a count and a checksum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct History {
    pub(super) changes: u64,
    checksum: u64,
}

/// An odd number without a pattern, so that the order of changes counts.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl History {
    /// Adds a change.
    pub(super) fn note(&mut self, state: State) {
        let number = state.map_or(0, |version| version.wrapping_add(1));
        self.changes += 1;
        self.checksum = self.checksum.wrapping_mul(FACTOR).wrapping_add(number ^ FACTOR);
    }
}

/// An item.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) state: State,
    pub(super) history: History,
}

impl Known {
    /// Notes a change that has happened. Removing what is not there is none.
    pub(super) fn note(&mut self, state: State) {
        if self.state.is_some() || state.is_some() {
            self.state = state;
            self.history.note(state);
        }
    }
}

/// A change of one item, by its number.
pub(super) type Change = (usize, State);

/// How the changes of one request belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unity {
    /// All of them happen, or none does.
    Atomic,
    /// Each happens or does not.
    Separate,
}

/// Changes that were asked for and not answered.
#[derive(Debug, Clone)]
pub(super) struct Doubt {
    pub(super) changes: Vec<Change>,
    pub(super) unity: Unity,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(states: &[State]) -> History {
        let mut history = History::default();
        states.iter().for_each(|state| history.note(*state));
        history
    }

    #[test]
    fn a_history_knows_the_order_and_every_change() {
        let whole = history(&[Some(1), Some(2), None, Some(3)]);
        assert_eq!(whole, history(&[Some(1), Some(2), None, Some(3)]));
        assert_ne!(whole, history(&[Some(2), Some(1), None, Some(3)]));
        assert_ne!(whole, history(&[Some(1), None, Some(3)]));
        assert_ne!(whole, history(&[Some(1), Some(2), Some(2), None, Some(3)]));
    }

    #[test]
    fn removing_what_is_not_there_changes_nothing() {
        let mut known = Known::default();
        known.note(None);
        assert_eq!(known.history, History::default());
        known.note(Some(1));
        known.note(None);
        assert_eq!((known.state, known.history.changes), (None, 2));
    }
}
