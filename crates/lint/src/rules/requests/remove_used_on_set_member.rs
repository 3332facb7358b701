//! `REMOVE` of a member of a set.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "remove-used-on-set-member",
    Error,
    Requests,
    Evidence,
    "REMOVE is followed by a value, as if it took members out of a set",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::ValueAfterRemove(target) = fault else { return None };
        let message = format!("REMOVE {target} takes the whole attribute away, and no value");
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        let suggestion = format!("to take members out of a set, write DELETE {target} :members");
        Some(found.with_suggestion(suggestion))
    })
}
