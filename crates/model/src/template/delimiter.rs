//! The delimiter of a template, and how it is escaped inside text.
//!
//! The escape character is a neighbour of the delimiter in ASCII, so that the two can be replaced
//! by codes that lie where the characters lay: `#` becomes `$0` and `$` becomes `$1`. Escaped texts
//! therefore sort as the texts themselves, and a bare delimiter always ends a text.

use std::fmt;

/// The character between the parts of a key: one of ASCII punctuation, `#` by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Delimiter {
    character: char,
    escape: char,
}

impl Delimiter {
    /// The delimiter `character`, if it is ASCII punctuation.
    pub fn new(character: char) -> Option<Delimiter> {
        let is_punctuation = |c: &char| c.is_ascii_punctuation();
        let code = u8::try_from(character).ok().filter(u8::is_ascii_punctuation)?;
        let above = Some(char::from(code + 1)).filter(is_punctuation);
        let escape = above.or_else(|| Some(char::from(code - 1)).filter(is_punctuation))?;
        Some(Delimiter { character, escape })
    }

    /// The character itself.
    pub fn character(self) -> char {
        self.character
    }

    /// The character that begins the two codes.
    pub fn escape(self) -> char {
        self.escape
    }

    /// What stands for a character inside a text: a code of two characters, or nothing if the
    /// character stands for itself.
    pub(crate) fn code(self, character: char) -> Option<[char; 2]> {
        let smaller = self.character.min(self.escape);
        let is_special = character == self.character || character == self.escape;
        is_special.then_some([self.escape, if character == smaller { '0' } else { '1' }])
    }

    /// Writes a text so that it holds no bare delimiter.
    pub(crate) fn escape_text(self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match self.code(character) {
                Some(code) => escaped.extend(code),
                None => escaped.push(character),
            }
        }
        escaped
    }

    /// Reads what [`Delimiter::escape_text`] wrote, or nothing if it did not write this.
    pub(crate) fn unescape_text(self, escaped: &str) -> Option<String> {
        let (smaller, greater) = if self.character < self.escape {
            (self.character, self.escape)
        } else {
            (self.escape, self.character)
        };
        let mut text = String::with_capacity(escaped.len());
        let mut characters = escaped.chars();
        while let Some(character) = characters.next() {
            if character != self.escape {
                text.push(Some(character).filter(|c| *c != self.character)?);
                continue;
            }
            match characters.next()? {
                '0' => text.push(smaller),
                '1' => text.push(greater),
                _ => return None,
            }
        }
        Some(text)
    }
}

impl Default for Delimiter {
    fn default() -> Delimiter {
        Delimiter { character: '#', escape: '$' }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.character)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_punctuation_character_has_an_escape_that_is_its_neighbour() {
        for character in (0..=127_u8).map(char::from) {
            let delimiter = Delimiter::new(character);
            assert_eq!(delimiter.is_some(), character.is_ascii_punctuation(), "{character:?}");
            let Some(delimiter) = delimiter else { continue };
            assert!(delimiter.escape().is_ascii_punctuation());
            assert_eq!((delimiter.escape() as i32 - character as i32).abs(), 1);
        }
    }

    #[test]
    fn the_default_is_what_new_makes_of_it() {
        assert_eq!(Delimiter::new('#'), Some(Delimiter::default()));
        assert_eq!(Delimiter::default().escape_text("a#b$c"), "a$0b$1c");
        let slash = Delimiter::new('/').unwrap();
        assert_eq!(slash.escape_text("a/b.c"), "a.1b.0c");
    }

    fn delimiter() -> impl Strategy<Value = Delimiter> {
        proptest::sample::select(vec!['#', '/', ':', '_', '@', '~', '|', '!'])
            .prop_map(|c| Delimiter::new(c).unwrap())
    }

    proptest! {
        #[test]
        fn escaping_is_undone_and_keeps_order_and_prefixes(
            delimiter in delimiter(), a in "[ !\"#$%/.:;_`@?~}|a0]{0,6}", b in "[ \
                !\"#$%/.:;_`@?~}|a0]{0,6}",
        ) {
            let (x, y) = (delimiter.escape_text(&a), delimiter.escape_text(&b));
            prop_assert!(!x.contains(delimiter.character()) );
            prop_assert_eq!(delimiter.unescape_text(&x), Some(a.clone()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert!(!b.starts_with(&a) || y.starts_with(&x));
        }

        #[test]
        fn what_unescapes_was_escaped(delimiter in delimiter(), text in "[#$/.:;_`01a]{0,6}") {
            if let Some(read) = delimiter.unescape_text(&text) {
                prop_assert_eq!(delimiter.escape_text(&read), text);
            }
        }
    }
}
