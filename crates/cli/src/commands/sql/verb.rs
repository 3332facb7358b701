//! What kind of statement one is, by its first word.

use super::token::tokens;

/// The kind of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Select,
    Insert,
    Update,
    Delete,
    /// The endpoint must know.
    Other,
}

impl Verb {
    /// The verb of a statement.
    pub(super) fn of(statement: &str) -> Verb {
        let first = tokens(statement).find(|token| !token.is_blank());
        let known = [
            ("SELECT", Verb::Select),
            ("INSERT", Verb::Insert),
            ("UPDATE", Verb::Update),
            ("DELETE", Verb::Delete),
        ];
        let found = known.iter().find(|(word, _)| first.is_some_and(|token| token.is_word(word)));
        found.map_or(Verb::Other, |(_, verb)| *verb)
    }

    /// What has happened to an item when the statement is done.
    pub(super) fn done(self) -> &'static str {
        match self {
            Verb::Select => "read",
            Verb::Insert => "inserted",
            Verb::Update => "updated",
            Verb::Delete => "deleted",
            Verb::Other => "done",
        }
    }

    /// Which units it consumes.
    pub(super) fn units(self) -> &'static str {
        match self {
            Verb::Select => "read",
            Verb::Insert | Verb::Update | Verb::Delete => "write",
            Verb::Other => "capacity",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_says_it_in_any_case() {
        assert_eq!(Verb::of("  select * from t"), Verb::Select);
        assert_eq!(Verb::of("-- why\nDelete from t"), Verb::Delete);
        assert_eq!(Verb::of("EXISTS(SELECT 1)"), Verb::Other);
        assert_eq!(Verb::of(""), Verb::Other);
    }
}
