//! `SET` without `=`.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule =
    rule!("set-without-equals", Error, Requests, Evidence, "a SET clause has no =", check);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::NoEquals(target) = fault else { return None };
        let message = format!("SET {target} is not followed by =");
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        let suggestion = format!("write SET {target} = …; only ADD and DELETE take a bare value");
        Some(found.with_suggestion(suggestion))
    })
}
