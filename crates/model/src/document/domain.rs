//! What an entity declares about the values in its keys, for questions about templates.
//!
//! The more is declared, the more can be ruled out: a text without a colon never begins as
//! `{album}:{track}` does. Lengths are left out. They rule out next to nothing, and the automata
//! that answer would have a state for every character.

use monotable_item::{Number, Type, Value};

use super::{Attribute, Entity};
use crate::template::{AttributePart, CharSet, Domain, Domains, Form};

impl Entity {
    /// What is declared about the attributes, by their names in the model.
    pub fn domains(&self) -> Domains {
        let declared = self.attributes.iter().filter_map(|attribute| {
            let domain = match attribute.kind {
                Type::Number if !self.writes_whole(&attribute.name) => None,
                _ => attribute.domain(),
            };
            Some((attribute.name.as_str(), domain?))
        });
        declared.fold(Domains::new(), |domains, (name, domain)| domains.with(name, domain))
    }

    /// Whether every key that holds the attribute holds a whole number.
    pub fn writes_whole(&self, name: &str) -> bool {
        let keys = self.key.iter().chain(self.indexes.iter().map(|index| &index.keys));
        let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
        let mut parts = templates.flat_map(|template| template.attributes());
        parts.all(|part| part.path.root != name || is_whole(part))
    }
}

fn is_whole(part: &AttributePart) -> bool {
    match part.encoding.form() {
        Form::Plain => true,
        Form::Number(form) => form.fraction_digits() == 0,
        Form::Text(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Identifier(_)
        | Form::Enumeration(_)
        | Form::Hash(_)
        | Form::Bool
        | Form::NumberKey
        | Form::BinaryKey => false,
    }
}

impl Attribute {
    /// The values that it can have, if that is declared. A number is taken for a whole one.
    fn domain(&self) -> Option<Domain> {
        if !self.values.is_empty() {
            return self.values.iter().map(text).collect::<Option<Vec<_>>>().map(Domain::Values);
        }
        if let (Some(min), Some(max)) = (&self.min, &self.max) {
            let whole = |number: &Number| number.to_i64();
            return Some(Domain::Integers { min: whole(min)?, max: whole(max)? });
        }
        let charset = self.charset.as_deref()?;
        Some(Domain::text_of(characters(charset), None))
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_)
        | Value::Binary(_)
        | Value::Bool(_)
        | Value::Null
        | Value::List(_)
        | Value::Map(_)
        | Value::StringSet(_)
        | Value::NumberSet(_)
        | Value::BinarySet(_) => None,
    }
}

/// The characters of a form such as `a-z0-9-`: a hyphen between two others is a range.
pub fn characters(charset: &str) -> CharSet {
    let mut ranges = Vec::new();
    let mut rest = charset.chars();
    while let Some(first) = rest.next() {
        let mut ahead = rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(last)) => {
                ranges.push((first, last));
                rest = ahead;
            }
            (_, _) => ranges.push((first, first)),
        }
    }
    CharSet::from_ranges(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hyphen_between_two_characters_is_a_range_and_at_an_end_itself() {
        let set = characters("a-c0-9_-");
        let expected = [('-', '-'), ('0', '9'), ('_', '_'), ('a', 'c')];
        assert_eq!(set.ranges(), expected);
    }
}
