//! A reserved word that stands bare in an expression.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "bare-reserved-word",
    Error,
    Requests,
    Evidence,
    "an expression has a reserved word as the name of an attribute",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::ReservedWord(word) = fault else { return None };
        let message = format!("{word} is a reserved word and cannot stand bare in an expression");
        let suggestion =
            format!("write #{word} and add \"#{word}\": \"{word}\" to ExpressionAttributeNames");
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        Some(found.with_suggestion(suggestion))
    })
}
