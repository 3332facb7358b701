//! What a crate includes lies inside the crate: a package has nothing else.

use std::path::{Component, Path, PathBuf};

use super::{Finding, TextFile};

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let Some((home, folder)) = crate_and_folder(&file.path) else { return Vec::new() };
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        for included in included(line).filter(|path| !resolved(&folder, path).starts_with(&home)) {
            let message = format!("{included} lies outside of the crate");
            findings.push(Finding::of_line(&file.path, index + 1, message));
        }
    }
    findings
}

/// The folder of the crate whose source a file is, and the folder of the file.
fn crate_and_folder(path: &Path) -> Option<(PathBuf, PathBuf)> {
    if path.extension()? != "rs" {
        return None;
    }
    let mut parts = path.iter();
    let (crates, name, source) = (parts.next()?, parts.next()?, parts.next()?);
    let is_source = crates == "crates" && source == "src";
    is_source.then(|| (Path::new(crates).join(name), path.parent().unwrap_or(path).to_owned()))
}

/// The paths that a line includes.
fn included(line: &str) -> impl Iterator<Item = &str> {
    let starts = ["include_str!(\"", "include_bytes!(\"", "include!(\""];
    let rests = starts.into_iter().filter_map(|start| Some(line.split_once(start)?.1));
    rests.filter_map(|rest| Some(rest.split_once('"')?.0))
}

/// A path without the steps that lead back.
fn resolved(folder: &Path, path: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in folder.join(path).components() {
        if part == Component::ParentDir {
            resolved.pop();
        } else {
            resolved.push(part);
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, included: &str) -> usize {
        let text = format!("const A: &str = include_{}!(\"{included}\");\n", "str");
        check(&TextFile { path: PathBuf::from(path), text }).len()
    }

    #[test]
    fn a_file_beyond_the_crate_is_found() {
        assert_eq!(findings("crates/a/src/b/c.rs", "../../prices/d.toml"), 0);
        assert_eq!(findings("crates/a/src/b/c.rs", "../../../d/e.toml"), 1);
        assert_eq!(findings("crates/a/src/lib.rs", "../../../docs/d.md"), 1);
        assert_eq!(findings("crates/a/tests/b.rs", "../../../docs/d.md"), 0);
    }
}
