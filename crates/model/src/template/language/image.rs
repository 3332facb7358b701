//! What normalising and escaping make of the texts of an automaton.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::super::delimiter::Delimiter;
use super::super::text_form::TextStep;
use super::automaton::{Automaton, Builder};
use super::char_set::CharSet;

/// Characters that do not stand for themselves, each with what stands for it.
type Mapping = Vec<(char, Vec<char>)>;

/// No character with case and no white space lies above this one.
const MAPPED_MAX: char = '\u{1ffff}';

/// A state of a text that is being padded, see [`pad_digit_runs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Outside,
    /// So many digits are still to come, then the run ends.
    Short(usize),
    /// So many digits have come, of a run that may go on.
    Long(usize),
    /// A run has ended, so that no digit may follow.
    Ended,
}

impl Automaton {
    /// What a step makes of each text.
    pub(crate) fn after_step(&self, step: TextStep) -> Automaton {
        match step {
            TextStep::Reversed => self.reversed(),
            TextStep::Digits(width) => pad_digit_runs(self, usize::from(width)),
            TextStep::First(count) => self.cut(usize::from(count)),
            TextStep::Fold | TextStep::Upper | TextStep::Slug | TextStep::Snake => {
                self.mapped(step_mapping(step))
            }
        }
    }

    /// The texts with their delimiters escaped.
    pub(crate) fn escaped(&self, delimiter: Delimiter) -> Automaton {
        let special = [delimiter.character(), delimiter.escape()].into_iter();
        let mapping = special.filter_map(|c| Some((c, delimiter.code(c)?.to_vec())));
        self.mapped(&mapping.collect())
    }

    /// The texts with some characters replaced by one, by several or by none.
    pub(crate) fn mapped(&self, mapping: &Mapping) -> Automaton {
        let replaced =
            CharSet::from_ranges(mapping.iter().map(|(character, _)| (*character, *character)));
        let mut builder = Builder::with_states(self.states().len());
        for (from, state) in self.states().iter().enumerate() {
            if state.accepting {
                builder.accept(from);
            }
            for (set, to) in &state.edges {
                let images = Images::of(set, mapping, &replaced);
                let loops = self.edges(*to).iter().any(|(again, end)| end == to && again == set);
                images.connect(&mut builder, from, *to, loops);
            }
        }
        builder.finish(0)
    }

    /// The first so many characters of the texts. From every state a text can be finished, so that
    /// a text may be cut anywhere.
    fn cut(&self, count: usize) -> Automaton {
        let mut builder = Builder::with_states(1);
        let mut places = HashMap::from([((0, 0), 0)]);
        let mut waiting = vec![(0, 0)];
        while let Some((state, depth)) = waiting.pop() {
            let from = places.get(&(state, depth)).copied().unwrap_or(0);
            if depth == count || self.is_accepting(state) {
                builder.accept(from);
            }
            for (set, to) in self.edges(state).iter().filter(|_| depth < count) {
                let next = (*to, depth + 1);
                let place = *places.entry(next).or_insert_with(|| {
                    waiting.push(next);
                    builder.add_state()
                });
                builder.edge(from, set.clone(), place);
            }
        }
        builder.finish(0)
    }

    /// The texts from back to front.
    fn reversed(&self) -> Automaton {
        let mut builder = Builder::with_states(self.states().len());
        let start = builder.add_state();
        builder.accept(0);
        for (from, state) in self.states().iter().enumerate() {
            if state.accepting {
                builder.empty_move(start, from);
            }
            for (set, to) in &state.edges {
                builder.edge(*to, set.clone(), from);
            }
        }
        builder.finish(start)
    }
}

impl TextStep {
    /// The most characters that one character of a set can become.
    pub(crate) fn growth(self, characters: &CharSet) -> usize {
        match self {
            TextStep::Digits(_) if characters.intersection(&CharSet::digits()).is_empty() => 1,
            TextStep::Digits(width) => usize::from(width),
            step => images(step, characters).map(Vec::len).max().unwrap_or(1).max(1),
        }
    }

    /// Whether a character of a set can become nothing.
    pub(crate) fn shortens(self, characters: &CharSet) -> bool {
        images(self, characters).any(Vec::is_empty)
    }
}

fn images(step: TextStep, characters: &CharSet) -> impl Iterator<Item = &'static Vec<char>> {
    let within = step_mapping(step).iter().filter(|(character, _)| characters.contains(*character));
    within.map(|(_, image)| image)
}

/// What the characters of a set become.
struct Images {
    /// Those that become one character.
    singles: CharSet,
    /// Those that become several: the first characters, by what follows them.
    longer: BTreeMap<Vec<char>, CharSet>,
    /// Whether some become nothing.
    vanish: bool,
}

impl Images {
    fn of(set: &CharSet, mapping: &Mapping, replaced: &CharSet) -> Images {
        let mut singles: Vec<(char, char)> = set.difference(replaced).ranges().to_vec();
        let mut longer: BTreeMap<Vec<char>, Vec<(char, char)>> = BTreeMap::new();
        let mut vanish = false;
        for (_, image) in mapping.iter().filter(|(character, _)| set.contains(*character)) {
            match image.split_first() {
                None => vanish = true,
                Some((single, [])) => singles.push((*single, *single)),
                Some((first, rest)) => {
                    longer.entry(rest.to_vec()).or_default().push((*first, *first))
                }
            }
        }
        let longer = longer.into_iter().map(|(rest, first)| (rest, CharSet::from_ranges(first)));
        Images { singles: CharSet::from_ranges(singles), longer: longer.collect(), vanish }
    }

    /// Leads from one state to another by these images. Where any number may follow and each
    /// character of an image is an image itself, the longer ones add nothing.
    fn connect(&self, builder: &mut Builder, from: usize, to: usize, loops: bool) {
        builder.edge(from, self.singles.clone(), to);
        if self.vanish {
            builder.empty_move(from, to);
        }
        for (rest, first) in &self.longer {
            let known = rest.iter().all(|character| self.singles.contains(*character))
                && first.difference(&self.singles).is_empty();
            if !(loops && known) {
                let next = builder.add_state();
                builder.edge(from, first.clone(), next);
                path(builder, next, rest, to);
            }
        }
    }
}

/// Adds the characters one after the other between two states. Without any, they become one.
fn path(builder: &mut Builder, from: usize, characters: &[char], to: usize) {
    let mut last = from;
    for (place, character) in characters.iter().enumerate() {
        let is_last = place + 1 == characters.len();
        let next = if is_last { to } else { builder.add_state() };
        builder.edge(last, CharSet::from_ranges([(*character, *character)]), next);
        last = next;
    }
}

fn step_mapping(step: TextStep) -> &'static Mapping {
    static FOLD: LazyLock<Mapping> = LazyLock::new(|| mapping_of(TextStep::Fold));
    static UPPER: LazyLock<Mapping> = LazyLock::new(|| mapping_of(TextStep::Upper));
    static SLUG: LazyLock<Mapping> = LazyLock::new(|| mapping_of(TextStep::Slug));
    static SNAKE: LazyLock<Mapping> = LazyLock::new(|| mapping_of(TextStep::Snake));
    static NONE: Mapping = Mapping::new();
    match step {
        TextStep::Fold => &FOLD,
        TextStep::Upper => &UPPER,
        TextStep::Slug => &SLUG,
        TextStep::Snake => &SNAKE,
        TextStep::Digits(_) | TextStep::Reversed | TextStep::First(_) => &NONE,
    }
}

fn mapping_of(step: TextStep) -> Mapping {
    let images = ('\0'..=MAPPED_MAX).map(|character| (character, step.map_character(character)));
    images.filter(|(character, image)| image.as_slice() != [*character]).collect()
}

/// Zero-pads each run of digits. The length of a run is guessed where it begins: so many zeros are
/// written, and the run must then have just that length. A run of the full width or more gets none.
fn pad_digit_runs(automaton: &Automaton, width: usize) -> Automaton {
    let runs = runs(width);
    let place = |state: usize, run: Run| {
        let run = runs.iter().position(|known| *known == run).unwrap_or(0);
        state * runs.len() + run
    };
    let mut builder = Builder::with_states(automaton.states().len() * runs.len());
    let digits = CharSet::digits();
    for (state, content) in automaton.states().iter().enumerate() {
        for run in &runs {
            let from = place(state, *run);
            let may_end = matches!(run, Run::Outside | Run::Ended) || *run == Run::Long(width);
            if content.accepting && may_end {
                builder.accept(from);
            }
            if *run == Run::Outside {
                for length in 1..width {
                    let zeros = vec!['0'; width - length];
                    path(&mut builder, from, &zeros, place(state, Run::Short(length)));
                }
            }
            for (set, to) in &content.edges {
                if may_end {
                    builder.edge(from, set.difference(&digits), place(*to, Run::Outside));
                }
                if let Some(next) = run.after_digit(width) {
                    builder.edge(from, set.intersection(&digits), place(*to, next));
                }
            }
        }
    }
    builder.finish(0)
}

fn runs(width: usize) -> Vec<Run> {
    let counted = (1..=width).flat_map(|count| [Run::Short(count), Run::Long(count)]);
    [Run::Outside, Run::Ended].into_iter().chain(counted).collect()
}

impl Run {
    fn after_digit(self, width: usize) -> Option<Run> {
        match self {
            Run::Outside => Some(Run::Long(1)),
            Run::Short(1) => Some(Run::Ended),
            Run::Short(left) => Some(Run::Short(left - 1)),
            Run::Long(count) => Some(Run::Long((count + 1).min(width))),
            Run::Ended => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All texts of up to `length` of these characters.
    fn texts(characters: &str, length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..length {
            last = last
                .iter()
                .flat_map(|text| characters.chars().map(move |c| format!("{text}{c}")))
                .collect();
            all.extend(last.clone());
        }
        all
    }

    /// The automaton of a step accepts exactly what the step makes of the texts.
    fn check(step: TextStep, from: &str, to: &str, length: usize) {
        let source = Automaton::repeat(&CharSet::of(from), 0, Some(length));
        let image = source.after_step(step);
        let expected: Vec<String> =
            texts(from, length).iter().map(|text| step.apply(text)).collect();
        for text in texts(to, length * 2) {
            assert_eq!(image.accepts(&text), expected.contains(&text), "{step:?} {text:?}");
        }
    }

    #[test]
    fn images_hold_what_the_steps_write_and_nothing_else() {
        check(TextStep::Fold, "aB ", "aAbB ", 2);
        check(TextStep::Upper, "aBß", "aABSs", 2);
        check(TextStep::Slug, "aB ", "aAbB ", 2);
        check(TextStep::Snake, "aB ", "AB_ ", 2);
        check(TextStep::Digits(2), "a01", "a01", 3);
        check(TextStep::Digits(3), "a1", "a01", 3);
        check(TextStep::Digits(1), "a1", "a1", 3);
        check(TextStep::Reversed, "ab", "ab", 2);
        check(TextStep::First(1), "ab", "ab", 2);
        check(TextStep::First(2), "ab", "ab", 3);
    }

    #[test]
    fn reversing_turns_each_text_round() {
        let reversed = Automaton::literal("abc").after_step(TextStep::Reversed);
        assert!(reversed.accepts("cba") && !reversed.accepts("abc"));
    }

    proptest! {
        #[test]
        fn escaped_texts_are_those_of_the_delimiter(text in "[#$01a]{0,5}") {
            let delimiter = Delimiter::default();
            let escaped = Automaton::repeat(&CharSet::of("#$01a"), 0, None).escaped(delimiter);
            prop_assert_eq!(escaped.accepts(&text), delimiter.unescape_text(&text).is_some());
        }
    }
}
