//! Findings that say the same of several things are one for people.
//!
//! A mistake that runs through a design, such as a key without leading zeros, is found at every
//! entity that has it. What is said differs in names and numbers alone: the messages have one
//! shape. Programs get all of them; people see the first, and where the others are.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Model;

use super::listing::listed;
use super::request_origin::is_of_request;

/// Fewer findings than this are each shown.
const GROUP_MIN: usize = 3;

/// Findings of one rule that say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct FindingGroup {
    /// The first.
    pub first: Diagnostic,
    /// Those that differ from it in names and numbers alone.
    pub others: Vec<Diagnostic>,
}

impl FindingGroup {
    /// The other places in words: `the same at 3 other places: entities.A.key (line 4), …`. The
    /// line of a place is what `line` makes of its bytes; nothing if there are no others.
    pub fn words(&self, line: impl Fn(&Diagnostic) -> Option<usize>) -> Option<String> {
        let place = |finding: &Diagnostic| match line(finding) {
            Some(line) => format!("{} (line {line})", finding.place),
            None => finding.place.to_string(),
        };
        let places: Vec<String> = self.others.iter().map(place).collect();
        let count = places.len();
        (count > 0).then(|| format!("the same at {count} other places: {}", listed(&places)))
    }
}

/// Groups findings that say the same, in the order of the first of each. What was recorded is one
/// finding for equal requests already, and stays as it is.
pub fn grouped(model: &Model, findings: &[Diagnostic]) -> Vec<FindingGroup> {
    let names = names_of(model);
    let mut shapes: Vec<(String, FindingGroup)> = Vec::new();
    for finding in findings {
        let shape = shape(&finding.message, &names);
        let known = shapes.iter_mut().find(|(other, group)| {
            *other == shape
                && group.first.code == finding.code
                && group.first.severity == finding.severity
                && !is_of_request(finding)
        });
        match known {
            Some((_, group)) => group.others.push(finding.clone()),
            None => {
                let group = FindingGroup { first: finding.clone(), others: Vec::new() };
                shapes.push((shape, group));
            }
        }
    }
    shapes.into_iter().flat_map(|(_, group)| group.unless_small()).collect()
}

impl FindingGroup {
    fn unless_small(self) -> Vec<FindingGroup> {
        if self.others.len() + 1 >= GROUP_MIN {
            return vec![self];
        }
        let all = std::iter::once(self.first).chain(self.others);
        all.map(|first| FindingGroup { first, others: Vec::new() }).collect()
    }
}

/// All names that a message can have, longest first: a phrase is not taken for its first word.
fn names_of(model: &Model) -> Vec<&str> {
    let tables = model.tables.iter();
    let of_tables = tables.flat_map(|table| {
        let indexes = table.indexes.iter().flat_map(|index| {
            let keys = index.key_attributes().map(|key| key.name.as_str());
            keys.chain([index.name.as_str()])
        });
        let keys = table.key_attributes().map(|key| key.name.as_str());
        indexes.chain(keys).chain([table.name.as_str(), table.physical_name()])
    });
    let of_entities = model.entities.iter().flat_map(|entity| {
        let attributes = entity.attributes.iter().map(|attribute| attribute.name.as_str());
        attributes.chain([entity.name.as_str()])
    });
    let of_patterns = model.patterns.iter().map(|pattern| pattern.name.as_str());
    let mut names: Vec<&str> = of_tables.chain(of_entities).chain(of_patterns).collect();
    names.sort_unstable_by_key(|name| (std::cmp::Reverse(name.len()), *name));
    names.dedup();
    names
}

/// A message without what differs from thing to thing: names of the model, numbers, and what stands
/// in braces or quotes.
fn shape(message: &str, names: &[&str]) -> String {
    let mut shape = String::new();
    let mut rest = message;
    let mut is_word_open = false;
    while let Some(first) = rest.chars().next() {
        let (masked, taken) = if is_word_open {
            (None, first.len_utf8())
        } else {
            match masked_length(rest, names) {
                Some(length) => (Some('…'), length),
                None => (None, first.len_utf8()),
            }
        };
        shape.push(masked.unwrap_or(first));
        is_word_open = masked.is_none() && is_word(first);
        rest = rest.get(taken..).unwrap_or_default();
    }
    shape
}

/// How many bytes at the beginning of a text differ from thing to thing, if any do.
fn masked_length(text: &str, names: &[&str]) -> Option<usize> {
    let first = text.chars().next()?;
    let closing = match first {
        '{' => Some('}'),
        '"' | '`' => Some(first),
        _ => None,
    };
    if let Some(closing) = closing {
        let end = text.get(1..)?.find(closing)?;
        return Some(end + 1 + closing.len_utf8());
    }
    let is_whole = |length: usize| {
        let next = text.get(length..).and_then(|rest| rest.chars().next());
        !next.is_some_and(is_word)
    };
    let named = names.iter().find(|name| text.starts_with(**name) && is_whole(name.len()));
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    named.map(|name| name.len()).or((digits > 0).then_some(digits))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use monotable_model::diagnostic::Place;
    use monotable_model::document::{Format, read};

    use super::*;

    const MODEL: &str = r#"
format = 1
name = "shop"
tables.Shop = { partition_key = "PK" }

[entities.Order]
key = { partition = "A#{id}" }
attributes = { id = "S", total = "N" }

[entities.Invoice]
key = { partition = "B#{number}" }
attributes = { number = "S" }

[patterns."get order"]
operation = "get"
entity = "Order"
by = ["id"]
"#;

    fn model() -> Model {
        read(MODEL, Format::Toml).unwrap().model
    }

    fn finding(entity: &str, message: &str) -> Diagnostic {
        Diagnostic::warning("a-rule", Place::entity(entity), message)
    }

    fn sizes(findings: &[Diagnostic]) -> Vec<usize> {
        grouped(&model(), findings).iter().map(|group| group.others.len() + 1).collect()
    }

    #[test]
    fn names_numbers_and_templates_make_no_difference() {
        let model = model();
        let names = names_of(&model);
        for (one, other) in [
            ("Order has no total", "Invoice has no number"),
            ("write {id:08} for 12 bytes", "write {number:plain} for 7 bytes"),
            ("get order reads Order", "Order reads Invoice"),
            ("\"a b\" is 3", "\"c\" is 400"),
        ] {
            assert_eq!(shape(one, &names), shape(other, &names));
        }
        assert_ne!(shape("Orders are read", &names), shape("Invoice are read", &names));
        assert_ne!(shape("provided", &names), shape("prov", &names));
    }

    #[test]
    fn findings_that_say_the_same_of_three_things_or_more_are_one() {
        let same = ["Order", "Invoice", "Order"].map(|it| finding(it, &format!("{it} is bad")));
        assert_eq!(sizes(&same), [3]);
        assert_eq!(sizes(&same[..2]), [1, 1]);
        let other = [finding("Order", "Order is worse")];
        assert_eq!(sizes(&[&same[..], &other].concat()), [3, 1]);
    }

    #[test]
    fn requests_are_grouped_elsewhere() {
        let place = |line| Place::root().member("requests").index(line);
        let of_request = |line| Diagnostic::warning("a-rule", place(line), "it is bad");
        assert_eq!(sizes(&[of_request(1), of_request(2), of_request(3)]), [1, 1, 1]);
    }

    #[test]
    fn the_other_places_are_listed() {
        let all = vec![finding("A", "is bad"); 9];
        let group = grouped(&model(), &all).remove(0);
        let words = group.words(|_| Some(4)).unwrap();
        let place = "entities.A (line 4)";
        let five = [place; 5].join(", ");
        assert_eq!(words, format!("the same at 8 other places: {five} and 3 more"));
    }
}
