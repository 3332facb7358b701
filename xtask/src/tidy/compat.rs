//! COMPAT.md proves what it says with tests, named in backticks as `path/to/file::test_name`, or as
//! `path/to/file` where the whole file is the proof. This rule checks that they exist, and that
//! every row of a table with a column of tests names one.

use std::fs;
use std::path::Path;

use super::{Finding, TextFile};

pub(super) fn check(file: &TextFile, root: &Path) -> Vec<Finding> {
    if file.path != Path::new("COMPAT.md") {
        return Vec::new();
    }
    let mut findings = check_rows(file);
    for (index, line) in file.text.lines().enumerate() {
        for reference in tests_of(line) {
            if let Some(problem) = problem(reference, root) {
                findings.push(Finding::of_line(&file.path, index + 1, problem));
            }
        }
    }
    findings
}

fn check_rows(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut has_tests = None;
    let mut lines = file.text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let mut say = |text| findings.push(Finding::of_line(&file.path, index + 1, text));
        match has_tests {
            _ if !line.starts_with('|') => has_tests = None,
            None => {
                if !lines.peek().is_some_and(|(_, next)| next.starts_with("|--")) {
                    say("the row belongs to no table");
                }
                has_tests = Some(line.ends_with("| Test |"));
            }
            Some(true) if !line.starts_with("|--") && tests_of(line).next().is_none() => {
                say("the row names no test");
            }
            Some(_) => {}
        }
    }
    findings
}

/// The tests that a line names.
fn tests_of(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|span| names_a_test(span))
}

fn names_a_test(span: &str) -> bool {
    span.starts_with("crates/") || span.starts_with("tests/")
}

fn problem(reference: &str, root: &Path) -> Option<String> {
    let (path, test) = reference.split_once("::").unwrap_or((reference, ""));
    if test.is_empty() {
        return (!root.join(path).exists()).then(|| format!("there is no {path}"));
    }
    let Ok(text) = fs::read_to_string(root.join(path)) else {
        return Some(format!("there is no file {path}"));
    };
    (!defines(path, &text, test)).then(|| format!("{path} has no test {test}"))
}

/// True if the file defines the test, in the way of its language.
fn defines(path: &str, text: &str, test: &str) -> bool {
    match path.rsplit('.').next() {
        Some("rs") => text.contains(&format!("fn {test}(")),
        Some("py") => {
            text.contains(&format!("def {test}(")) || text.contains(&format!("\"{test}\""))
        }
        Some("js") => text.contains(&format!("\"{test}\"")),
        Some(_) | None => text.contains(test),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_looked_for_in_the_form_of_its_language() {
        assert!(defines("a.rs", "fn pages_end() {", "pages_end"));
        assert!(!defines("a.rs", "// pages_end", "pages_end"));
        assert!(defines("a.py", "def test_pages(table):", "test_pages"));
        assert!(defines("a.js", "test(\"pages end\", async () => {", "pages end"));
    }

    #[test]
    fn a_reference_to_a_file_that_is_gone_is_a_problem() {
        assert!(problem("tests/gone.py::test_a", Path::new("no-such-folder")).is_some());
        assert!(problem("tests/gone.py", Path::new("no-such-folder")).is_some());
    }

    #[test]
    fn a_row_of_a_table_with_tests_names_one() {
        let lines = [
            "| What | Test |",
            "|---|---|",
            "| a | `tests/a.py` |",
            "| b | |",
            "",
            "| c | `tests/c.py` |",
            "",
            "| What | |",
            "|---|---|",
            "| d | |",
        ];
        let file = TextFile { path: "COMPAT.md".into(), text: lines.join("\n") };
        let found: Vec<_> =
            check_rows(&file).into_iter().map(|finding| (finding.line, finding.message)).collect();
        let said = |line, text: &str| (line, text.to_owned());
        assert_eq!(
            found,
            [said(4, "the row names no test"), said(6, "the row belongs to no table")]
        );
    }
}
