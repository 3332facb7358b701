//! What is declared about the values of attributes. The more is known, the more can be ruled out.

use std::collections::BTreeMap;

use monotable_item::Path;

use super::language::CharSet;

/// The values that an attribute can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Domain {
    /// Texts of some characters, of some lengths.
    Text {
        /// The characters that may occur.
        characters: CharSet,
        /// The fewest characters.
        min_chars: usize,
        /// The most characters, if there is a limit.
        max_chars: Option<usize>,
        /// The most bytes, if there is a limit to those.
        max_bytes: Option<usize>,
    },
    /// These texts and no others.
    Values(Vec<String>),
    /// Whole numbers, both ends included.
    Integers {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
}

impl Domain {
    /// Any text.
    pub fn any_text() -> Domain {
        Domain::text_of(CharSet::all(), None)
    }

    /// Texts of these characters, with at most this many of them.
    pub fn text_of(characters: CharSet, max_chars: Option<usize>) -> Domain {
        Domain::Text { characters, min_chars: 1, max_chars, max_bytes: None }
    }

    /// Any texts of at most this many bytes.
    pub fn text_of_bytes(max: usize) -> Domain {
        // A character is a byte at least.
        let (characters, max) = (CharSet::all(), Some(max));
        Domain::Text { characters, min_chars: 1, max_chars: max, max_bytes: max }
    }

    /// These texts and no others.
    pub fn values<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Domain {
        Domain::Values(values.into_iter().map(Into::into).collect())
    }
}

/// Domains by attribute. What is not declared is any value that the encoding can write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Domains {
    by_path: BTreeMap<Path, Domain>,
}

impl Domains {
    /// Nothing is declared.
    pub fn new() -> Domains {
        Domains::default()
    }

    /// Declares the domain of a whole attribute.
    pub fn with(self, attribute: &str, domain: Domain) -> Domains {
        self.with_path(Path::attribute(attribute), domain)
    }

    /// Declares the domain of what lies at a path.
    pub fn with_path(mut self, path: Path, domain: Domain) -> Domains {
        self.by_path.insert(path, domain);
        self
    }

    /// What is declared about a path.
    pub fn get(&self, path: &Path) -> Option<&Domain> {
        self.by_path.get(path)
    }
}
