//! The way in: from a pattern to its plan.

use monotable_model::document::{ActionKind, Model, Operation, Pattern, RangeComparison, Source};

use super::answer::Plan;
use super::group::{plan_group, plan_steps};
use super::item_key::plan_item;
use super::query::{plan_query, plan_scan};

/// Plans one access pattern of a model.
pub fn plan(model: &Model, pattern: &Pattern) -> Plan {
    plan_within(model, pattern, &[])
}

/// Plans all access patterns of a model, in the order of the file.
pub fn plan_all(model: &Model) -> Vec<Plan> {
    model.patterns.iter().map(|pattern| plan(model, pattern)).collect()
}

/// Plans a pattern that is a step of others.
pub(super) fn plan_within(model: &Model, pattern: &Pattern, outer: &[&str]) -> Plan {
    match pattern.operation {
        Operation::Get => plan_item(model, pattern, ActionKind::Get),
        Operation::Put => plan_item(model, pattern, ActionKind::Put),
        Operation::Update => plan_item(model, pattern, ActionKind::Update),
        Operation::Delete => plan_item(model, pattern, ActionKind::Delete),
        Operation::Query => plan_both(model, pattern),
        Operation::Scan => plan_scan(model, pattern),
        Operation::BatchGet
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite => plan_group(model, pattern),
        Operation::Steps => plan_steps(model, pattern, outer),
        Operation::Expire | Operation::Consume | Operation::Administer => {
            Plan::empty(&pattern.name)
        }
    }
}

/// A query, whose requests know what to do without the range if that may be left out.
fn plan_both(model: &Model, pattern: &Pattern) -> Plan {
    let mut plan = plan_query(model, pattern);
    if has_optional_range(pattern) {
        let without = plan_query(model, &Pattern { range: None, ..pattern.clone() });
        if without.steps.len() == plan.steps.len() {
            for (step, without) in plan.steps.iter_mut().zip(without.steps) {
                step.without_range = Some(Box::new(without));
            }
        }
    }
    plan
}

fn has_optional_range(pattern: &Pattern) -> bool {
    let Some(range) = &pattern.range else { return false };
    let sources = match &range.comparison {
        RangeComparison::Less(source)
        | RangeComparison::LessOrEqual(source)
        | RangeComparison::Greater(source)
        | RangeComparison::GreaterOrEqual(source)
        | RangeComparison::BeginsWith(source) => vec![source],
        RangeComparison::Between(from, to) => vec![from, to],
    };
    sources.into_iter().any(|source| match source {
        Source::Parameter(name) => {
            pattern.parameters.iter().any(|found| found.name == *name && found.optional)
        }
        Source::Literal(_) => false,
    })
}
