//! What was probably meant by a name that does not exist.

/// The candidate that is nearest to a name, if one is near enough to be meant.
///
/// Case, and whether words are joined by `_` or `-`, do not count: `partitionKey` is
/// `partition_key`. Beyond that about a third of the characters may differ.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = folded(name);
    let allowed = (wanted.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&wanted, &folded(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> Vec<char> {
    let joiner = |character: &char| !matches!(character, '_' | '-' | ' ');
    name.chars().filter(joiner).flat_map(char::to_lowercase).collect()
}

/// How many characters must be added, left out, replaced or swapped with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    let mut last_left = None;
    for (row, left_char) in left.iter().enumerate() {
        let current = next_row(row, (last_left, *left_char), right, &before, &previous);
        before = std::mem::replace(&mut previous, current);
        last_left = Some(*left_char);
    }
    previous.last().copied().unwrap_or(0)
}

/// One row of the table of distances from the two rows above it.
fn next_row(
    row: usize,
    (last_left, left): (Option<char>, char),
    right: &[char],
    before: &[usize],
    previous: &[usize],
) -> Vec<usize> {
    let cell =
        |cells: &[usize], column: usize| cells.get(column).copied().unwrap_or(usize::MAX / 2);
    let mut current = vec![row + 1];
    let mut last_right = None;
    for (column, right_char) in right.iter().enumerate() {
        let replaced = cell(previous, column) + usize::from(left != *right_char);
        let removed = cell(previous, column + 1) + 1;
        let added = cell(&current, column) + 1;
        let mut best = replaced.min(removed).min(added);
        let is_swap = last_left == Some(*right_char) && last_right == Some(left);
        if is_swap && let Some(earlier) = column.checked_sub(1) {
            best = best.min(cell(before, earlier) + 1);
        }
        current.push(best);
        last_right = Some(*right_char);
    }
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERS: [&str; 4] = ["partition_key", "sort_key", "projection", "by"];

    #[test]
    fn case_and_joiners_do_not_count() {
        assert_eq!(nearest("partitionKey", MEMBERS), Some("partition_key"));
        assert_eq!(nearest("SORT-KEY", MEMBERS), Some("sort_key"));
    }

    #[test]
    fn a_slip_is_understood_and_another_word_is_not() {
        assert_eq!(nearest("porjection", MEMBERS), Some("projection"));
        assert_eq!(nearest("projektion", MEMBERS), Some("projection"));
        assert_eq!(nearest("yb", MEMBERS), Some("by"));
        assert_eq!(nearest("colour", MEMBERS), None);
        assert_eq!(nearest("", MEMBERS), None);
    }

    #[test]
    fn distances_are_those_of_the_textbook() {
        let of = |left: &str, right: &str| {
            distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>())
        };
        assert_eq!(of("kitten", "sitting"), 3);
        assert_eq!(of("ab", "ba"), 1);
        assert_eq!(of("", "abc"), 3);
        assert_eq!(of("abc", "abc"), 0);
    }
}
