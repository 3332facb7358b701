//! An expression that the service refuses, for a reason that no other rule is about.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule =
    rule!("bad-expression", Error, Requests, Evidence, "the service refuses an expression", check);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::Other(error) = fault else { return None };
        let message = format!("{} is refused: {error}", expression.text);
        Some(Diagnostic::error(RULE.code, expression.place.clone(), message))
    })
}
