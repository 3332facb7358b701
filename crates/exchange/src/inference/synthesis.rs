//! The cheapest template for some keys.
//!
//! The keys of all items are read at once from left to right. A state is a place in each of them; a
//! step is a literal that all go on with, or an attribute whose text all go on with. The cheapest
//! way to the end is the template.
//!
//! Costs say what is plausible. Attributes cost little where they begin and end at a delimiter,
//! more inside a word. Capitals, usual constants and the first word before a delimiter are cheap
//! literals; other words are cheap only if several items share them. A part that no attribute
//! explains is dearer than all of these.

use std::collections::HashMap;

use super::candidate::Candidate;
use super::key_text::{DELIMITERS, is_constant_word, is_usual_constant};

/// A piece of the template that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is the same in every key.
    Literal(String),
    /// The candidate of this number.
    Attribute(usize),
    /// What no attribute explains: the text in each key.
    Unknown(Vec<String>),
}

/// Whether parts that no attribute explains are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gaps {
    /// They are not.
    Forbidden,
    /// They are, up to the next of these characters.
    UpTo(Option<char>),
}

const PUNCTUATION: u32 = 1;
const CONSTANT_WORD: u32 = 8;
const SHARED_WORD: u32 = 20;
const LONE_WORD: u32 = 60;
const CAPITAL: u32 = 10;
const LETTER: u32 = 15;
const DIGIT: u32 = 25;
/// A digit that begins a part is rather the first of an identifier.
const LEADING_DIGIT: u32 = 35;
/// A character of a word that keys share which are not the same.
const SHARED_CHARACTER: u32 = 6;
const UNALIGNED_END: u32 = 15;
const UNKNOWN: u32 = 30;
/// A first word that is the same in all keys is rather a name than a value.
const CONSTANT_FIRST: u32 = 8;

/// Finds the pieces of some keys, if there are any that build all of them.
pub(super) fn solve(keys: &[&str], candidates: &[Candidate], gaps: Gaps) -> Option<Vec<Piece>> {
    let mut search = Search { keys, candidates, gaps, best: HashMap::new() };
    let start = vec![0; keys.len()];
    search.explore(&start);
    search.best.get(&start)?.as_ref()?;
    Some(search.pieces(start))
}

/// A way on from a state.
#[derive(Debug, Clone)]
struct Move {
    piece: Piece,
    to: Vec<usize>,
}

/// A state and the ways on from it, each with its cost.
struct Visit {
    state: Vec<usize>,
    moves: Vec<(u32, Move)>,
}

struct Search<'a> {
    keys: &'a [&'a str],
    candidates: &'a [Candidate],
    gaps: Gaps,
    /// The cost from a state to the end and the first move of it; nothing where there is no way.
    best: HashMap<Vec<usize>, Option<(u32, Option<Move>)>>,
}

impl Search<'_> {
    /// Finds the cheapest way from a state and from all that it leads to. States that wait for
    /// others lie on a stack of their own: there are as many as a key has characters.
    fn explore(&mut self, start: &[usize]) {
        let mut open = vec![self.visit(start.to_vec())];
        while let Some(visit) = open.pop() {
            let mut ends = visit.moves.iter().map(|(_, step)| &step.to);
            match ends.find(|to| !self.best.contains_key(*to)) {
                Some(unknown) => {
                    let next = self.visit(unknown.clone());
                    open.extend([visit, next]);
                }
                None => self.settle(visit),
            }
        }
    }

    /// A state from which nothing is known yet; one where a key has ended leads nowhere.
    fn visit(&self, state: Vec<usize>) -> Visit {
        let has_ended = self.rests(&state).any(str::is_empty);
        let moves = if has_ended { Vec::new() } else { self.moves(&state) };
        Visit { state, moves }
    }

    /// Notes the cheapest way from a state; the ways from all states that it leads to are known.
    fn settle(&mut self, visit: Visit) {
        let mut best = self.rests(&visit.state).all(str::is_empty).then_some((0, None));
        for (step_cost, step) in visit.moves {
            let Some(Some((rest, _))) = self.best.get(&step.to) else { continue };
            let total = step_cost + rest;
            if best.as_ref().is_none_or(|(cost, _)| total < *cost) {
                best = Some((total, Some(step)));
            }
        }
        self.best.insert(visit.state, best);
    }

    fn rests<'s>(&'s self, state: &'s [usize]) -> impl Iterator<Item = &'s str> {
        self.keys.iter().zip(state).map(|(key, at)| key.get(*at..).unwrap_or_default())
    }

    fn moves(&self, state: &[usize]) -> Vec<(u32, Move)> {
        let mut moves = self.attributes(state);
        moves.extend(self.gap(state));
        moves.extend(self.word(state));
        moves.extend(self.character(state));
        // The text of an attribute may be empty: it leads nowhere.
        moves.retain(|(_, step)| step.to != state);
        moves
    }

    fn attributes(&self, state: &[usize]) -> Vec<(u32, Move)> {
        let mut moves = Vec::new();
        for (number, candidate) in self.candidates.iter().enumerate() {
            let mut rests = self.rests(state).zip(&candidate.texts);
            if !rests.all(|(rest, text)| rest.starts_with(text.as_str())) {
                continue;
            }
            let lengths = candidate.texts.iter().map(String::len);
            let to: Vec<usize> =
                state.iter().zip(lengths).map(|(at, length)| at + length).collect();
            let mut cost = candidate.cost + self.misplacement(state, &to);
            if self.is_constant_first(state, candidate) {
                cost += CONSTANT_FIRST;
            }
            cost -= self.affinity(state, candidate);
            moves.push((cost, Move { piece: Piece::Attribute(number), to }));
        }
        moves
    }

    /// What it costs that an attribute begins or ends inside a word.
    fn misplacement(&self, from: &[usize], to: &[usize]) -> u32 {
        let begins = self.keys.iter().zip(from).all(|(key, at)| is_boundary_before(key, *at));
        let ends = self.keys.iter().zip(to).all(|(key, at)| is_boundary_after(key, *at));
        u32::from(!begins) * UNALIGNED_END + u32::from(!ends) * UNALIGNED_END
    }

    fn is_constant_first(&self, state: &[usize], candidate: &Candidate) -> bool {
        let is_first = state.iter().all(|at| *at == 0);
        let first = candidate.texts.first();
        let is_constant = candidate.texts.iter().all(|text| Some(text) == first);
        let has_more =
            self.keys.iter().zip(&candidate.texts).any(|(key, text)| key.len() > text.len());
        let is_word = first.is_some_and(|text| is_constant_word(text));
        is_first && has_more && is_constant && is_word && self.are_distinct()
    }

    fn are_distinct(&self) -> bool {
        self.keys.iter().any(|key| Some(key) != self.keys.first())
    }

    /// `ORDER#` is followed by `OrderId` rather than by another number.
    fn affinity(&self, state: &[usize], candidate: &Candidate) -> u32 {
        let before = self.keys.first().zip(state.first()).and_then(|(key, at)| key.get(..*at));
        let word: String = before
            .unwrap_or_default()
            .trim_end_matches(DELIMITERS)
            .rsplit(DELIMITERS)
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let name = candidate.part.path.to_string().to_lowercase();
        let is_akin = word.len() > 1 && (name.starts_with(&word) || word.starts_with(&name));
        u32::from(is_akin) * 2
    }

    /// A part that no attribute explains, from one delimiter to the next, or a number inside a
    /// word.
    fn gap(&self, state: &[usize]) -> Vec<(u32, Move)> {
        let Gaps::UpTo(delimiter) = self.gaps else { return Vec::new() };
        let is_number =
            self.rests(state).all(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                && self.keys.iter().zip(state).all(|(key, at)| !ends_with_digit(key, *at));
        let is_part = self.keys.iter().zip(state).all(|(key, at)| {
            let before = key.get(..*at).unwrap_or_default();
            before.is_empty() || delimiter.is_some_and(|delimiter| before.ends_with(delimiter))
        });
        let mut moves = Vec::new();
        if is_part {
            let texts: Vec<String> = self.rests(state).map(|rest| up_to(rest, delimiter)).collect();
            moves.extend(self.gap_move(state, texts, UNKNOWN));
        } else if is_number {
            let texts: Vec<String> = self.rests(state).map(leading_digits).collect();
            moves.extend(self.gap_move(state, texts, UNKNOWN + UNALIGNED_END));
        }
        moves
    }

    fn gap_move(&self, state: &[usize], texts: Vec<String>, cost: u32) -> Option<(u32, Move)> {
        // A gap that is the whole key says less than the key itself.
        let is_whole = self.keys.iter().zip(&texts).all(|(key, text)| key == text);
        if is_whole || texts.iter().any(String::is_empty) {
            return None;
        }
        let to = state.iter().zip(&texts).map(|(at, text)| at + text.len()).collect();
        Some((cost, Move { piece: Piece::Unknown(texts), to }))
    }

    /// A whole word that all keys go on with.
    fn word(&self, state: &[usize]) -> Option<(u32, Move)> {
        let first = self.rests(state).next()?;
        let end = first.find(DELIMITERS).unwrap_or(first.len());
        let word = first.get(..end).filter(|word| !word.is_empty())?;
        let begins = self.keys.iter().zip(state).all(|(key, at)| is_boundary_before(key, *at));
        let is_shared = self.rests(state).all(|rest| {
            rest.strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(DELIMITERS))
        });
        if !begins || !is_shared {
            return None;
        }
        let is_name = word.chars().all(|c| c.is_ascii_alphabetic())
            && self.rests(state).all(|rest| rest.len() > word.len())
            && self.is_first_word(state);
        let cost = match () {
            () if is_constant_word(word) || is_name || is_usual_constant(word) => CONSTANT_WORD,
            () if self.are_distinct() => SHARED_WORD,
            () => LONE_WORD,
        };
        let to = state.iter().map(|at| at + word.len()).collect();
        Some((cost, Move { piece: Piece::Literal(word.to_owned()), to }))
    }

    /// Whether a delimiter, or nothing, comes before.
    fn begins_part(&self, state: &[usize]) -> bool {
        self.keys.iter().zip(state).all(|(key, at)| is_boundary_before(key, *at))
    }

    /// Whether nothing comes before but delimiters: a leading one does not make the word behind it
    /// a second one.
    fn is_first_word(&self, state: &[usize]) -> bool {
        let before = |(key, at): (&&str, &usize)| key.get(..*at).is_some_and(is_delimiters);
        self.keys.iter().zip(state).all(before)
    }

    /// One character that all keys go on with.
    fn character(&self, state: &[usize]) -> Option<(u32, Move)> {
        let character = self.rests(state).next()?.chars().next()?;
        if !self.rests(state).all(|rest| rest.starts_with(character)) {
            return None;
        }
        let cost = match character {
            _ if character.is_alphanumeric() && self.are_distinct() => SHARED_CHARACTER,
            '0'..='9' if self.begins_part(state) => LEADING_DIGIT,
            '0'..='9' => DIGIT,
            'A'..='Z' => CAPITAL,
            _ if character.is_alphabetic() => LETTER,
            _ => PUNCTUATION,
        };
        let to = state.iter().map(|at| at + character.len_utf8()).collect();
        Some((cost, Move { piece: Piece::Literal(character.to_string()), to }))
    }

    /// The pieces of the cheapest way, with literals joined.
    fn pieces(&self, mut state: Vec<usize>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        while let Some(Some((_, Some(step)))) = self.best.get(&state) {
            match (pieces.last_mut(), &step.piece) {
                (Some(Piece::Literal(before)), Piece::Literal(text)) => before.push_str(text),
                (_, piece) => pieces.push(piece.clone()),
            }
            state.clone_from(&step.to);
        }
        pieces
    }
}

fn is_delimiters(text: &str) -> bool {
    text.chars().all(|c| DELIMITERS.contains(&c))
}

fn is_boundary_before(key: &str, at: usize) -> bool {
    at == 0 || key.get(..at).is_some_and(|before| before.ends_with(DELIMITERS))
}

fn is_boundary_after(key: &str, at: usize) -> bool {
    key.get(at..).is_some_and(|rest| rest.is_empty() || rest.starts_with(DELIMITERS))
}

fn ends_with_digit(key: &str, at: usize) -> bool {
    key.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
}

fn up_to(rest: &str, delimiter: Option<char>) -> String {
    let end = delimiter.and_then(|delimiter| rest.find(delimiter)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default().to_owned()
}

fn leading_digits(rest: &str) -> String {
    rest.chars().take_while(char::is_ascii_digit).collect()
}
