//! What a crate includes lies inside the crate: a package has nothing else.

use std::path::{Component, Path, PathBuf};

use super::{Finding, TextFile};

const INCLUDES: &[&str] = &["include_str!(", "include_bytes!(", "include!("];

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let Some((home, folder)) = crate_and_folder(&file.path) else { return Vec::new() };
    let mut findings = Vec::new();
    for (line, argument) in INCLUDES.iter().flat_map(|start| arguments(&file.text, start)) {
        if let Some(path) = included(argument, &home, &folder)
            && !path.starts_with(&home)
        {
            let message = format!("{} lies outside of the crate", path.display());
            findings.push(Finding::of_line(&file.path, line, message));
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

/// What stands between the parentheses of every call that starts like this, and in which line.
fn arguments<'t>(text: &'t str, start: &'static str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(start).filter_map(move |(at, _)| {
        let line = text.get(..at)?.matches('\n').count() + 1;
        let rest = text.get(at + start.len()..)?;
        let mut depth = 1_usize;
        let end = rest.find(|character| {
            depth = match character {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            depth == 0
        })?;
        Some((line, rest.get(..end)?))
    })
}

/// The path that is included, from the root of the repository. What a macro puts between the parts
/// of `concat!` is a name and leaves the path where it is.
fn included(argument: &str, home: &Path, folder: &Path) -> Option<PathBuf> {
    let literals: Vec<&str> = argument.split('"').skip(1).step_by(2).collect();
    match literals.split_first()? {
        (&"CARGO_MANIFEST_DIR", parts) => {
            Some(resolved(home, parts.concat().trim_start_matches('/')))
        }
        (&"OUT_DIR", _) => None,
        (_, _) => Some(resolved(folder, &literals.concat())),
    }
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

    fn findings(path: &str, argument: &str) -> Vec<String> {
        let text = format!("//! A page.\nconst A: &str = include_{}!({argument});\n", "str");
        let file = TextFile { path: PathBuf::from(path), text };
        check(&file).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_file_beyond_the_crate_is_found() {
        assert!(findings("crates/a/src/b/c.rs", r#""../../prices/d.toml""#).is_empty());
        assert_eq!(findings("crates/a/src/b/c.rs", r#""../../../d/e.toml""#).len(), 1);
        let found = findings("crates/a/src/lib.rs", r#""../../../docs/d.md""#);
        assert_eq!(found, ["crates/a/src/lib.rs:2: docs/d.md lies outside of the crate"]);
        assert!(findings("crates/a/tests/b.rs", r#""../../../docs/d.md""#).is_empty());
    }

    #[test]
    fn paths_that_are_put_together_are_followed() {
        let from_manifest = |path: &str| {
            let argument = format!("concat!(\n env!(\"CARGO_MANIFEST_DIR\"),\n {path},\n)");
            findings("crates/a/src/b/c.rs", &argument).len()
        };
        assert_eq!(from_manifest(r#""/pages/", $code, ".md""#), 0);
        assert_eq!(from_manifest(r#""/../../docs/", $code, ".md""#), 1);
        assert_eq!(from_manifest(r#""/../b/pages/d.md""#), 1);
        let literals = r#"concat!("../../../", "docs/d.md")"#;
        assert_eq!(findings("crates/a/src/lib.rs", literals).len(), 1);
    }
}
