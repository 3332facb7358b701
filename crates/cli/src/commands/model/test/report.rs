//! What came of tests, for programs.

use serde_json::{Value, json};

use super::comparison::DifferenceLine;
use super::text::message;
use super::trial::{Failure, StepOutcome, TestOutcome};

/// All tests, and how many have passed and failed.
pub(super) fn report(outcomes: &[TestOutcome]) -> Value {
    let passed = outcomes.iter().filter(|outcome| outcome.has_passed()).count();
    json!({
        "passed": passed,
        "failed": outcomes.len() - passed,
        "tests": outcomes.iter().map(test).collect::<Vec<_>>(),
    })
}

fn test(outcome: &TestOutcome) -> Value {
    json!({
        "name": outcome.name,
        "passed": outcome.has_passed(),
        "steps": outcome.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn step(outcome: &StepOutcome) -> Value {
    json!({
        "pattern": outcome.pattern,
        "consumed": { "read": outcome.consumed.read, "write": outcome.consumed.write },
        "failures": outcome.failures.iter().map(failure).collect::<Vec<_>>(),
    })
}

fn failure(failure: &Failure) -> Value {
    let kind = match failure {
        Failure::NotRun { .. } => "not-run",
        Failure::NotRefused => "not-refused",
        Failure::Refused(_) => "refused",
        Failure::Rows { .. } => "rows",
        Failure::Units { .. } => "units",
    };
    let mut report = json!({ "kind": kind, "message": message(failure) });
    if let (Failure::Rows { lines }, Some(members)) = (failure, report.as_object_mut()) {
        members.insert("difference".to_owned(), lines.iter().map(difference_line).collect());
    }
    report
}

fn difference_line(line: &DifferenceLine) -> Value {
    let (side, row) = match line {
        DifferenceLine::Both(row) => ("both", row),
        DifferenceLine::Expected(row) => ("expected", row),
        DifferenceLine::Found(row) => ("found", row),
    };
    json!({ "side": side, "row": row })
}
