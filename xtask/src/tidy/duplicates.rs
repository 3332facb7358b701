//! No two places share more than a dozen lines of the same Rust code.
//!
//! Only lines that say something count: comments, imports, module lists, and lines without a
//! letter, such as closing brackets and tables of numbers, are passed over. How lines are indented
//! does not matter. Code that is generated is as alike as what it is generated from.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Finding, TextFile};

/// How many lines two places may share.
const SHARED_MAX: usize = 12;

/// The folder of generated code, anywhere in a path.
const GENERATED: &str = "generated";

pub(super) fn check(files: &[TextFile]) -> Vec<Finding> {
    let is_written = |file: &&TextFile| {
        file.has_extension("rs") && file.path.iter().all(|part| part != GENERATED)
    };
    // Where each run of lines was met first: the file, and which of its lines it begins at.
    let mut firsts: HashMap<u64, (&TextFile, usize)> = HashMap::new();
    let mut findings = Vec::new();
    for file in files.iter().filter(is_written) {
        let lines = counted_lines(&file.text);
        // A run that is reported is reported once, however far it goes on.
        let mut reported = 0;
        for (start, run) in lines.windows(SHARED_MAX + 1).enumerate() {
            let mut hasher = DefaultHasher::new();
            run.iter().for_each(|(_, line)| line.hash(&mut hasher));
            let number = run.first().map_or(0, |(number, _)| *number);
            let (other, first) = *firsts.entry(hasher.finish()).or_insert((file, number));
            let is_itself = other.path == file.path && first == number;
            if !is_itself && start >= reported {
                let message = format!(
                    "more than {SHARED_MAX} lines are those of {}:{first}",
                    other.path.display()
                );
                findings.push(Finding::of_line(&file.path, number, message));
            }
            if !is_itself {
                reported = start + run.len();
            }
        }
    }
    findings
}

/// The lines that count, with their numbers.
fn counted_lines(text: &str) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut is_in_import = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        is_in_import |= is_import(line);
        let is_counted = !is_in_import
            && !line.starts_with("//")
            && !is_module(line)
            && line.contains(char::is_alphabetic);
        if is_counted {
            lines.push((index + 1, line));
        }
        is_in_import &= !line.ends_with(';');
    }
    lines
}

fn is_import(line: &str) -> bool {
    after_visibility(line).starts_with("use ")
}

fn is_module(line: &str) -> bool {
    after_visibility(line).starts_with("mod ") && line.ends_with(';')
}

/// A declaration without the word that says who may see it.
fn after_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else { return line };
    let scope_end = rest.strip_prefix('(').and_then(|scope| scope.split_once(')'));
    scope_end.map_or(rest, |(_, rest)| rest).trim_start()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| TextFile {
            path: PathBuf::from(path),
            text: (*text).to_owned(),
        };
        let files: Vec<TextFile> = files.iter().map(file).collect();
        check(&files).iter().map(Finding::to_string).collect()
    }

    fn calls(count: usize) -> String {
        (0..count).map(|number| format!("    call{number}();\n")).collect()
    }

    #[test]
    fn a_dozen_lines_may_be_shared_and_no_more() {
        let (dozen, more) = (calls(12), calls(13));
        assert!(findings(&[("a.rs", &dozen), ("b.rs", &dozen)]).is_empty());
        assert_eq!(
            findings(&[("a.rs", &more), ("b.rs", &format!("fn f() {{\n{more}}}\n"))]),
            ["b.rs:2: more than 12 lines are those of a.rs:1"]
        );
    }

    #[test]
    fn a_long_run_is_reported_once_and_another_one_again() {
        let (run, twice) = (calls(30), format!("{}fn g() {{\n{}}}\n", calls(20), calls(20)));
        assert_eq!(findings(&[("a.rs", &run), ("b.rs", &run)]).len(), 1);
        assert_eq!(
            findings(&[("a.rs", &twice)]),
            ["a.rs:22: more than 12 lines are those of a.rs:1"]
        );
    }

    #[test]
    fn lines_that_say_nothing_do_not_count() {
        let twelve = calls(12);
        let padded = format!(
            "pub(crate) use a::{{\n    B,\n}};\nmod c;\n{twelve}// A comment.\n}}\n1_000,\n"
        );
        assert!(findings(&[("a.rs", &padded), ("b.rs", &padded)]).is_empty());
        let indented = calls(13).replace("    ", "        // Why.\n\n  ");
        assert_eq!(findings(&[("a.rs", &calls(13)), ("b.rs", &indented)]).len(), 1);
    }

    #[test]
    fn generated_code_and_other_languages_may_repeat_themselves() {
        let run = calls(13);
        assert!(findings(&[("a/generated/b.rs", &run), ("c.rs", &run)]).is_empty());
        assert!(findings(&[("a.py", &run), ("b.py", &run)]).is_empty());
    }
}
