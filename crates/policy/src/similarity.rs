//! Which of some names was meant by one that is not among them.

/// Returns the name that differs least, if it differs little.
pub(crate) fn closest<'a>(
    meant: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let edits_max = (meant.len() / 3).clamp(1, 4);
    let lower = meant.to_ascii_lowercase();
    let edits = |name: &str| distance(&lower, &name.to_ascii_lowercase());
    let scored = names.into_iter().map(|name| (edits(name), name));
    scored.filter(|(edits, _)| *edits <= edits_max).min().map(|(_, name)| name)
}

/// How many characters must be put in, taken out or replaced.
fn distance(left: &str, right: &str) -> usize {
    /// Longer names are too long to be typing mistakes of ours.
    const LENGTH_MAX: usize = 128;
    if left.len() > LENGTH_MAX || right.len() > LENGTH_MAX {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (index, wanted) in left.chars().enumerate() {
        let mut diagonal = index;
        let mut before = index + 1;
        let (first, rest) = row.split_first_mut().expect("a row has a cell before its characters");
        *first = before;
        for (cell, found) in rest.iter_mut().zip(right.chars()) {
            let replaced = diagonal + usize::from(wanted != found);
            diagonal = *cell;
            before = replaced.min(diagonal + 1).min(before + 1);
            *cell = before;
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("query", "qurey"), 2);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_name_that_differs_much_is_not_meant() {
        assert_eq!(closest("Alow", ["Allow", "Deny"]), Some("Allow"));
        assert_eq!(closest("Refuse", ["Allow", "Deny"]), None);
    }
}
