//! Changes of access patterns: what they ask, and what serves them.

use monotable_model::diagnostic::Place;
use monotable_model::document::{Model, Pattern, pattern_tree};
use monotable_plan::plan;

use super::change::{Change, ChangeKind, Mark};
use super::diff::differences;

/// Compares the access patterns of two models.
pub(super) fn compare(old: &Model, new: &Model, changes: &mut Vec<Change>) {
    for pattern in &new.patterns {
        match old.pattern(&pattern.name) {
            Some(before) => members(old, new, (before, pattern), changes),
            None => changes.push(added(new, pattern)),
        }
    }
    let gone = old.patterns.iter().filter(|pattern| new.pattern(&pattern.name).is_none());
    changes.extend(gone.map(removed));
}

fn added(model: &Model, pattern: &Pattern) -> Change {
    Change::new(Mark::Added, ChangeKind::Pattern, Place::pattern(&pattern.name))
        .between(None, Some(served(model, pattern)))
}

fn removed(pattern: &Pattern) -> Change {
    Change::new(Mark::Removed, ChangeKind::Pattern, Place::pattern(&pattern.name))
}

/// What a pattern says, and else by what it is served: the same question may get another answer.
fn members(
    old: &Model,
    new: &Model,
    (before, after): (&Pattern, &Pattern),
    changes: &mut Vec<Change>,
) {
    let place = Place::pattern(&after.name);
    let differences = differences(&pattern_tree(old, before), &pattern_tree(new, after));
    if differences.is_empty() {
        changes.extend(plan_change(&place, after, served(old, before), served(new, after)));
    }
    for difference in differences {
        let place = place.member(&difference.member);
        let change = Change::new(difference.mark(), ChangeKind::Pattern, place);
        changes.push(change.between(difference.before, difference.after));
    }
}

fn plan_change(place: &Place, pattern: &Pattern, before: String, after: String) -> Option<Change> {
    if before == after {
        return None;
    }
    let change = Change::new(Mark::Changed, ChangeKind::Pattern, place.clone())
        .between(Some(before), Some(after));
    Some(if pattern.operation.writes() {
        change.breaking_writers().noting("the same write is another request from now on")
    } else {
        change.breaking().noting("the same question is another request from now on")
    })
}

fn served(model: &Model, pattern: &Pattern) -> String {
    let plan = plan(model, pattern);
    if plan.is_served() { plan.lines().join("; ") } else { "nothing serves it".to_owned() }
}
