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
    literal: Literal,
}

/// The string that the text is in.
#[derive(Default, PartialEq, Eq)]
enum Literal {
    #[default]
    None,
    Escaped,
    /// A raw string, with this many `#`.
    Raw(usize),
}

impl State {
    /// Whether the next line may be wide.
    fn may_be_wide(&mut self, line: &str) -> bool {
        if self.literal == Literal::None
            && let Some(comment) = comment(line)
        {
            let is_fence = comment.starts_with("```");
            self.fenced ^= is_fence;
            return is_fence || self.fenced || comment.starts_with('|');
        }
        let mut has_raw = matches!(self.literal, Literal::Raw(_));
        let mut rest = line;
        while let Some(after) = self.step(rest) {
            has_raw |= matches!(self.literal, Literal::Raw(_));
            rest = after;
        }
        has_raw
    }

    /// Goes past a character, or past what belongs together. There is nothing left of a line that
    /// ends in a comment.
    fn step<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let first = line.chars().next()?;
        let after = line.get(first.len_utf8()..)?;
        match &self.literal {
            Literal::None => return self.step_in_code(line, first, after),
            Literal::Escaped if first == '\\' => return Some(skip_one(after)),
            Literal::Escaped if first == '"' => self.literal = Literal::None,
            Literal::Raw(hashes) if first == '"' && hashes_at(after) >= *hashes => {
                self.literal = Literal::None;
            }
            Literal::Escaped | Literal::Raw(_) => {}
        }
        Some(after)
    }

    fn step_in_code<'l>(&mut self, line: &'l str, first: char, after: &'l str) -> Option<&'l str> {
        if line.starts_with("//") {
            return None;
        }
        if let Some(after) = line.strip_prefix("'\"'").or(line.strip_prefix("'\\\"'")) {
            return Some(after);
        }
        if first == '"' {
            self.literal = Literal::Escaped;
            return Some(after);
        }
        if first == 'r' {
            let hashes = hashes_at(after);
            if let Some(content) = after.get(hashes..)?.strip_prefix('"') {
                self.literal = Literal::Raw(hashes);
                return Some(content);
            }
        }
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        if is_word(first) && first != 'b' && first != 'c' {
            return Some(after.trim_start_matches(is_word));
        }
        Some(after)
    }
}

fn hashes_at(text: &str) -> usize {
    text.len() - text.trim_start_matches('#').len()
}

fn skip_one(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    characters.as_str()
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
        assert_eq!(lines(&format!("let a = (\"#r\", 'r', '\"');\nlet b = {wide};")), [2]);
    }
}
