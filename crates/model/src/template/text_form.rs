//! Text in keys: as it is or normalised, escaped or not.

use monotable_item::{Type, Value};

use super::delimiter::Delimiter;
use super::error::PartError;

/// How a text attribute is written: some steps from left to right, then the escaping.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextForm {
    /// What is done to the text first.
    pub steps: Vec<TextStep>,
    /// Whether the delimiter is escaped.
    pub escaping: Escaping,
}

/// One step of normalising a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextStep {
    /// `fold`: each character in lower case.
    Fold,
    /// `upper`: each character in upper case.
    Upper,
    /// `slug`: lower case without white space.
    Slug,
    /// `snake`: upper case with `_` for each white space character.
    Snake,
    /// `digits(n)`: each run of ASCII digits zero-padded to at least n.
    Digits(u8),
    /// `reversed`: the characters from last to first.
    Reversed,
    /// `first(n)`: the first n characters, or all if there are fewer.
    First(u8),
}

/// Whether a text may hold a bare delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Escaping {
    /// The delimiter is escaped, so that the text ends at the first bare one.
    Delimiter,
    /// `raw`: the text is written as it is. Keys of such a template may not parse back.
    Verbatim,
}

impl TextForm {
    /// The text as it is, with the delimiter escaped.
    pub fn escaped() -> TextForm {
        TextForm { steps: Vec::new(), escaping: Escaping::Delimiter }
    }

    pub(crate) fn encode(&self, value: &Value, delimiter: Delimiter) -> Result<String, PartError> {
        let normalised = self.normalise(&self.source_text(value)?);
        match self.escaping {
            Escaping::Delimiter => Ok(delimiter.escape_text(&normalised)),
            Escaping::Verbatim => Ok(normalised),
        }
    }

    /// The text that a key holds. Steps that lose something cannot be undone, but doing them again
    /// changes nothing, so that the value builds the same key.
    pub(crate) fn decode(&self, text: &str, delimiter: Delimiter) -> Option<Value> {
        let normalised = match self.escaping {
            Escaping::Delimiter => delimiter.unescape_text(text)?,
            Escaping::Verbatim => text.to_owned(),
        };
        let reversals = self.steps.iter().filter(|step| **step == TextStep::Reversed).count();
        let value = if reversals % 2 == 1 { reverse(&normalised) } else { normalised };
        Some(Value::String(value))
    }

    /// Applies the steps.
    pub fn normalise(&self, text: &str) -> String {
        self.steps.iter().fold(text.to_owned(), |text, step| step.apply(&text))
    }

    /// How many characters of the text are kept, if it is cut.
    pub fn first(&self) -> Option<u8> {
        match self.steps.last() {
            Some(TextStep::First(count)) => Some(*count),
            Some(
                TextStep::Fold
                | TextStep::Upper
                | TextStep::Slug
                | TextStep::Snake
                | TextStep::Digits(_)
                | TextStep::Reversed,
            )
            | None => None,
        }
    }

    /// Whether keys hold the whole text.
    pub fn is_lossless(&self) -> bool {
        self.steps.iter().all(|step| *step == TextStep::Reversed)
    }

    /// A number is written by `raw` alone: elsewhere it would sort by its digits unnoticed.
    fn source_text(&self, value: &Value) -> Result<String, PartError> {
        match (value, self.escaping) {
            (Value::String(text), _) => Ok(text.clone()),
            (Value::Number(number), Escaping::Verbatim) => Ok(number.to_string()),
            _ => Err(PartError::wrong_type(&[Type::String], value)),
        }
    }
}

impl TextStep {
    /// Applies the step. Every step but `digits` and `reversed` works character by character, so
    /// that the beginning of a text becomes the beginning of the result.
    pub(crate) fn apply(self, text: &str) -> String {
        match self {
            TextStep::Digits(width) => pad_digit_runs(text, usize::from(width)),
            TextStep::Reversed => reverse(text),
            TextStep::First(count) => text.chars().take(usize::from(count)).collect(),
            TextStep::Fold | TextStep::Upper | TextStep::Slug | TextStep::Snake => {
                text.chars().flat_map(|character| self.map_character(character)).collect()
            }
        }
    }

    /// What a character becomes: nothing, one character or several.
    pub(crate) fn map_character(self, character: char) -> Vec<char> {
        match self {
            TextStep::Fold => character.to_lowercase().collect(),
            TextStep::Upper => character.to_uppercase().collect(),
            TextStep::Slug if character.is_whitespace() => Vec::new(),
            TextStep::Slug => character.to_lowercase().collect(),
            TextStep::Snake if character.is_whitespace() => vec!['_'],
            TextStep::Snake => character.to_uppercase().collect(),
            TextStep::Digits(_) | TextStep::Reversed | TextStep::First(_) => vec![character],
        }
    }
}

fn reverse(text: &str) -> String {
    text.chars().rev().collect()
}

fn pad_digit_runs(text: &str, width: usize) -> String {
    let mut padded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from_digit) = rest.split_at(start);
        let end = from_digit.find(|c: char| !c.is_ascii_digit()).unwrap_or(from_digit.len());
        let (run, after) = from_digit.split_at(end);
        padded.push_str(before);
        padded.push_str(&format!("{run:0>width$}"));
        rest = after;
    }
    padded.push_str(rest);
    padded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn steps_write_what_the_design_says() {
        for (step, text, written) in [
            (TextStep::Fold, "Straße ΟΔΟΣ", "straße οδοσ"),
            (TextStep::Upper, "Acme ß", "ACME SS"),
            (TextStep::Slug, "Intro to\tDynamoDB", "introtodynamodb"),
            (TextStep::Snake, "San José", "SAN_JOSÉ"),
            (TextStep::Digits(2), "b1 c12 d123 e0", "b01 c12 d123 e00"),
            (TextStep::Reversed, "aßc", "cßa"),
            (TextStep::First(3), "9q8yyk", "9q8"),
            (TextStep::First(2), "ß", "ß"),
        ] {
            assert_eq!(step.apply(text), written);
        }
    }

    #[test]
    fn mapping_a_character_twice_changes_nothing_more() {
        for step in [TextStep::Fold, TextStep::Upper, TextStep::Slug, TextStep::Snake] {
            for character in '\0'..='\u{1ffff}' {
                let once = step.map_character(character);
                let twice: Vec<char> =
                    once.iter().flat_map(|character| step.map_character(*character)).collect();
                assert_eq!(once, twice, "{step:?} {character:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_read_of_a_cut_text_builds_the_same_key(
            text in "[aBß #1İ]{1,6}", count in 1..5_u8,
            steps in proptest::sample::subsequence(
                vec![TextStep::Fold, TextStep::Reversed, TextStep::Upper, TextStep::Slug], 0..4,
            ),
        ) {
            let steps = steps.into_iter().chain([TextStep::First(count)]).collect();
            let form = TextForm { steps, escaping: Escaping::Delimiter };
            let delimiter = Delimiter::default();
            let key = form.encode(&Value::String(text), delimiter).unwrap();
            let read = form.decode(&key, delimiter).unwrap();
            prop_assert_eq!(form.encode(&read, delimiter).unwrap(), key);
        }

        #[test]
        fn padding_runs_of_digits_twice_changes_nothing_more(
            text in "[a0-9 ]{0,8}", width in 1..4_u8,
        ) {
            let once = TextStep::Digits(width).apply(&text);
            prop_assert_eq!(TextStep::Digits(width).apply(&once), once.clone());
        }
    }
}
