//! The docs of a crate place its modules: whoever opens the crate sees what there is and how it
//! works together.

use std::path::Path;

use super::{Finding, TextFile};

/// Modules whose name says enough.
const EXEMPT: &[&str] = &["error", "tests"];

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !is_crate_root(&file.path) {
        return Vec::new();
    }
    let named = named_in_docs(&file.text);
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if let Some(module) = declared(line)
            && !EXEMPT.contains(&module)
            && !named.contains(&module)
        {
            let message = format!("the docs of the crate do not place the module {module}");
            findings.push(Finding::of_line(&file.path, index + 1, message));
        }
    }
    findings
}

fn is_crate_root(path: &Path) -> bool {
    let in_source = path.parent().is_some_and(|folder| folder.ends_with("src"));
    in_source && (path.ends_with("lib.rs") || path.ends_with("main.rs"))
}

/// The module that a line declares as a file of its own.
fn declared(line: &str) -> Option<&str> {
    let item = line.split_once("mod ").filter(|(before, _)| {
        let before = before.trim_end();
        before.is_empty() || (before.starts_with("pub") && !before.contains(' '))
    });
    item?.1.strip_suffix(';')
}

/// The words that the docs set as code: in a picture, or between backticks.
fn named_in_docs(text: &str) -> Vec<&str> {
    let mut is_picture = false;
    let mut words = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("//!")) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            is_picture = language == "text";
        } else {
            let code = line.split('`').skip(1).step_by(2);
            let pictures = is_picture.then_some(line);
            words.extend(code.chain(pictures).flat_map(words_of));
        }
    }
    words
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, docs: &str) -> Vec<String> {
        let text = format!("{docs}\nmod error;\nmod page;\npub(crate) mod scan;\nmod tests {{}}\n");
        let file = TextFile { path: path.into(), text };
        check(&file).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_module_that_the_docs_leave_out_is_found() {
        let found = findings("crates/a/src/lib.rs", "//! Pages, with `page`.\n//! A scan.");
        let message = "the docs of the crate do not place the module scan";
        assert_eq!(found, [format!("crates/a/src/lib.rs:5: {message}")]);
        assert_eq!(findings("xtask/src/main.rs", "//! page and scan").len(), 2);
    }

    #[test]
    fn pictures_and_code_name_modules() {
        let docs = "//! ```text\n//! scan ─► page, one by one\n//! ```";
        assert!(findings("crates/a/src/lib.rs", docs).is_empty());
        assert!(findings("crates/a/src/lib.rs", "//! [`page`] and [`mod@scan`]").is_empty());
        let example = "//! ```\n//! page(scan);\n//! ```";
        assert_eq!(findings("crates/a/src/lib.rs", example).len(), 2);
        assert!(findings("crates/a/src/page.rs", "//! A page.").is_empty());
    }
}
