//! A pattern that no table or index serves.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Operation, Pattern};
use monotable_plan::{Plan, Reason, Unserved};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unplanned-pattern",
    Error,
    Collections,
    Model,
    "no table or index serves an access pattern",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let own = subject.planned().filter(|(pattern, _)| pattern.operation != Operation::Steps);
    own.filter_map(|(pattern, plan)| finding(pattern, plan)).collect()
}

fn finding(pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    let unserved =
        plan.unserved.first().filter(|unserved| !is_told_elsewhere(pattern, unserved))?;
    let message = format!("no table or index serves \"{}\"", pattern.name);
    let mut found = Diagnostic::error(RULE.code, Place::pattern(&pattern.name), message);
    for rejection in &unserved.rejections {
        let reasons: Vec<String> = rejection.reasons.iter().map(ToString::to_string).collect();
        found = found.with_note(format!("{}: {}", rejection.target, reasons.join("; ")));
    }
    found.suggestion.clone_from(&unserved.suggestion);
    Some(found)
}

/// Whether a rule of its own says what is wrong: `query-on-nested-value` or `entity-unreachable`.
fn is_told_elsewhere(pattern: &Pattern, unserved: &Unserved) -> bool {
    let insists = pattern.index.is_some() || pattern.table.is_some();
    let mut reasons = unserved.rejections.iter().flat_map(|rejection| &rejection.reasons);
    reasons.any(|reason| match reason {
        Reason::Embedded { .. } => true,
        Reason::NotInIndex { .. } | Reason::NotInTable { .. } => insists,
        _ => false,
    })
}
