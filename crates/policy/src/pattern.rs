//! Patterns: text with `*` for any number of characters and `?` for one.
//!
//! Matching keeps one place to go back to, the last `*`, which is enough because an earlier one
//! could only take characters that the last one can take as well. So the work is at most the length
//! of the text times that of the pattern, and a pattern that needs more characters than there are
//! is refused at once.

/// One step of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// This byte of UTF-8.
    Byte(u8),
    /// Any one character.
    AnyCharacter,
    /// Any number of characters, or none.
    AnyRun,
}

/// Whether letters of both cases are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// `A` is not `a`.
    Sensitive,
    /// `A` is `a`, in ASCII.
    Insensitive,
}

/// Appends the units of literal text.
pub(crate) fn push_literal(units: &mut Vec<Unit>, text: &str) {
    units.extend(text.bytes().map(Unit::Byte));
}

/// Appends the units of a character in which `*` and `?` have their meanings.
pub(crate) fn push_wild(units: &mut Vec<Unit>, character: char) {
    match character {
        '*' if units.last() == Some(&Unit::AnyRun) => {}
        '*' => units.push(Unit::AnyRun),
        '?' => units.push(Unit::AnyCharacter),
        other => push_literal(units, other.encode_utf8(&mut [0; 4])),
    }
}

/// Whether a pattern matches the whole of a text.
pub(crate) fn matches(units: &[Unit], text: &str, case: Case) -> bool {
    let text = text.as_bytes();
    if units.iter().filter(|unit| **unit != Unit::AnyRun).count() > text.len() {
        return false;
    }
    let (mut unit, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let step = match units.get(unit) {
            Some(Unit::AnyRun) => {
                retry = Some((unit, at));
                Some(0)
            }
            Some(wanted) => width(*wanted, text, at, case),
            None if at == text.len() => return true,
            None => None,
        };
        if let Some(width) = step {
            (unit, at) = (unit + 1, at + width);
            continue;
        }
        // The last run takes one more character, and what follows it is tried again from there.
        let Some((run, taken)) = retry else { return false };
        let Some(width) = character_width(text, taken) else { return false };
        retry = Some((run, taken + width));
        (unit, at) = (run + 1, taken + width);
    }
}

/// How many bytes of the text a unit takes, if it matches there.
fn width(unit: Unit, text: &[u8], at: usize, case: Case) -> Option<usize> {
    match unit {
        Unit::Byte(wanted) => {
            let found = *text.get(at)?;
            let same = match case {
                Case::Sensitive => found == wanted,
                Case::Insensitive => found.eq_ignore_ascii_case(&wanted),
            };
            same.then_some(1)
        }
        Unit::AnyCharacter => character_width(text, at),
        Unit::AnyRun => Some(0),
    }
}

/// How many bytes the character has that begins at a place.
fn character_width(text: &[u8], at: usize) -> Option<usize> {
    match *text.get(at)? {
        0x00..0x80 => Some(1),
        0x80..0xe0 => Some(2),
        0xe0..0xf0 => Some(3),
        0xf0.. => Some(4),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compile(text: &str) -> Vec<Unit> {
        let mut units = Vec::new();
        text.chars().for_each(|character| push_wild(&mut units, character));
        units
    }

    fn is_match(pattern: &str, text: &str) -> bool {
        matches(&compile(pattern), text, Case::Sensitive)
    }

    /// The meaning of a pattern, written as plainly as possible.
    fn model(pattern: &[char], text: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|taken| model(rest, &text[taken..])),
            Some(('?', rest)) => !text.is_empty() && model(rest, &text[1..]),
            Some((wanted, rest)) => text.first() == Some(wanted) && model(rest, &text[1..]),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn patterns_mean_what_the_model_says(pattern in "[ab*?é]{0,9}", text in "[abé]{0,9}") {
            let (p, t): (Vec<char>, Vec<char>) =
                (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(is_match(&pattern, &text), model(&p, &t));
        }

        #[test]
        fn arbitrary_text_is_no_danger(pattern in ".{0,40}", text in ".{0,40}") {
            is_match(&pattern, &text);
        }
    }

    #[test]
    fn a_question_mark_is_one_character_of_several_bytes() {
        assert!(is_match("a?c", "aéc"));
        assert!(is_match("*?", "é"));
        assert!(!is_match("??", "é"));
        assert!(is_match("a?c", "a🦀c"));
    }

    #[test]
    fn case_is_ignored_only_if_asked() {
        let pattern = compile("dynamodb:get*");
        assert!(matches(&pattern, "DynamoDB:GetItem", Case::Insensitive));
        assert!(!matches(&pattern, "DynamoDB:GetItem", Case::Sensitive));
    }

    /// Counts nothing, but would not end within a lifetime if the work were exponential.
    #[test]
    fn a_hostile_pattern_ends_soon() {
        let pattern = "*a".repeat(500) + "b";
        assert!(!is_match(&pattern, &"a".repeat(2_048)));
    }
}
