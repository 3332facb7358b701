//! Nondeterministic automata without empty moves, and the ways to combine them.
//!
//! State 0 is the start. Every state can be reached, and from every state a text can be finished,
//! unless the automaton accepts nothing at all; that makes "has an edge" mean "goes on to some
//! text".

use std::collections::HashMap;

use super::char_set::CharSet;

/// Some texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Automaton {
    states: Vec<State>,
}

/// A state: whether a text may end here, and where characters lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) accepting: bool,
    pub(crate) edges: Vec<(CharSet, usize)>,
    /// Which of the automata that were joined the state comes from: the segment that wrote the
    /// character which led here.
    pub(crate) owner: usize,
}

/// States with moves that consume nothing, which [`Builder::finish`] takes out.
pub(crate) struct Builder {
    states: Vec<(State, Vec<usize>)>,
}

impl Builder {
    /// A builder with this many states, none accepting.
    pub(crate) fn with_states(count: usize) -> Builder {
        let state = || (State { accepting: false, edges: Vec::new(), owner: 0 }, Vec::new());
        Builder { states: std::iter::repeat_with(state).take(count).collect() }
    }

    pub(crate) fn add_state(&mut self) -> usize {
        self.states.push((State { accepting: false, edges: Vec::new(), owner: 0 }, Vec::new()));
        self.states.len() - 1
    }

    pub(crate) fn accept(&mut self, state: usize) {
        if let Some((state, _)) = self.states.get_mut(state) {
            state.accepting = true;
        }
    }

    pub(crate) fn edge(&mut self, from: usize, set: CharSet, to: usize) {
        if let Some((state, _)) = self.states.get_mut(from).filter(|_| !set.is_empty()) {
            state.edges.push((set, to));
        }
    }

    pub(crate) fn empty_move(&mut self, from: usize, to: usize) {
        if let Some((_, moves)) = self.states.get_mut(from) {
            moves.push(to);
        }
    }

    /// Adds the states of an automaton and says where its start is.
    pub(crate) fn embed(&mut self, automaton: &Automaton, owner: Option<usize>) -> usize {
        let offset = self.states.len();
        for state in &automaton.states {
            let edges = state.edges.iter().map(|(set, to)| (set.clone(), to + offset)).collect();
            let owner = owner.unwrap_or(state.owner);
            let state = State { accepting: state.accepting, edges, owner };
            self.states.push((state, Vec::new()));
        }
        offset
    }

    /// The automaton that starts at a state.
    pub(crate) fn finish(self, start: usize) -> Automaton {
        let closed = (0..self.states.len()).map(|state| self.closed(state)).collect();
        Automaton { states: closed }.trimmed(start)
    }

    /// A state together with all that empty moves lead to.
    fn closed(&self, state: usize) -> State {
        let owner = self.states.get(state).map_or(0, |(state, _)| state.owner);
        let mut closed = State { accepting: false, edges: Vec::new(), owner };
        let mut seen = vec![state];
        let mut next = 0;
        while let Some(current) = seen.get(next).copied() {
            next += 1;
            let Some((state, moves)) = self.states.get(current) else { continue };
            closed.accepting |= state.accepting;
            closed.edges.extend(state.edges.iter().cloned());
            for to in moves {
                if !seen.contains(to) {
                    seen.push(*to);
                }
            }
        }
        closed
    }
}

impl Automaton {
    /// No text at all.
    pub(crate) fn nothing() -> Automaton {
        Builder::with_states(1).finish(0)
    }

    /// One text.
    pub(crate) fn literal(text: &str) -> Automaton {
        Automaton::sequence(text.chars().map(|c| CharSet::from_ranges([(c, c)])))
    }

    /// One character of each set in turn.
    pub(crate) fn sequence(sets: impl IntoIterator<Item = CharSet>) -> Automaton {
        let mut builder = Builder::with_states(1);
        let mut last = 0;
        for set in sets {
            let next = builder.add_state();
            builder.edge(last, set, next);
            last = next;
        }
        builder.accept(last);
        builder.finish(0)
    }

    /// From `min` to `max` characters of a set, or any number from `min` on.
    pub(crate) fn repeat(set: &CharSet, min: usize, max: Option<usize>) -> Automaton {
        let count = max.unwrap_or(min);
        let mut builder = Builder::with_states(count + 1);
        for state in 0..count {
            builder.edge(state, set.clone(), state + 1);
        }
        (min..=count).for_each(|state| builder.accept(state));
        if max.is_none() {
            builder.edge(count, set.clone(), count);
        }
        builder.finish(0)
    }

    /// The texts of any of these.
    pub(crate) fn union(parts: impl IntoIterator<Item = Automaton>) -> Automaton {
        let mut builder = Builder::with_states(1);
        for part in parts {
            let start = builder.embed(&part, None);
            builder.empty_move(0, start);
        }
        builder.finish(0)
    }

    /// A text of each in turn. States remember which part they come from.
    pub(crate) fn concat(parts: &[Automaton]) -> Automaton {
        let mut builder = Builder::with_states(1);
        let mut ends = vec![0];
        for (owner, part) in parts.iter().enumerate() {
            let start = builder.embed(part, Some(owner));
            for end in ends {
                builder.empty_move(end, start);
            }
            let accepting = part.states.iter().enumerate().filter(|(_, state)| state.accepting);
            ends = accepting.map(|(state, _)| state + start).collect();
        }
        for (state, _) in &mut builder.states {
            state.accepting = false;
        }
        ends.into_iter().for_each(|end| builder.accept(end));
        builder.finish(0)
    }

    /// The texts of both.
    pub(crate) fn intersection(&self, other: &Automaton) -> Automaton {
        let mut pairs = vec![(0, 0)];
        let mut places = HashMap::from([((0, 0), 0)]);
        let mut builder = Builder::with_states(1);
        let mut next = 0;
        while let Some((left, right)) = pairs.get(next).copied() {
            if self.is_accepting(left) && other.is_accepting(right) {
                builder.accept(next);
            }
            for (set, pair) in self.joint_edges(left, other, right) {
                let to = *places.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    builder.add_state()
                });
                builder.edge(next, set, to);
            }
            next += 1;
        }
        builder.finish(0)
    }

    /// Without the empty text.
    pub(crate) fn without_empty(&self) -> Automaton {
        self.residual(0)
    }

    /// The texts, but not the empty one, that can be read from a state on.
    pub(crate) fn residual(&self, state: usize) -> Automaton {
        let mut builder = Builder::with_states(1);
        let offset = builder.embed(self, None);
        for (set, to) in self.edges(state) {
            builder.edge(0, set.clone(), to + offset);
        }
        builder.finish(0)
    }

    /// All texts that begin with one of these.
    pub(crate) fn then_anything(&self) -> Automaton {
        Automaton::concat(&[self.clone(), Automaton::repeat(&CharSet::all(), 0, None)])
    }

    pub(crate) fn states(&self) -> &[State] {
        &self.states
    }

    pub(crate) fn edges(&self, state: usize) -> &[(CharSet, usize)] {
        self.states.get(state).map_or(&[], |state| state.edges.as_slice())
    }

    pub(crate) fn is_accepting(&self, state: usize) -> bool {
        self.states.get(state).is_some_and(|state| state.accepting)
    }

    /// Whether a text is one of these.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let mut current = vec![0];
        for character in text.chars() {
            let leads = |state: &usize| {
                let edges = self.edges(*state).iter();
                edges.filter(|(set, _)| set.contains(character)).map(|(_, to)| *to)
            };
            let mut reached: Vec<usize> = current.iter().flat_map(leads).collect();
            reached.sort_unstable();
            reached.dedup();
            current = reached;
        }
        current.into_iter().any(|state| self.is_accepting(state))
    }

    /// Where two automata go together from a pair of states.
    pub(crate) fn joint_edges(
        &self,
        left: usize,
        other: &Automaton,
        right: usize,
    ) -> Vec<(CharSet, (usize, usize))> {
        let mut joint = Vec::new();
        for (set, to) in self.edges(left) {
            for (other_set, other_to) in other.edges(right) {
                let both = set.intersection(other_set);
                if !both.is_empty() {
                    joint.push((both, (*to, *other_to)));
                }
            }
        }
        joint
    }

    /// Without states that cannot be reached from the start, or from which no text can be finished.
    fn trimmed(&self, start: usize) -> Automaton {
        let alive = self.alive();
        let mut order = vec![start];
        let mut places = HashMap::from([(start, 0)]);
        let mut next = 0;
        while let Some(state) = order.get(next).copied() {
            next += 1;
            for (_, to) in self.edges(state) {
                if alive.get(*to) == Some(&true) && !places.contains_key(to) {
                    places.insert(*to, order.len());
                    order.push(*to);
                }
            }
        }
        let keep = |state: &usize| {
            let edges = self.edges(*state).iter();
            let edges =
                edges.filter_map(|(set, to)| Some((set.clone(), *places.get(to)?))).collect();
            let owner = self.states.get(*state).map_or(0, |state| state.owner);
            State { accepting: self.is_accepting(*state), edges, owner }
        };
        Automaton { states: order.iter().map(keep).collect() }
    }

    /// From which states a text can be finished.
    fn alive(&self) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (state, edges) in self.states.iter().map(|state| &state.edges).enumerate() {
            for (_, to) in edges {
                before.get_mut(*to).into_iter().for_each(|states| states.push(state));
            }
        }
        let mut alive = vec![false; self.states.len()];
        let mut waiting: Vec<usize> =
            (0..self.states.len()).filter(|state| self.is_accepting(*state)).collect();
        while let Some(state) = waiting.pop() {
            let Some(slot) = alive.get_mut(state).filter(|slot| !**slot) else { continue };
            *slot = true;
            waiting.extend(before.get(state).into_iter().flatten());
        }
        alive
    }
}
