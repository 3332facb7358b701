//! A file is named by a noun of the domain, never by what is left over.

use std::path::Path;

use super::Finding;

const REFUSED: &[&str] = &["helper", "helpers", "util", "utils", "common", "misc", "more"];

pub(super) fn check(path: &Path) -> Option<Finding> {
    let refused = path.iter().filter_map(|part| part.to_str()).find_map(refused_word)?;
    Some(Finding::of_file(path, format!("\"{refused}\" says nothing about what is inside")))
}

/// The refused word that a file or folder name consists of or ends with.
fn refused_word(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or(name);
    let last = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    REFUSED.iter().find(|word| **word == last).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftover_names_are_refused_as_files_and_as_folders() {
        assert!(check(Path::new("crates/api/src/helpers.rs")).is_some());
        assert!(check(Path::new("tests/python/common/table.py")).is_some());
        assert!(check(Path::new("src/update_item_more.rs")).is_some());
        assert!(check(Path::new("crates/api/src/capacity.rs")).is_none());
    }
}
