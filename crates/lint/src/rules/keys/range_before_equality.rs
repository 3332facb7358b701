//! A range of one part of a sort key, and an exact value of a part behind it.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Pattern;
use monotable_plan::{Plan, Reason};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "range-before-equality",
    Warning,
    Keys,
    Model,
    "a pattern ranges over one part of a sort key and knows a part behind it exactly",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.planned().flat_map(|(pattern, plan)| findings(pattern, plan)).collect()
}

fn findings(pattern: &Pattern, plan: &Plan) -> Vec<Diagnostic> {
    let Some(range) = &pattern.range else { return Vec::new() };
    let own = plan.shortfalls.iter().filter(|shortfall| shortfall.pattern == pattern.name);
    own.filter_map(|shortfall| match &shortfall.reason {
        Reason::Gap { entity, attribute, missing } if *missing == range.attribute => {
            Some(finding(pattern, entity, attribute, missing))
        }
        _ => None,
    })
    .collect()
}

fn finding(pattern: &Pattern, entity: &str, attribute: &str, ranged: &str) -> Diagnostic {
    let message = format!(
        "the range of {ranged} ends the key condition, so {attribute} behind it in the sort key of \
         {entity} is filtered"
    );
    let suggestion = format!("put {attribute} before {ranged}: {{{attribute}}}#{{{ranged}}}");
    let place = Place::pattern(&pattern.name);
    Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion)
}
