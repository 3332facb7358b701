//! Descending order: each character replaced by its mirror image in an alphabet.
//!
//! Of two texts of the same shape, the one that was smaller at the first difference becomes the
//! greater. Characters outside the alphabet (the `-` of a date) stand at the same places in both.

/// Characters in the order of their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    Binary,
    Decimal,
    Hexadecimal,
    Crockford,
    Base62,
}

impl Alphabet {
    pub(crate) fn characters(self) -> &'static str {
        match self {
            Alphabet::Binary => "01",
            Alphabet::Decimal => "0123456789",
            Alphabet::Hexadecimal => "0123456789abcdef",
            Alphabet::Crockford => "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            Alphabet::Base62 => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        }
    }

    pub(crate) fn mirror(self, character: char) -> char {
        let place = self.characters().chars().position(|c| c == character);
        place.and_then(|place| self.characters().chars().rev().nth(place)).unwrap_or(character)
    }

    pub(crate) fn mirror_text(self, text: &str) -> String {
        text.chars().map(|character| self.mirror(character)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_sorted_and_mirrors_turn_them_round() {
        for alphabet in [
            Alphabet::Binary,
            Alphabet::Decimal,
            Alphabet::Hexadecimal,
            Alphabet::Crockford,
            Alphabet::Base62,
        ] {
            assert!(alphabet.characters().chars().is_sorted());
            let mirrored = alphabet.mirror_text(alphabet.characters());
            assert!(mirrored.chars().rev().is_sorted());
            assert_eq!(alphabet.mirror_text(&mirrored), alphabet.characters());
        }
        assert_eq!(Alphabet::Decimal.mirror_text("2026-01-03T10:00:00Z"), "7973-98-96T89:99:99Z");
    }
}
