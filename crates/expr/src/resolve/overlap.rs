//! Paths that cannot be in one projection or update.

use monotable_item::{Path, Step};

use crate::ResolveError;

/// Refuses paths of which one is or contains another, and paths that treat one element as a map and
/// as a list. An overlap anywhere is reported before a conflict.
pub(super) fn check_overlaps(paths: &[&Path]) -> Result<(), ResolveError> {
    if are_apart(paths) { Ok(()) } else { report(paths) }
}

/// Returns whether none of the paths overlaps or conflicts with another. In sorted paths one that
/// does stands beside such a one: a path sorts right before what it contains, and of all paths into
/// one value those that take it for a map sort before those that take it for a list.
fn are_apart(paths: &[&Path]) -> bool {
    let mut sorted = paths.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| match pair {
        [first, second] => matches!(relation(first, second), Relation::Apart),
        _ => true,
    })
}

/// The first overlap in the order of the text, or else the first conflict.
fn report(paths: &[&Path]) -> Result<(), ResolveError> {
    let mut conflict = None;
    for (index, second) in paths.iter().copied().enumerate() {
        for first in paths.iter().copied().take(index) {
            match relation(first, second) {
                Relation::Apart => {}
                Relation::Overlapping => {
                    let (first, second) = (first.clone(), second.clone());
                    return Err(ResolveError::OverlappingPaths { first, second });
                }
                Relation::Conflicting => {
                    conflict.get_or_insert((first, second));
                }
            }
        }
    }
    match conflict {
        None => Ok(()),
        Some((first, second)) => {
            Err(ResolveError::ConflictingPaths { first: first.clone(), second: second.clone() })
        }
    }
}

enum Relation {
    Apart,
    Overlapping,
    Conflicting,
}

fn relation(first: &Path, second: &Path) -> Relation {
    if first.root != second.root {
        return Relation::Apart;
    }
    for steps in first.steps.iter().zip(&second.steps) {
        match steps {
            (Step::Member(first), Step::Member(second)) if first == second => {}
            (Step::Index(first), Step::Index(second)) if first == second => {}
            (Step::Member(_), Step::Member(_)) | (Step::Index(_), Step::Index(_)) => {
                return Relation::Apart;
            }
            (Step::Member(_), Step::Index(_)) | (Step::Index(_), Step::Member(_)) => {
                return Relation::Conflicting;
            }
        }
    }
    Relation::Overlapping
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn some_path() -> impl Strategy<Value = Path> {
        let step = prop_oneof!["[ab]".prop_map(Step::Member), (0..2_u32).prop_map(Step::Index),];
        ("[a-c]", prop::collection::vec(step, 0..4)).prop_map(|(root, steps)| Path { root, steps })
    }

    proptest! {
        #[test]
        fn neighbours_tell_whether_any_two_paths_are_not_apart(
            paths in prop::collection::vec(some_path(), 0..6),
        ) {
            let paths: Vec<&Path> = paths.iter().collect();
            prop_assert_eq!(are_apart(&paths), report(&paths).is_ok());
        }
    }
}
