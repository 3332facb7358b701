//! A `begins_with` whose text begins another entity's keys.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_plan::{Piece, PlannedAction, SortCondition};

use crate::Subject;
use crate::rule::{Rule, rule};
use crate::wording::joined;

pub(super) const RULE: Rule = rule!(
    "ambiguous-prefix",
    Warning,
    Keys,
    Model,
    "the prefix that a pattern asks for ends inside of a word, and begins another entity's keys",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, plan) in subject.planned() {
        let own = plan.steps.iter().filter(|step| step.pattern == pattern.name);
        found.extend(own.filter_map(|step| finding(&pattern.name, &step.action)));
    }
    found
}

fn finding(pattern: &str, action: &PlannedAction) -> Option<Diagnostic> {
    let PlannedAction::Query(query) = action else { return None };
    let (attribute, SortCondition::BeginsWith(text)) = query.sort.as_ref()? else { return None };
    let Piece::Literal(last) = text.pieces().last()? else { return None };
    let others: Vec<&str> = query.collection.leaks().collect();
    if !last.ends_with(char::is_alphanumeric) || others.is_empty() {
        return None;
    }
    let others = joined(&others);
    let message = format!("begins_with({attribute}, {text}) finds {others} as well");
    let suggestion = format!("let the prefix end with a delimiter: \"{last}#\"");
    let found = Diagnostic::warning(RULE.code, Place::pattern(pattern), message);
    Some(found.with_suggestion(suggestion))
}
