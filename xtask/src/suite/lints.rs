//! Lints on everything that is compiled, in one run: with other flags for tests, all that they are
//! built on would be checked a second time.
//!
//! Tests may panic, print and wait: that is how they fail, report and watch a real server. What is
//! allowed to them depends on the target that a warning is about, which no flag of the linter can
//! say. So it only warns, and what it says is judged here.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::counts::Counts;
use crate::workspace::Workspace;

/// What is no mistake in tests, benchmarks and examples.
const ALLOWED_IN_TESTS: [&str; 5] = [
    "missing_docs",
    "clippy::unwrap_used",
    "clippy::indexing_slicing",
    "clippy::print_stdout",
    "clippy::disallowed_methods",
];

pub(super) fn all(workspace: &Workspace) -> Result<Counts> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--keep-going"];
    let lint = workspace.cargo(arguments).args(["--message-format", "json"]);
    let finished = lint.read()?;
    let mistakes = mistakes(&finished.output)?;
    for mistake in &mistakes {
        workspace.say(mistake);
    }
    Ok(Counts::one(mistakes.is_empty() && finished.status.success()))
}

/// What is wrong, each mistake once: code that is also compiled for its tests is said to be wrong
/// twice.
fn mistakes(messages: &str) -> Result<BTreeSet<String>> {
    let mut mistakes = BTreeSet::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("cargo printed no JSON")?;
        mistakes.extend(mistake(&message));
    }
    Ok(mistakes)
}

/// The text of a message of cargo that is about a mistake.
fn mistake(message: &Value) -> Option<String> {
    let said = message.get("message")?;
    // A message about no place only says how many there were.
    let has_place = said.get("spans")?.as_array().is_some_and(|spans| !spans.is_empty());
    let is_serious = matches!(said.get("level")?.as_str()?, "warning" | "error");
    let lint = said.pointer("/code/code").and_then(Value::as_str);
    let is_allowed = lint.is_some_and(|lint| ALLOWED_IN_TESTS.contains(&lint));
    if !has_place || !is_serious || is_allowed && is_of_tests(message) {
        return None;
    }
    Some(said.get("rendered")?.as_str()?.to_owned())
}

/// Whether a message is about a target that no user gets.
fn is_of_tests(message: &Value) -> bool {
    let kinds = message.pointer("/target/kind").and_then(Value::as_array);
    let is_test = |kind: &Value| matches!(kind.as_str(), Some("test" | "bench" | "example"));
    kinds.is_some_and(|kinds| kinds.iter().any(is_test))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(kind: &str, level: &str, lint: &str) -> String {
        json!({
            "reason": "compiler-message",
            "target": { "kind": [kind] },
            "message": {
                "level": level,
                "code": { "code": lint },
                "spans": [{ "file_name": "a.rs" }],
                "rendered": format!("{lint} in a {kind}"),
            }
        })
        .to_string()
    }

    #[test]
    fn tests_may_panic_and_print_and_nothing_else() {
        let messages = [
            message("test", "warning", "clippy::unwrap_used"),
            message("lib", "warning", "clippy::unwrap_used"),
            message("test", "warning", "clippy::needless_return"),
            message("example", "error", "E0308"),
        ];
        let expected = ["E0308 in a example", "clippy::needless_return in a test"];
        let found = mistakes(&messages.join("\n")).unwrap();
        assert!(expected.iter().all(|mistake| found.contains(*mistake)), "{found:?}");
        assert!(found.contains("clippy::unwrap_used in a lib") && found.len() == 3, "{found:?}");
    }

    #[test]
    fn a_mistake_counts_once_and_a_sum_of_mistakes_not_at_all() {
        let twice = message("lib", "warning", "dead_code");
        let sum =
            r#"{"message": {"level": "warning", "code": null, "spans": [], "rendered": "2"}}"#;
        let artifact = r#"{"reason": "compiler-artifact", "target": {"kind": ["lib"]}}"#;
        let messages = [twice.as_str(), &twice, sum, artifact, "not JSON"].join("\n");
        assert_eq!(mistakes(&messages).unwrap().len(), 1);
    }
}
