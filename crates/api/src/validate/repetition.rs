//! Names that a list has more than once.
//!
//! A request of 16 MB can name hundreds of thousands of things, so names are never compared each
//! with each.

use std::collections::HashSet;

/// The first of the names that comes again later.
pub(crate) fn first_repeated<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let mut seen = HashSet::new();
    let repeated: HashSet<&str> = names.clone().filter(|name| !seen.insert(*name)).collect();
    if repeated.is_empty() {
        return None;
    }
    let mut names = names;
    names.find(|name| repeated.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_stands_first_is_told_and_not_the_one_that_is_repeated_first() {
        assert_eq!(first_repeated(["a", "b", "c", "b", "a"].into_iter()), Some("a"));
        assert_eq!(first_repeated(["a", "b", "b", "c"].into_iter()), Some("b"));
        assert_eq!(first_repeated(["a", "b"].into_iter()), None);
        assert_eq!(first_repeated([].into_iter()), None);
    }
}
