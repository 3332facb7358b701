//! How many items a transaction is about.

use monotable_model::document::{Model, Pattern};

use crate::pattern_write::PatternWrite;

/// How often an action is done in one run, as far as the model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ActionCount {
    /// At most so often.
    AtMost(u64),
    /// As often as a list has elements, and nothing says how many those are.
    Unbounded,
}

/// How often an action of a pattern is done.
pub(super) fn action_count(model: &Model, write: &PatternWrite<'_>) -> ActionCount {
    if write.each.is_none() {
        return ActionCount::AtMost(1);
    }
    let copies = write.entity.copies.as_ref().map(|copies| copies.count);
    let most = copies.or_else(|| related_max(model, write.pattern, &write.entity.name));
    most.map_or(ActionCount::Unbounded, ActionCount::AtMost)
}

/// How many of an entity belong to another that the pattern is about, at most.
fn related_max(model: &Model, pattern: &Pattern, entity: &str) -> Option<u64> {
    let among = |name: &str| pattern.all_entities().any(|other| other == name);
    let mut related = model.relationships.iter();
    related.find(|one| one.to == entity && among(&one.from)).and_then(|one| one.max)
}
