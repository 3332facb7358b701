//! Questions about automata, each answered with an example.

use std::collections::{HashMap, HashSet, VecDeque};

use super::automaton::Automaton;
use super::char_set::{CharSet, next, previous};

/// Where a search came from: the state before, and the character in between.
type Trail<S> = HashMap<S, Option<(S, char)>>;

impl Automaton {
    /// A shortest text.
    pub(crate) fn shortest(&self) -> Option<String> {
        self.shortest_from(0)
    }

    /// A shortest text that both have.
    pub(crate) fn common(&self, other: &Automaton) -> Option<String> {
        search(
            (0, 0),
            |(left, right)| self.joint_edges(*left, other, *right),
            |(left, right)| {
                let both_end = self.is_accepting(*left) && other.is_accepting(*right);
                both_end.then_some(())
            },
        )
        .map(|(text, ())| text)
    }

    /// A shortest text from a state on.
    fn shortest_from(&self, start: usize) -> Option<String> {
        search(
            start,
            |state| self.edges(*state).to_vec(),
            |state| self.is_accepting(*state).then(String::new),
        )
        .map(|(text, _)| text)
    }

    /// A shortest text that leads to a state.
    pub(crate) fn shortest_to(&self, end: usize) -> Option<String> {
        let edges = |state: &usize| self.edges(*state).to_vec();
        search(0, edges, |state| (*state == end).then_some(())).map(|(text, ())| text)
    }

    /// Some texts, short ones first, and whether these are all.
    pub(crate) fn samples(&self, count_max: usize) -> (Vec<String>, bool) {
        let mut waiting = VecDeque::from([(0, String::new())]);
        let mut seen = HashSet::new();
        let (mut texts, mut complete) = (Vec::new(), true);
        while let Some((state, text)) = waiting.pop_front() {
            if self.is_accepting(state) && !texts.contains(&text) {
                texts.push(text.clone());
            }
            if texts.len() >= count_max || seen.len() >= count_max * SEARCH_STEPS_PER_SAMPLE {
                return (texts, false);
            }
            for (set, to) in self.edges(state) {
                let characters = few_characters(set);
                complete &= is_few(set, &characters);
                for character in characters {
                    let longer = format!("{text}{character}");
                    if seen.insert((*to, longer.clone())) {
                        waiting.push_back((*to, longer));
                    }
                }
            }
        }
        (texts, complete)
    }

    /// The bytes of the longest text, if there is one.
    pub(crate) fn longest_bytes(&self) -> Option<usize> {
        let mut longest: Vec<Option<usize>> = vec![None; self.states().len()];
        let mut entered = vec![false; self.states().len()];
        // A state is entered, then its successors are done, then it is done itself. Meeting a state
        // that is entered but not done is a loop.
        let mut stack = vec![(0, false)];
        while let Some((state, successors_done)) = stack.pop() {
            if successors_done {
                let after = |(set, to): &(CharSet, usize)| {
                    let rest = longest.get(*to).copied().flatten()?;
                    Some(rest + set.last()?.len_utf8())
                };
                let most = self.edges(state).iter().filter_map(after).max().unwrap_or(0);
                longest.get_mut(state).into_iter().for_each(|slot| *slot = Some(most));
                continue;
            }
            match (entered.get(state), longest.get(state)) {
                (Some(true), Some(Some(_))) => continue,
                (Some(true), _) => return None,
                _ => {}
            }
            entered.get_mut(state).into_iter().for_each(|slot| *slot = true);
            stack.push((state, true));
            for (_, to) in self.edges(state) {
                match (entered.get(*to), longest.get(*to)) {
                    (Some(true), Some(None)) => return None,
                    (Some(true), _) => {}
                    _ => stack.push((*to, false)),
                }
            }
        }
        longest.first().copied().flatten()
    }

    /// A text of this and a greater one of the other.
    pub(crate) fn less_than(&self, other: &Automaton) -> Option<(String, String)> {
        self.less_than_from(0, other, 0)
    }

    fn less_than_from(
        &self,
        start: usize,
        other: &Automaton,
        other_start: usize,
    ) -> Option<(String, String)> {
        let found = search(
            (start, other_start),
            |(left, right)| self.joint_edges(*left, other, *right),
            |(left, right)| self.parting(*left, other, *right),
        );
        found.map(|(common, (lesser, greater))| (common.clone() + &lesser, common + &greater))
    }

    /// How two texts with a common beginning can go on so that the first becomes the lesser: it
    /// ends where the other goes on, or has the lesser character.
    fn parting(&self, left: usize, other: &Automaton, right: usize) -> Option<(String, String)> {
        if self.is_accepting(left) && !other.edges(right).is_empty() {
            return Some((String::new(), other.go_on(right, |set| set.sample())?));
        }
        let pairs = self.edges(left).iter().flat_map(|(set, to)| {
            other
                .edges(right)
                .iter()
                .map(move |(other_set, other_to)| (set, to, other_set, other_to))
        });
        pairs.into_iter().find_map(|(set, to, other_set, other_to)| {
            let (lesser, greater) = ascending(set, other_set)?;
            let lesser = format!("{lesser}{}", self.shortest_from(*to)?);
            let greater = format!("{greater}{}", other.shortest_from(*other_to)?);
            Some((lesser, greater))
        })
    }

    /// From a state at which a part can end: a text that stays in the part, and a greater one that
    /// leaves it.
    pub(crate) fn stays_below(&self, state: usize) -> Option<(String, String)> {
        let owner = |state: usize| self.states().get(state).map(|state| state.owner);
        let edges = self.edges(state).iter();
        let (staying, leaving): (Vec<_>, Vec<_>) =
            edges.partition(|(_, to)| state != 0 && owner(*to) == owner(state));
        let pairs = staying.iter().flat_map(|stay| leaving.iter().map(move |leave| (stay, leave)));
        pairs.into_iter().find_map(|((set, to), (other_set, other_to))| {
            if let Some((lesser, greater)) = ascending(set, other_set) {
                let lesser = format!("{lesser}{}", self.shortest_from(*to)?);
                return Some((lesser, format!("{greater}{}", self.shortest_from(*other_to)?)));
            }
            let first = set.intersection(other_set).sample()?;
            let (lesser, greater) = self.less_than_from(*to, self, *other_to)?;
            Some((format!("{first}{lesser}"), format!("{first}{greater}")))
        })
    }

    /// A text from a state on that is not empty.
    fn go_on(&self, state: usize, pick: impl Fn(&CharSet) -> Option<char>) -> Option<String> {
        let (set, to) = self.edges(state).first()?;
        Some(format!("{}{}", pick(set)?, self.shortest_from(*to)?))
    }

    /// A text in which some character can belong to two different parts.
    pub(crate) fn ambiguous(&self) -> Option<String> {
        let owner = |state: usize| self.states().get(state).map_or(0, |state| state.owner);
        search(
            (0, 0, false),
            |(left, right, parted)| {
                let edges = self.joint_edges(*left, self, *right).into_iter();
                edges
                    .map(|(set, (left, right))| {
                        (set, (left, right, *parted || owner(left) != owner(right)))
                    })
                    .collect()
            },
            |(left, right, parted)| {
                let both_end = self.is_accepting(*left) && self.is_accepting(*right);
                (*parted && both_end).then(String::new)
            },
        )
        .map(|(text, _)| text)
    }
}

/// How many texts a search for samples may look at for each that it is to find.
const SEARCH_STEPS_PER_SAMPLE: usize = 256;

/// A breadth-first search: the text that leads to the first state for which something is found.
fn search<S: Clone + Eq + std::hash::Hash, T>(
    start: S,
    edges: impl Fn(&S) -> Vec<(CharSet, S)>,
    found: impl Fn(&S) -> Option<T>,
) -> Option<(String, T)> {
    let mut trail: Trail<S> = HashMap::from([(start.clone(), None)]);
    let mut waiting = VecDeque::from([start]);
    while let Some(state) = waiting.pop_front() {
        if let Some(what) = found(&state) {
            return Some((text_to(&trail, state), what));
        }
        for (set, to) in edges(&state) {
            if let (false, Some(character)) = (trail.contains_key(&to), set.sample()) {
                trail.insert(to.clone(), Some((state.clone(), character)));
                waiting.push_back(to);
            }
        }
    }
    None
}

fn text_to<S: Clone + Eq + std::hash::Hash>(trail: &Trail<S>, state: S) -> String {
    let mut characters = Vec::new();
    let mut state = state;
    while let Some(Some((before, character))) = trail.get(&state) {
        characters.push(*character);
        state = before.clone();
    }
    characters.into_iter().rev().collect()
}

/// A character of each set, the first one less than the second.
fn ascending(left: &CharSet, right: &CharSet) -> Option<(char, char)> {
    let (least, greatest) = (left.first()?, right.last()?);
    if least >= greatest {
        return None;
    }
    let below = left.intersection(&CharSet::from_ranges([('\0', previous(greatest)?)]));
    let lesser = below.sample()?;
    let above = right.intersection(&CharSet::from_ranges([(next(lesser)?, char::MAX)]));
    Some((lesser, above.sample()?))
}

/// A few characters of a set, pleasant ones first.
fn few_characters(set: &CharSet) -> Vec<char> {
    let mut characters: Vec<char> = set.sample().into_iter().collect();
    characters.extend([set.first(), set.last()].into_iter().flatten());
    let mut distinct = Vec::new();
    for character in characters {
        if !distinct.contains(&character) {
            distinct.push(character);
        }
    }
    distinct
}

fn is_few(set: &CharSet, characters: &[char]) -> bool {
    let these = CharSet::from_ranges(characters.iter().map(|c| (*c, *c)));
    set.difference(&these).is_empty()
}
