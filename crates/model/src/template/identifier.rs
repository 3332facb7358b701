//! Identifiers whose text has a fixed width: ULID, KSUID, UUID.
//!
//! Only the one spelling that sorts is accepted: a ULID in upper case, a UUID in lower case.

use monotable_item::{Type, Value};

use super::error::{Kind, PartError};
use super::mirror::Alphabet;

/// A kind of identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Identifier {
    /// `ulid`: 26 characters, sorted by time.
    Ulid,
    /// `ksuid`: 27 characters, sorted by time.
    Ksuid,
    /// `uuid`: 36 characters of any version, sorted by nothing in particular.
    Uuid,
    /// `uuid7`: 36 characters of version 7, sorted by time.
    Uuid7,
}

/// The largest KSUID: 20 bytes of ones.
pub(crate) const KSUID_MAX: &str = "aWgEPTl1tmebfsQzFP4bxwgy80V";

/// Where a UUID has something else than any hexadecimal digit.
const UUID_SHAPE: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
const UUID7_SHAPE: &str = "xxxxxxxx-xxxx-7xxx-vxxx-xxxxxxxxxxxx";

impl Identifier {
    /// `ulid`, `ksuid`, `uuid` or `uuid7`.
    pub fn code(self) -> &'static str {
        match self {
            Identifier::Ulid => "ulid",
            Identifier::Ksuid => "ksuid",
            Identifier::Uuid => "uuid",
            Identifier::Uuid7 => "uuid7",
        }
    }

    pub(crate) fn encode(self, value: &Value) -> Result<String, PartError> {
        let Value::String(text) = value else {
            return Err(PartError::wrong_type(&[Type::String], value));
        };
        if self.is_valid(text) {
            Ok(text.clone())
        } else {
            Err(PartError::malformed(Kind::Identifier(self), text))
        }
    }

    pub(crate) fn decode(self, text: &str) -> Option<Value> {
        self.is_valid(text).then(|| Value::from(text))
    }

    /// The characters that `desc` mirrors.
    pub(crate) fn alphabet(self) -> Alphabet {
        match self {
            Identifier::Ulid => Alphabet::Crockford,
            Identifier::Ksuid => Alphabet::Base62,
            Identifier::Uuid | Identifier::Uuid7 => Alphabet::Hexadecimal,
        }
    }

    /// The characters that may stand at each place.
    pub(crate) fn shape(self) -> Vec<&'static str> {
        match self {
            Identifier::Ulid => {
                let rest = Alphabet::Crockford.characters();
                std::iter::once("01234567").chain(std::iter::repeat_n(rest, 25)).collect()
            }
            Identifier::Ksuid => vec![Alphabet::Base62.characters(); 27],
            Identifier::Uuid => uuid_shape(UUID_SHAPE),
            Identifier::Uuid7 => uuid_shape(UUID7_SHAPE),
        }
    }

    fn is_valid(self, text: &str) -> bool {
        let shape = self.shape();
        let has_shape = text.chars().count() == shape.len()
            && text.chars().zip(shape).all(|(character, allowed)| allowed.contains(character));
        has_shape && (self != Identifier::Ksuid || text <= KSUID_MAX)
    }
}

fn uuid_shape(shape: &'static str) -> Vec<&'static str> {
    let allowed = |place: char| match place {
        'x' => Alphabet::Hexadecimal.characters(),
        'v' => "89ab",
        '7' => "7",
        _ => "-",
    };
    shape.chars().map(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_spelling_that_sorts_is_accepted() {
        for (kind, text, valid) in [
            (Identifier::Ulid, "01ARZ3NDEKTSV4RRFFQ69G5FAV", true),
            (Identifier::Ulid, "01arz3ndektsv4rrffq69g5fav", false),
            (Identifier::Ulid, "81ARZ3NDEKTSV4RRFFQ69G5FAV", false),
            (Identifier::Ulid, "01ARZ3NDEKTSV4RRFFQ69G5FA", false),
            (Identifier::Ulid, "01ARZ3NDEKTSV4RRFFQ69G5FAU", false),
            (Identifier::Ksuid, "1YnlHOfSSk3DhX4BR6lMAceAo1V", true),
            (Identifier::Ksuid, KSUID_MAX, true),
            (Identifier::Ksuid, "aWgEPTl1tmebfsQzFP4bxwgy80W", false),
            (Identifier::Uuid7, "018f3e9c-5b1a-7c3e-8f00-0123456789ab", true),
            (Identifier::Uuid7, "018f3e9c-5b1a-4c3e-8f00-0123456789ab", false),
            (Identifier::Uuid7, "018f3e9c-5b1a-7c3e-cf00-0123456789ab", false),
            (Identifier::Uuid, "018f3e9c-5b1a-4c3e-cf00-0123456789ab", true),
            (Identifier::Uuid, "018F3E9C-5b1a-4c3e-cf00-0123456789ab", false),
        ] {
            assert_eq!(kind.encode(&Value::from(text)).is_ok(), valid, "{text}");
            assert_eq!(kind.decode(text).is_some(), valid, "{text}");
        }
    }
}
