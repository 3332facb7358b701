//! Paths that cannot be in one projection or update.

use monotable_item::{Path, Step};

use crate::ResolveError;

/// Refuses paths of which one is or contains another, and paths that treat one element as a map and
/// as a list. An overlap anywhere is reported before a conflict.
pub(super) fn check_overlaps(paths: &[&Path]) -> Result<(), ResolveError> {
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
