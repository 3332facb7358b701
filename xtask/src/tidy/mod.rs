//! Rules about the tree that no compiler checks, one file each.
//!
//! They run as a step of `cargo xtask test`, as `cargo xtask tidy`, and as a unit test of this
//! crate.

mod columns;
mod compat;
mod crate_docs;
mod dependencies;
mod duplicates;
mod excerpts;
mod includes;
mod licences;
mod links;
mod manifests;
mod names;
mod packages;
mod rule_pages;
mod source;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::workspace::Workspace;

/// One breach of a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file, relative to the root.
    path: PathBuf,
    /// Counted from 1; 0 where the finding is about the whole file.
    line: usize,
    message: String,
}

impl Finding {
    fn of_file(path: &Path, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: 0, message: message.into() }
    }

    fn of_line(path: &Path, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path.display(), self.message),
            line => write!(f, "{}:{line}: {}", self.path.display(), self.message),
        }
    }
}

/// A text file of the repository.
struct TextFile {
    path: PathBuf,
    text: String,
}

impl TextFile {
    fn has_extension(&self, extension: &str) -> bool {
        self.path.extension().is_some_and(|found| found == extension)
    }
}

/// Applies all rules; an empty answer means that the tree is tidy.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Finding>> {
    let files = read_text_files(workspace)?;
    let mut findings = Vec::new();
    for file in &files {
        findings.extend(columns::check(file));
        findings.extend(crate_docs::check(file));
        findings.extend(names::check(&file.path));
        findings.extend(source::check(file));
        findings.extend(manifests::check(file));
        findings.extend(links::check(file, &workspace.root));
        findings.extend(compat::check(file, &workspace.root));
        findings.extend(excerpts::check(file, &workspace.root));
        findings.extend(includes::check(file));
        findings.extend(rule_pages::check(file, &workspace.root));
    }
    findings.extend(duplicates::check(&files));
    let members = workspace.metadata(&["--no-deps"])?;
    findings.extend(dependencies::check(&members)?);
    findings.extend(packages::check(&members, &workspace.root)?);
    findings.extend(licences::check(&workspace.metadata(&["--locked"])?)?);
    Ok(findings)
}

fn read_text_files(workspace: &Workspace) -> Result<Vec<TextFile>> {
    let mut files = Vec::new();
    for path in workspace.files()? {
        let bytes = std::fs::read(workspace.root.join(&path))
            .with_context(|| format!("{} cannot be read", path.display()))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(TextFile { path, text });
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let findings = check(&Workspace::find().unwrap()).unwrap();
        let lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert!(findings.is_empty(), "{}", lines.join("\n"));
    }
}
