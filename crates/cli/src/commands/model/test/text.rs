//! What came of tests, for people.

use std::io;

use super::comparison::DifferenceLine;
use super::trial::{Failure, StepOutcome, TestOutcome};
use crate::line_fit;
use crate::output::{self, Style, styled};

/// Prints a line for a test, and below it what was not as expected.
pub(super) fn print(outcome: &TestOutcome) -> io::Result<()> {
    if outcome.has_passed() {
        return line_fit::print(&format!("{} {}", styled(Style::Added, "ok  "), outcome.name));
    }
    line_fit::print(&format!("{} {}", styled(Style::Failure, "FAIL"), outcome.name))?;
    let step_count = outcome.steps.len();
    for (number, step) in (1..).zip(&outcome.steps) {
        // One step needs no number.
        let number = (step_count > 1).then_some(number);
        step.failures.iter().try_for_each(|failure| print_failure(number, step, failure))?;
    }
    Ok(())
}

/// Prints how many have passed and failed.
pub(super) fn print_summary(outcomes: &[TestOutcome]) -> io::Result<()> {
    let passed = outcomes.iter().filter(|outcome| outcome.has_passed()).count();
    output::line(&format!("{passed} passed, {} failed", outcomes.len() - passed))
}

fn print_failure(number: Option<usize>, step: &StepOutcome, failure: &Failure) -> io::Result<()> {
    let step_number = number.map_or_else(String::new, |number| format!("step {number}, "));
    let message = message(failure);
    line_fit::print(&format!("     {step_number}{}: {message}", step.pattern))?;
    match failure {
        Failure::Rows { lines } => lines.iter().try_for_each(print_line),
        Failure::Refused(refusal) => {
            for (number, member) in refusal.members.iter().enumerate() {
                line_fit::print(&format!("       member {}: {member}", number + 1))?;
            }
            Ok(())
        }
        Failure::NotRun { .. } | Failure::NotRefused | Failure::Units { .. } => Ok(()),
    }
}

/// What was not as expected, in one line.
pub(super) fn message(failure: &Failure) -> String {
    match failure {
        Failure::NotRun { reason } => format!("cannot be run: {reason}"),
        Failure::NotRefused => "expected to be refused, and was carried out".to_owned(),
        Failure::Refused(refusal) => format!("was refused: {}", refusal.message),
        Failure::Rows { lines } => {
            let count = |is_meant: fn(&DifferenceLine) -> bool| {
                lines.iter().filter(|line| is_meant(line)).count()
            };
            let missing = count(|line| matches!(line, DifferenceLine::Expected(_)));
            let surplus = count(|line| matches!(line, DifferenceLine::Found(_)));
            format!("other rows than expected: {missing} missing (-), {surplus} unexpected (+)")
        }
        Failure::Units { kind, expected, found } => {
            format!("expected {expected} {kind} units, and consumed {found}")
        }
    }
}

fn print_line(line: &DifferenceLine) -> io::Result<()> {
    match line {
        DifferenceLine::Both(text) => line_fit::print(&format!("         {text}")),
        DifferenceLine::Expected(text) => {
            line_fit::print(&format!("       {}", styled(Style::Removed, &format!("- {text}"))))
        }
        DifferenceLine::Found(text) => {
            line_fit::print(&format!("       {}", styled(Style::Added, &format!("+ {text}"))))
        }
    }
}
