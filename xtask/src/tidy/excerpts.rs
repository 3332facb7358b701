//! Code in documents that stands in a file which the tests run: the fence names the file, as in
//! `` ```python tests/python/test_retries.py ``, and what it holds must be part of it.

use std::fs;
use std::path::Path;

use super::{Finding, TextFile};

pub(super) fn check(file: &TextFile, root: &Path) -> Vec<Finding> {
    if !file.has_extension("md") {
        return Vec::new();
    }
    let excerpts = excerpts(&file.text).into_iter();
    let findings = excerpts.filter_map(|excerpt| {
        // A file that is not there has nothing of it.
        let tested = fs::read_to_string(root.join(excerpt.path)).unwrap_or_default();
        Some(Finding::of_line(&file.path, excerpt.line, problem(&excerpt, &tested)?))
    });
    findings.collect()
}

#[derive(Debug, PartialEq, Eq)]
struct Excerpt<'t> {
    /// The file that it is part of.
    path: &'t str,
    /// Where its fence stands, counted from 1.
    line: usize,
    text: String,
}

fn problem(excerpt: &Excerpt<'_>, tested: &str) -> Option<String> {
    let is_part = tested.contains(&excerpt.text);
    (!is_part).then(|| format!("this is not what {} has", excerpt.path))
}

/// The blocks of a document whose fences name a file of the tests.
fn excerpts(markdown: &str) -> Vec<Excerpt<'_>> {
    let mut excerpts = Vec::new();
    let mut lines = markdown.lines().zip(1..);
    while let Some((fence, line)) = lines.next() {
        let Some(fence) = fence.strip_prefix("```") else { continue };
        let block = lines.by_ref().map(|(line, _)| line);
        let block: Vec<&str> = block.take_while(|line| !line.starts_with("```")).collect();
        if let Some((_, path)) = fence.split_once(' ').filter(|(_, path)| is_of_tests(path)) {
            excerpts.push(Excerpt { path, line, text: block.join("\n") });
        }
    }
    excerpts
}

fn is_of_tests(path: &str) -> bool {
    path.starts_with("tests/") || path.starts_with("crates/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "text\n```python tests/a.py\nx = 1\ny = 2\n```\n```toml shop.toml\nz\n```\n";

    #[test]
    fn blocks_whose_fences_name_a_test_are_excerpts() {
        let text = "x = 1\ny = 2".to_owned();
        assert_eq!(excerpts(PAGE), [Excerpt { path: "tests/a.py", line: 2, text }]);
    }

    #[test]
    fn an_excerpt_must_be_part_of_its_file() {
        let excerpts = excerpts(PAGE);
        assert_eq!(problem(&excerpts[0], "before\nx = 1\ny = 2\nafter"), None);
        assert!(problem(&excerpts[0], "x = 1\ny = 3").is_some());
    }
}
