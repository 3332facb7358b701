//! More indexes than a table may have.

use monotable_item::limits::{GLOBAL_INDEXES_MAX, LOCAL_INDEXES_MAX};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{IndexKind, Table};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "index-quota",
    Error,
    Collections,
    Model,
    "a table has more indexes than the service allows",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.tables.iter().flat_map(over_quota).collect()
}

fn over_quota(table: &Table) -> Vec<Diagnostic> {
    let quotas = [
        (IndexKind::Local, "local_indexes", "local", LOCAL_INDEXES_MAX),
        (IndexKind::Global, "global_indexes", "global", GLOBAL_INDEXES_MAX),
    ];
    let over = quotas.into_iter().filter_map(|(kind, member, word, max)| {
        let count = table.indexes.iter().filter(|index| index.kind == kind).count();
        let message =
            format!("{} has {count} {word} indexes, and a table has {max} at most", table.name);
        let suggestion = match kind {
            IndexKind::Local => "make some of them global",
            IndexKind::Global => "let entities that never share a partition share an index",
        };
        let place = Place::table(&table.name).member(member);
        (count > max)
            .then(|| Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
    });
    over.collect()
}
