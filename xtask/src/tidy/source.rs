//! What a source file may hold: its length, its white space, and words that mean unfinished work.

use super::{Finding, TextFile};

/// Lines of a Rust file without its tests.
const LINES_MAX: usize = 800;

/// Extensions of the files whose white space is ours.
const TEXT_EXTENSIONS: &[&str] = &["rs", "toml", "md", "py", "js", "json", "yml", "txt", "ini"];

/// What is refused in Rust code that is not a test, and why. The words are put together from two
/// parts so that this file does not break its own rule.
const REFUSED_IN_CODE: &[(&str, &str)] = &[
    (concat!(".unw", "rap()"), "say with expect why it cannot fail, or return the error"),
    (concat!("#[al", "low("), "use #[expect(lint, reason = \"…\")]"),
    (concat!("#![al", "low("), "use #![expect(lint, reason = \"…\")]"),
];

const REFUSED_ANYWHERE: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

pub(super) fn check(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    if TEXT_EXTENSIONS.iter().any(|extension| file.has_extension(extension)) {
        findings.extend(white_space(file));
    }
    if file.has_extension("rs") {
        findings.extend(unfinished(file));
        findings.extend(length(file));
        findings.extend(code(file));
    }
    findings
}

fn white_space(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in numbered(&file.text) {
        if line.contains('\t') {
            findings.push(Finding::of_line(&file.path, number, "a tab"));
        }
        if line.ends_with([' ', '\t', '\r']) {
            findings.push(Finding::of_line(
                &file.path,
                number,
                "white space at the end of the line",
            ));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        findings.push(Finding::of_file(&file.path, "the last line does not end"));
    }
    findings
}

fn unfinished(file: &TextFile) -> Vec<Finding> {
    let marks = |line: &str| REFUSED_ANYWHERE.iter().find(|word| line.contains(**word)).copied();
    let found = numbered(&file.text).filter_map(|(number, line)| Some((number, marks(line)?)));
    found.map(|(number, word)| Finding::of_line(&file.path, number, word)).collect()
}

fn length(file: &TextFile) -> Option<Finding> {
    let lines = if is_test_file(file) { 0 } else { code_lines(&file.text).count() };
    (lines > LINES_MAX).then(|| {
        Finding::of_file(&file.path, format!("{lines} lines of code; split it below {LINES_MAX}"))
    })
}

fn code(file: &TextFile) -> Vec<Finding> {
    if is_test_file(file) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in code_lines(&file.text) {
        if line.trim_start().starts_with("//") {
            continue;
        }
        for (refused, why) in REFUSED_IN_CODE {
            if line.contains(refused) {
                findings.push(Finding::of_line(&file.path, number, format!("{refused}: {why}")));
            }
        }
    }
    findings
}

fn is_test_file(file: &TextFile) -> bool {
    file.path.iter().any(|part| part == "tests" || part == "benches" || part == "tests.rs")
}

/// The lines before the file's own `#[cfg(test)] mod tests`, which comes last in a file.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).position(|pair| match pair {
        [attribute, module] => attribute.trim() == "#[cfg(test)]" && opens_module(module),
        _ => false,
    });
    let code = tests.unwrap_or(lines.len());
    lines.into_iter().take(code).enumerate().map(|(index, line)| (index + 1, line))
}

fn opens_module(line: &str) -> bool {
    line.trim_start().starts_with("mod ") && line.trim_end().ends_with('{')
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').enumerate().map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        let file = TextFile { path: PathBuf::from(path), text: text.to_owned() };
        check(&file).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn panics_are_refused_in_code_but_not_in_tests() {
        let text = "fn f() { g().unwrap() }\n#[cfg(test)]\nmod tests {\n g().unwrap()\n}\n";
        assert_eq!(findings("src/a.rs", text).len(), 1);
        assert_eq!(findings("tests/a.rs", text).len(), 0);
    }

    #[test]
    fn tests_do_not_count_as_lines_of_code() {
        let long = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(900));
        assert_eq!(findings("src/a.rs", &long).len(), 0);
        assert_eq!(findings("src/a.rs", &"\n".repeat(801)).len(), 1);
    }

    #[test]
    fn white_space_is_checked_to_the_end_of_the_file() {
        assert_eq!(findings("a.md", "a \nb\tc\nd").len(), 3);
    }
}
