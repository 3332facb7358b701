//! `SET` without `=`.

use crate::diagnostic::Diagnostic;
use crate::lint::Subject;
use crate::lint::expression_fault::{ExpressionFault, report_faults};
use crate::lint::rule::{Rule, rule};

pub(super) const RULE: Rule =
    rule!("set-without-equals", Error, Requests, "a SET clause has no =", check);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::NoEquals(target) = fault else { return None };
        let message = format!("SET {target} is not followed by =");
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        let suggestion = format!("write SET {target} = …; only ADD and DELETE take a bare value");
        Some(found.with_suggestion(suggestion))
    })
}
