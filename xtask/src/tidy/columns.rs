//! Lines of Rust keep to a width. rustfmt leaves alone what it cannot break: comments, string
//! literals and what stands in macros.
//!
//! Tables and examples in comments may be wider, and so may raw strings, which mostly hold expected
//! output.

use super::{Finding, TextFile};

const COLUMNS_MAX: usize = 100;

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if !file.has_extension("rs") {
        return Vec::new();
    }
    let mut state = State::default();
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if !state.may_be_wide(line) && line.chars().count() > COLUMNS_MAX {
            let message = format!("the line is wider than {COLUMNS_MAX} columns");
            findings.push(Finding::of_line(&file.path, index + 1, message));
        }
    }
    findings
}

/// What the lines before have begun and not ended.
#[derive(Default)]
struct State {
    /// Whether an example stands in a comment.
    fenced: bool,
    /// What ends the raw string that has begun.
    raw_end: Option<String>,
}

impl State {
    /// Whether the next line may be wide.
    fn may_be_wide(&mut self, line: &str) -> bool {
        if self.raw_end.is_none()
            && let Some(comment) = comment(line)
        {
            let is_fence = comment.starts_with("```");
            self.fenced ^= is_fence;
            return is_fence || self.fenced || comment.starts_with('|');
        }
        let was_raw = self.raw_end.is_some();
        self.read_raw_strings(line) || was_raw
    }

    /// Goes through a line of code, and returns whether a raw string begins on it.
    fn read_raw_strings(&mut self, line: &str) -> bool {
        let mut rest = line;
        let mut begins = false;
        loop {
            if let Some(end) = &self.raw_end {
                let Some((_, after)) = rest.split_once(end.as_str()) else { return begins };
                rest = after;
                self.raw_end = None;
            }
            let Some((after, end)) = raw_string(rest) else { return begins };
            begins = true;
            rest = after;
            self.raw_end = Some(end);
        }
    }
}

/// What follows the beginning of the next raw string, and what ends that string.
fn raw_string(text: &str) -> Option<(&str, String)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find('r')?;
        let (before, rest) = (text.get(..start)?, text.get(start + 1..)?);
        let content = rest.trim_start_matches('#');
        let hashes = rest.len() - content.len();
        let before = before.strip_suffix(['b', 'c']).unwrap_or(before);
        let is_word = before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        match content.strip_prefix('"') {
            Some(content) if !is_word => {
                return Some((content, format!("\"{}", "#".repeat(hashes))));
            }
            Some(_) | None => from = start + 1,
        }
    }
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
    fn wide_lines_are_found_but_not_tables_and_examples() {
        let wide = "x".repeat(COLUMNS_MAX - 2);
        assert_eq!(lines(&format!("// {wide}\n    //! {wide}\nlet a = \"{wide}\";")), [1, 2, 3]);
        assert_eq!(lines(&format!("// | {wide} |\n/// ```\n/// {wide}\n/// ```\n/// {wide}")), [5]);
        assert!(lines(&format!("//! {}", "é".repeat(COLUMNS_MAX - 4))).is_empty());
    }

    #[test]
    fn raw_strings_may_be_wide() {
        let wide = "x".repeat(COLUMNS_MAX);
        let raw = format!("check(r#\"\n{wide}\"\n// {wide}\n\"#);\nlet a = {wide};");
        assert_eq!(lines(&raw), [5]);
        assert!(lines(&format!("let a = (br\"{wide}\", r##\"a\"##);")).is_empty());
        assert_eq!(lines(&format!("let r = \"{wide}\";")), [1]);
    }
}
