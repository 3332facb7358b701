//! An attribute whose name has special characters, used without a placeholder.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "dotted-name",
    Error,
    Requests,
    Evidence,
    "a name with a dot, bracket, space or dash stands in an expression without a placeholder",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::SpecialName(name) = fault else { return None };
        let meaning = if name.contains('.') {
            "reads as a member of a map"
        } else {
            "is not a name that can stand there"
        };
        let message = format!("the attribute {name} is written out, which {meaning}");
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let suggestion =
            format!("write #{plain} and add \"#{plain}\": \"{name}\" to ExpressionAttributeNames");
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        Some(found.with_suggestion(suggestion))
    })
}
