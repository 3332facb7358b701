//! An expression that the service refuses, for a reason that no other rule is about.

use crate::diagnostic::Diagnostic;
use crate::lint::Subject;
use crate::lint::expression_fault::{ExpressionFault, report_faults};
use crate::lint::rule::{Rule, rule};

pub(super) const RULE: Rule =
    rule!("bad-expression", Error, Requests, "the service refuses an expression", check);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::Other(error) = fault else { return None };
        let message = format!("{} is refused: {error}", expression.text);
        Some(Diagnostic::error(RULE.code, expression.place.clone(), message))
    })
}
