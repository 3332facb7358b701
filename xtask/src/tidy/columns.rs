//! Comments keep to a width, as code does. Tables and examples in them may be wider.

use super::{Finding, TextFile};

const COLUMNS_MAX: usize = 100;

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !file.has_extension("rs") {
        return Vec::new();
    }
    let mut fenced = false;
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let Some(comment) = comment(line) else { continue };
        if comment.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !comment.starts_with('|') && line.chars().count() > COLUMNS_MAX {
            let message = format!("the comment is wider than {COLUMNS_MAX} columns");
            findings.push(Finding::of_line(&file.path, index + 1, message));
        }
    }
    findings
}

/// What stands in a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("//")?;
    Some(rest.trim_start_matches(['/', '!']).trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        let file = TextFile { path: "a.rs".into(), text: text.to_owned() };
        check(&file).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn wide_comments_are_found_but_not_tables_and_examples() {
        let wide = "x".repeat(COLUMNS_MAX - 2);
        assert_eq!(lines(&format!("// {wide}\n    //! {wide}\nlet a = {wide};")), [1, 2]);
        assert_eq!(lines(&format!("// | {wide} |\n/// ```\n/// {wide}\n/// ```\n/// {wide}")), [5]);
        assert!(lines(&format!("//! {}", "é".repeat(COLUMNS_MAX - 4))).is_empty());
    }
}
