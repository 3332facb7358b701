//! Lines of Rust keep to a width. rustfmt leaves alone what it cannot break: comments, string
//! literals and what stands in macros.
//!
//! Tables and examples in comments may be wider, and so may raw strings, which mostly hold expected
//! output.
//!
//! Python and JavaScript of tests and examples keep to the same width. A line may be wider for a
//! long string, such as the text of an error, which is easier to find in one piece. Files that are
//! tables of such texts are left out, and so is what others generate.

use std::path::Path;

use super::{Finding, TextFile};

const COLUMNS_MAX: usize = 100;
/// A string of so many columns may stand on a line that is too wide.
const LONG_STRING: usize = 60;
const SCRIPT_FOLDERS: &[&str] = &["tests", "examples"];
const SCRIPT_FOLDERS_EXEMPT: &[&str] = &["tests/browser", "tests/typed-code"];
/// Tables of statements and error texts: a case a line.
const TABLES_OF_TEXTS: &[&str] = &["test_messages_", "test_partiql_"];

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    if is_script(&file.path) {
        return check_script(file);
    }
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

/// Whether a file is Python or JavaScript that keeps to the width.
fn is_script(path: &Path) -> bool {
    let is_in = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
    let has_extension = path.extension().is_some_and(|it| it == "py" || it == "js" || it == "mjs");
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_table = TABLES_OF_TEXTS.iter().any(|start| name.starts_with(start));
    has_extension && !is_table && is_in(SCRIPT_FOLDERS) && !is_in(SCRIPT_FOLDERS_EXEMPT)
}

fn check_script(file: &TextFile) -> Vec<Finding> {
    let lines = file.text.lines().zip(1..);
    let wide = lines.filter(|(line, _)| {
        line.chars().count() > COLUMNS_MAX && longest_string(line) < LONG_STRING
    });
    let message = format!("the line is wider than {COLUMNS_MAX} columns");
    wide.map(|(_, number)| Finding::of_line(&file.path, number, message.clone())).collect()
}

/// How long the longest string of a line is. What stands in a comment is no string.
fn longest_string(line: &str) -> usize {
    let mut longest = 0;
    let mut open: Option<(char, usize)> = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match open.as_mut() {
            None if character == '#' || (character == '/' && characters.peek() == Some(&'/')) => {
                break;
            }
            None if matches!(character, '"' | '\'' | '`') => open = Some((character, 0)),
            None => {}
            Some((quote, _)) if *quote == character => open = None,
            Some((_, length)) => {
                // The second half of an escape ends nothing.
                *length += 1 + usize::from(character == '\\' && characters.next().is_some());
                longest = longest.max(*length);
            }
        }
    }
    // The texts that Python has between three quotes are broken like comments.
    if line.contains("\"\"\"") { 0 } else { longest }
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

    #[test]
    fn scripts_keep_to_the_width_but_for_long_strings() {
        let wide_lines = |path: &str, text: &str| {
            check(&TextFile { path: path.into(), text: text.to_owned() }).len()
        };
        let (code, text) = (format!("call({})", "x".repeat(COLUMNS_MAX)), "y".repeat(COLUMNS_MAX));
        assert_eq!(wide_lines("tests/python/test_a.py", &code), 1);
        assert_eq!(
            wide_lines("tests/python/test_a.py", &format!("# '{text}'\n\"\"\"{text}\"\"\"")),
            2
        );
        assert_eq!(wide_lines("tests/javascript/a.test.js", &format!("call(`{text}`, 'z')")), 0);
        assert_eq!(wide_lines("tests/javascript/a.test.js", &format!("call('z', {code})")), 1);
        for exempt in ["tests/browser/a.py", "tests/python/test_messages_a.py", "docs/a.py"] {
            assert_eq!(wide_lines(exempt, &code), 0, "{exempt}");
        }
    }
}
