//! Conditions on keys that are separated by a comma.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "key-condition-comma",
    Error,
    Requests,
    Evidence,
    "conditions on keys are separated by a comma instead of AND",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        if *fault != ExpressionFault::Comma {
            return None;
        }
        let message = format!("the key condition {} has a comma", expression.text);
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        let joined = expression.text.replace(", ", " AND ");
        Some(found.with_suggestion(format!("join the conditions by AND: {joined}")))
    })
}
