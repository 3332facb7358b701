//! An index whose keys change often.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Index, Pattern, Table};
use monotable_plan::{PlannedRequest, UpdatePlan};

use crate::Subject;
use crate::key_site::{route_place, routes};
use crate::rule::{Rule, rule};
use crate::threshold::INDEX_KEY_CHANGES;

pub(super) const RULE: Rule = rule!(
    "mutable-in-index-key",
    Warning,
    Keys,
    Model,
    "updates change the key of an index so often that its writes are worth counting",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let indexes = routes(subject.model).filter_map(|(table, index)| Some((table, index?)));
    indexes.filter_map(|(table, index)| finding(subject, table, index)).collect()
}

fn finding(subject: &Subject<'_>, table: &Table, index: &Index) -> Option<Diagnostic> {
    let changing: Vec<(&Pattern, f64)> = subject
        .planned()
        .filter(|(_, plan)| plan.steps.iter().any(|step| changes(step, table, index)))
        .filter_map(|(pattern, _)| Some((pattern, rate(subject, pattern)?)))
        .collect();
    let total: f64 = changing.iter().map(|(_, rate)| rate).sum();
    if total < subject.threshold(&INDEX_KEY_CHANGES) {
        return None;
    }
    let message = format!(
        "updates change the keys of {} {total} times a second: each deletes an entry and writes \
         another, which is {} entries a second",
        index.name,
        total * 2.0
    );
    let place = route_place(table, Some(index));
    let found = Diagnostic::warning(RULE.code, place, message);
    let found = changing.iter().fold(found, |found, (pattern, rate)| {
        found.with_note(format!("\"{}\", {rate} times a second", pattern.name))
    });
    Some(found.with_suggestion("key the index by what seldom changes, or project less into it"))
}

fn rate(subject: &Subject<'_>, pattern: &Pattern) -> Option<f64> {
    pattern.rate.or(subject.model.workload.writes_per_second)
}

/// Whether a request changes keys of an index. Steps of other patterns are counted with those.
fn changes(request: &PlannedRequest, table: &Table, index: &Index) -> bool {
    let of_index = |update: &UpdatePlan| update.derived.iter().any(|one| one.index == index.name);
    let is_own =
        request.target.table == table.name && request.action.update().is_some_and(of_index);
    is_own || request.action.members().iter().any(|member| changes(member, table, index))
}
