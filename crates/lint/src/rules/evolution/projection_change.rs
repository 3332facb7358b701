//! A projection that changes while the index is there.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Table;

use crate::Subject;
use crate::kept::kept_tables;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "projection-change",
    Warning,
    Evolution,
    Evidence,
    "the projection or the key of an index changes, which takes a new index",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    kept_tables(subject).into_iter().flat_map(|(before, after)| changes(before, after)).collect()
}

fn changes(before: &Table, after: &Table) -> Vec<Diagnostic> {
    let kept = after.indexes.iter().filter_map(|index| Some((before.index(&index.name)?, index)));
    let found = kept.filter_map(|(old, new)| {
        let (what, member) =
            match (old.projection == new.projection, old.key_attributes().eq(new.key_attributes()))
            {
                (true, true) => return None,
                (false, true) => ("projection", "projection"),
                (_, false) => ("key", "partition_key"),
            };
        let message = format!(
            "the {what} of {} changes, and an index that is there keeps what it has",
            new.name
        );
        let suggestion = format!(
            "add an index of another name, let readers change over once it is filled, then drop {}",
            new.name
        );
        Some(
            Diagnostic::warning(RULE.code, route_place(after, Some(new)).member(member), message)
                .with_suggestion(suggestion),
        )
    });
    found.collect()
}
