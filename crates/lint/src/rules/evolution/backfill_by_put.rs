//! A backfill that writes items back as it read them.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::ActionKind;

use crate::Subject;
use crate::backfill::backfills;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "backfill-by-put",
    Error,
    Evolution,
    Model,
    "a backfill puts whole items back without a condition, over what was written meanwhile",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for backfill in backfills(subject.model) {
        let puts = backfill
            .writes
            .iter()
            .filter(|write| write.kind == ActionKind::Put && write.condition.is_none());
        found.extend(puts.map(|write| {
            let message = format!(
                "\"{}\" puts each {} back as it was read: what was written since is lost",
                backfill.pattern.name, write.entity.name
            );
            let suggestion = "operation = \"update\" that sets only what is new, with condition = \
                              \"attribute_exists(…)\" on the key";
            Diagnostic::error(RULE.code, write.place.clone(), message).with_suggestion(suggestion)
        }));
    }
    found
}
