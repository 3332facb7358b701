//! The pages of lint rules live with the rules, in `crates/lint/pages`, so that the crate can be
//! packaged. The guide has a copy of each.

use std::fs;
use std::path::Path;

use super::{Finding, TextFile};

const PAGES: &str = "crates/lint/pages";
const GUIDE: &str = "docs/guide/lint";

/// Pages of the guide that are about the rules as a whole.
const GUIDE_ALONE: &[&str] = &["README.md", "slips.md"];

pub(super) fn check(file: &TextFile, root: &Path) -> Option<Finding> {
    let folder = file.path.parent()?;
    let name = file.path.file_name()?.to_str()?;
    if folder == Path::new(PAGES) {
        let copy = fs::read_to_string(root.join(GUIDE).join(name)).unwrap_or_default();
        let message = format!("{GUIDE}/{name} is no copy of it; copy it there");
        return (copy != file.text).then(|| Finding::of_file(&file.path, message));
    }
    let is_copy = folder == Path::new(GUIDE) && !GUIDE_ALONE.contains(&name);
    let is_orphan = is_copy && !root.join(PAGES).join(name).is_file();
    is_orphan.then(|| Finding::of_file(&file.path, format!("there is no such page in {PAGES}")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn is_found(path: &str) -> bool {
        let file = TextFile { path: PathBuf::from(path), text: "# a\n".to_owned() };
        check(&file, Path::new("no-such-folder")).is_some()
    }

    #[test]
    fn a_page_without_its_copy_and_a_copy_without_its_page_are_found() {
        assert!(is_found("crates/lint/pages/a.md"));
        assert!(is_found("docs/guide/lint/a.md"));
        assert!(!is_found("docs/guide/lint/README.md"));
        assert!(!is_found("docs/guide/a.md"));
    }
}
