//! More projected attributes than indexes may name.

use monotable_item::limits::{PROJECTED_NAMES_MAX, PROJECTED_NAMES_PER_INDEX_MAX};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Index, IndexProjection, Table};

use crate::Subject;
use crate::key_site::route_place;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "projection-quota",
    Error,
    Collections,
    Model,
    "an index, or all indexes of a table together, name more attributes than the service allows",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.tables.iter().flat_map(over_quota).collect()
}

fn over_quota(table: &Table) -> Vec<Diagnostic> {
    let suggestion = "project all attributes, or keys only and fetch the rest";
    let long = table.indexes.iter().filter(|index| names(index) > PROJECTED_NAMES_PER_INDEX_MAX);
    let mut found: Vec<Diagnostic> = long
        .map(|index| {
            let message = format!(
                "{} projects {} attributes by name, and an index names \
                 {PROJECTED_NAMES_PER_INDEX_MAX} at most",
                index.name,
                names(index)
            );
            let place = route_place(table, Some(index)).member("projection");
            Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion)
        })
        .collect();
    let all: usize = table.indexes.iter().map(names).sum();
    if all > PROJECTED_NAMES_MAX {
        let message = format!(
            "the indexes of {} project {all} attributes by name, and {PROJECTED_NAMES_MAX} are \
             allowed in all",
            table.name
        );
        let place = Place::table(&table.name);
        found.push(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion));
    }
    found
}

fn names(index: &Index) -> usize {
    match &index.projection {
        IndexProjection::Include(names) => names.len(),
        IndexProjection::All | IndexProjection::KeysOnly => 0,
    }
}
