//! The order in which the keys of two templates lie in one collection.

use super::key_set::KeySet;
use super::language::Automaton;
use super::verdict::Verdict;

/// How the keys of one template can lie to those of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interleaving {
    /// A key of the first before one of the second.
    pub before: Verdict<KeyPair>,
    /// A key of the first after one of the second.
    pub after: Verdict<KeyPair>,
    /// A key of both.
    pub same: Verdict<String>,
}

/// A key of each template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPair {
    /// Of the first.
    pub first: String,
    /// Of the second.
    pub second: String,
}

/// Where all keys of one template lie, seen from the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Every key of the first is before every key of the second.
    Before,
    /// Every key of the first is after every key of the second.
    After,
    /// There is but one key, and both have it.
    Same,
    /// Anything else: some lie before and some after, or they can meet.
    Mixed,
}

impl Interleaving {
    /// The placement that is proved.
    pub fn placement(&self) -> Placement {
        match (self.before.is_never(), self.after.is_never(), self.same.is_never()) {
            (false, true, true) => Placement::Before,
            (true, false, true) => Placement::After,
            (true, true, false) => Placement::Same,
            (true, true, true) | (false, false, _) | (false, _, false) | (_, false, false) => {
                Placement::Mixed
            }
        }
    }

    /// How the texts of two automata lie, after a beginning that both have.
    pub(super) fn of(beginning: &str, first: &Automaton, second: &Automaton) -> Interleaving {
        let with_beginning = |text: String| format!("{beginning}{text}");
        let pair = |first: String, second: String| {
            let (first, second) = (with_beginning(first), with_beginning(second));
            Verdict::Possible(KeyPair { first, second })
        };
        let before = first.less_than(second);
        let after = second.less_than(first);
        let same = first.common(second);
        Interleaving {
            before: before.map_or(Verdict::Never, |(first, second)| pair(first, second)),
            after: after.map_or(Verdict::Never, |(second, first)| pair(first, second)),
            same: same.map_or(Verdict::Never, |text| Verdict::Possible(with_beginning(text))),
        }
    }

    /// Keeps the examples for which something holds.
    pub(super) fn retain(self, holds: impl Fn(&str, &str) -> bool) -> Interleaving {
        let pair = |verdict| match verdict {
            Verdict::Possible(KeyPair { first, second }) if !holds(&first, &second) => {
                Verdict::Undecided
            }
            other => other,
        };
        let same = match self.same {
            Verdict::Possible(key) if !holds(&key, &key) => Verdict::Undecided,
            other => other,
        };
        Interleaving { before: pair(self.before), after: pair(self.after), same }
    }
}

impl KeySet {
    /// How the keys lie to those of another template, if the two share a collection but no
    /// attribute. [`EntityKeys::interleaving`](super::EntityKeys::interleaving) also knows what a
    /// collection's members have in common.
    pub fn interleaving(&self, other: &KeySet) -> Interleaving {
        let interleaving = Interleaving::of("", self.language(), other.language());
        interleaving.retain(|first, second| self.fits(first) && other.fits(second))
    }
}
