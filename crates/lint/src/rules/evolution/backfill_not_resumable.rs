//! A backfill that does harm when it runs twice.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::ActionKind;
use monotable_plan::Change;

use crate::Subject;
use crate::backfill::backfills;
use crate::pattern_write::PatternWrite;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "backfill-not-resumable",
    Warning,
    Evolution,
    Model,
    "a backfill changes an item once more each time that it comes by",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for backfill in backfills(subject.model) {
        let twice = backfill.writes.iter().filter(|write| adds_again(write));
        found.extend(twice.map(|write| {
            let message = format!(
                "\"{}\" changes {} relative to what is there: after a stop it cannot go on without \
                 doing some twice",
                write.pattern.name, write.entity.name
            );
            let suggestion = "set a value that does not depend on the old one, or mark the item: \
                              condition = \"attribute_not_exists(MigratedAt)\" and SET MigratedAt \
                              = :now";
            Diagnostic::warning(RULE.code, write.place.clone(), message).with_suggestion(suggestion)
        }));
    }
    found
}

/// Whether a second run changes the item again: the change adds to what is there, and no condition
/// is about an attribute that the change writes.
fn adds_again(write: &PatternWrite<'_>) -> bool {
    let Some(change) = write.change.filter(|_| write.kind == ActionKind::Update) else {
        return false;
    };
    let effect = Change::of(change);
    let is_plain = |target: &String| {
        effect.assigned.iter().any(|(name, _)| name == target) || effect.removed.contains(target)
    };
    let is_relative = effect.targets.iter().any(|target| !is_plain(target));
    let marks = write.condition.is_some_and(|condition| {
        let stored = |name: &String| {
            write.entity.attribute(name).map_or(name.as_str(), |one| one.item_name()).to_owned()
        };
        condition.attributes.iter().any(|name| effect.targets.contains(&stored(name)))
    });
    is_relative && !marks
}
