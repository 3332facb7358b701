//! A literal in an expression.

use monotable_model::diagnostic::Diagnostic;

use crate::Subject;
use crate::expression_fault::{ExpressionFault, report_faults};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "literal-in-expression",
    Error,
    Requests,
    Evidence,
    "an expression has a number or text where only a placeholder can stand",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    report_faults(subject, |fault, expression| {
        let ExpressionFault::Literal(literal) = fault else { return None };
        let message = format!("the literal {literal} cannot stand in an expression");
        let typed = match literal.trim_matches(['\'', '"']) {
            "true" | "false" => format!("{{\"BOOL\": {literal}}}"),
            "null" => "{\"NULL\": true}".to_owned(),
            text if text.len() == literal.len() => format!("{{\"N\": \"{text}\"}}"),
            text => format!("{{\"S\": \"{text}\"}}"),
        };
        let suggestion =
            format!("write :value and add \":value\": {typed} to ExpressionAttributeValues");
        let found = Diagnostic::error(RULE.code, expression.place.clone(), message);
        Some(found.with_suggestion(suggestion))
    })
}
