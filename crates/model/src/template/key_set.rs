//! All keys of a template, and what can be decided about them.
//!
//! An attribute that stands in several places ties them together, which no automaton expresses. A
//! *no* is proof all the same. For a *yes*, examples are read back until one fits.

use monotable_expr::KeyComparison;
use monotable_item::{Path, Type, Value};

use super::domain::Domains;
use super::key_template::Template;
use super::language::{
    Automaton, CharSet, condition_language, segment_bytes_max, segment_language, template_language,
};
use super::reading::Reading;
use super::verdict::Verdict;
use super::whole_key::{common_whole_key, whole_key_within};

/// How many examples are tried where attributes are tied.
const EXAMPLES_MAX: usize = 256;

/// The most bytes of a number as a key.
const NUMBER_BYTES_MAX: usize = 21;

/// The keys of a template, given what is declared about its attributes.
///
/// ```
/// use monotable_item::Value;
/// use monotable_model::template::{Domains, KeySet, Template, Verdict};
///
/// let keys = |text| KeySet::new(&Template::parse(text).unwrap(), &Domains::new());
/// let (order, item) = (keys("ORDER#{id}"), keys("ORDER#{id}#ITEM#{item}"));
/// assert_eq!(order.same_key(&item), Verdict::Never);
///
/// // Everything under `ORDER#` is more than orders:
/// let overlap = order.beginning_of(1, &item);
/// assert_eq!(overlap.example().unwrap().key, "ORDER#a#ITEM#a");
/// ```
#[derive(Debug, Clone)]
pub struct KeySet {
    template: Template,
    domains: Domains,
    language: Automaton,
}

/// A key that begins with what a query of another template asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// What the query asks for.
    pub prefix: String,
    /// The key that it finds as well.
    pub key: String,
}

/// A key with two readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ambiguity {
    /// The key.
    pub key: String,
    /// Two of its readings.
    pub readings: Vec<Reading>,
}

impl KeySet {
    /// The keys of a template.
    pub fn new(template: &Template, domains: &Domains) -> KeySet {
        let language = template_language(template, domains);
        KeySet { template: template.clone(), domains: domains.clone(), language }
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// What is declared about its attributes.
    pub fn domains(&self) -> &Domains {
        &self.domains
    }

    /// A short key, if the template has any.
    pub fn example(&self) -> Option<String> {
        let fits = |text: &String| self.fits(text);
        self.language.samples(EXAMPLES_MAX).0.into_iter().find(fits)
    }

    /// Whether a text is one of the keys.
    pub fn contains(&self, text: &str) -> bool {
        self.language.accepts(text) && self.fits(text)
    }

    /// The bytes of the longest key, unless there is no limit. If `digits` pads a text whose length
    /// is bounded, a key may always be a little shorter.
    pub fn bytes_max(&self) -> Option<usize> {
        match self.template.key_type() {
            Type::Number => Some(NUMBER_BYTES_MAX),
            Type::Binary => None,
            _ => self.text_bytes_max(),
        }
    }

    /// Whether both can have the same key.
    pub fn same_key(&self, other: &KeySet) -> Verdict<Value> {
        match (self.template.key_type(), other.template.key_type()) {
            (left, right) if left != right => Verdict::Never,
            (Type::String, _) => {
                let fits_other = |text: &str| other.fits(text);
                let tied = self.is_tied() || other.is_tied();
                self.first_that_fits(&other.language, tied, fits_other).map(Value::String)
            }
            _ => common_whole_key(self, other),
        }
    }

    /// Whether a key can meet a key condition.
    pub fn within(&self, condition: &KeyComparison) -> Verdict<Value> {
        match (self.template.key_type(), condition_language(condition)) {
            (Type::String, Some(range)) => {
                self.first_that_fits(&range, self.is_tied(), |_| true).map(Value::String)
            }
            (Type::String, None) => Verdict::Never,
            _ => whole_key_within(self, condition),
        }
    }

    /// Whether keys of the other can begin with the first so many segments of this template, so
    /// that a query for those finds them as well.
    pub fn beginning_of(&self, segments: usize, other: &KeySet) -> Verdict<Overlap> {
        let first = self.template.segments().iter().take(segments).cloned().collect();
        let Ok(beginning) = Template::assemble(self.template.delimiter(), first) else {
            return Verdict::possible_or(other.example().map(Overlap::of_anything), Verdict::Never);
        };
        let beginning = KeySet::new(&beginning, &self.domains);
        let begun = beginning.language.then_anything();
        let tied = beginning.is_tied() || other.is_tied();
        let overlap = other.first_that_fits(&begun, tied, |key| beginning.prefix_of(key).is_some());
        match overlap {
            Verdict::Possible(key) => match beginning.prefix_of(&key) {
                Some(prefix) => Verdict::Possible(Overlap { prefix, key }),
                None => Verdict::Undecided,
            },
            Verdict::Never => Verdict::Never,
            Verdict::Undecided => Verdict::Undecided,
        }
    }

    /// Whether a key can be read in two ways.
    pub fn ambiguity(&self) -> Verdict<Ambiguity> {
        let Some(key) = self.language.ambiguous() else { return Verdict::Never };
        let readings = self.template.readings(&key, 2);
        match readings.len() {
            2 => Verdict::Possible(Ambiguity { key, readings }),
            _ => Verdict::Undecided,
        }
    }

    fn text_bytes_max(&self) -> Option<usize> {
        let delimiter = self.template.delimiter();
        let of = |segment| segment_bytes_max(segment, &self.domains, delimiter);
        self.template.segments().iter().map(of).sum()
    }

    /// Some keys that both have, and whether these are all.
    pub(crate) fn common_keys(&self, other: &KeySet, count_max: usize) -> (Vec<String>, bool) {
        let (mut keys, all) = self.language.intersection(&other.language).samples(count_max);
        keys.retain(|key| self.fits(key) && other.fits(key));
        (keys, all)
    }

    /// A text of the first so many segments.
    pub(crate) fn beginning_example(&self, segments: usize) -> String {
        let first = self.template.segments().iter().take(segments).cloned().collect();
        let beginning = Template::assemble(self.template.delimiter(), first).ok();
        let example = beginning.and_then(|first| KeySet::new(&first, &self.domains).example());
        example.unwrap_or_default()
    }

    /// Whether an attribute stands in several places.
    pub(crate) fn is_tied(&self) -> bool {
        let paths: Vec<&Path> = self.template.paths().collect();
        let repeats =
            |(place, path): (usize, &&Path)| paths.iter().skip(place + 1).any(|p| p == path);
        paths.iter().enumerate().any(repeats)
    }

    pub(crate) fn language(&self) -> &Automaton {
        &self.language
    }

    /// The texts of the segments from one on, which may be none.
    pub(crate) fn language_from(&self, segment: usize) -> Automaton {
        let segments = self.template.segments().iter().skip(segment);
        let delimiter = self.template.delimiter();
        let parts: Vec<Automaton> =
            segments.map(|segment| segment_language(segment, &self.domains, delimiter)).collect();
        Automaton::concat(&parts)
    }

    /// The least and the greatest character that can stand after the first so many segments.
    pub fn characters_after(&self, segments: usize) -> Option<(char, char)> {
        let rest = self.language_from(segments);
        let sets = rest.edges(0).iter().map(|(set, _)| set);
        let all = sets.fold(CharSet::default(), |all, set| all.union(set));
        all.first().zip(all.last())
    }

    /// Whether the parts of a text that the automaton accepts agree with each other.
    pub(crate) fn fits(&self, text: &str) -> bool {
        !self.is_tied() || !self.template.readings(text, 1).is_empty()
    }

    /// The first key that is among other texts and, where attributes are tied, fits all that is
    /// asked.
    fn first_that_fits(
        &self,
        others: &Automaton,
        tied: bool,
        fits_other: impl Fn(&str) -> bool,
    ) -> Verdict<String> {
        let Some(shortest) = self.language.common(others) else { return Verdict::Never };
        if !tied || self.fits(&shortest) && fits_other(&shortest) {
            return Verdict::Possible(shortest);
        }
        let (examples, all) = self.language.intersection(others).samples(EXAMPLES_MAX);
        let example = examples.into_iter().find(|text| self.fits(text) && fits_other(text));
        Verdict::possible_or(example, if all { Verdict::Never } else { Verdict::Undecided })
    }

    /// The shortest beginning of a text that is a key of this set.
    fn prefix_of(&self, text: &str) -> Option<String> {
        let ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
        let mut prefixes = ends.filter_map(|end| text.get(..end));
        prefixes.find(|prefix| self.contains(prefix)).map(str::to_owned)
    }
}

impl Overlap {
    fn of_anything(key: String) -> Overlap {
        Overlap { prefix: String::new(), key }
    }
}
