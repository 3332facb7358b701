//! Indexes that could be one.

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Index, IndexKind, Model, Profile, Table};
use monotable_model::template::{Domains, KeySet};
use monotable_plan::PlannedAction;

use crate::Subject;
use crate::key_site::route_place;
use crate::planned_query::requests;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "index-per-pattern",
    Warning,
    Collections,
    Model,
    "two indexes hold different entities and could be one",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if subject.profile == Profile::MultiTable {
        return Vec::new();
    }
    let mut found = Vec::new();
    for table in &subject.model.tables {
        let mut merged: Vec<&str> = Vec::new();
        let candidates: Vec<&Index> =
            table.indexes.iter().filter(|index| is_candidate(subject, table, index)).collect();
        for (position, second) in candidates.iter().enumerate() {
            let earlier = candidates.iter().take(position);
            let mut earlier = earlier.filter(|first| !merged.contains(&first.name.as_str()));
            if let Some(first) =
                earlier.find(|first| are_mergeable(subject.model, table, first, second))
            {
                merged.push(&second.name);
                found.push(finding(subject.model, table, first, second));
            }
        }
    }
    found
}

/// An index that is queried. One that is scanned is meant for one entity alone.
fn is_candidate(subject: &Subject<'_>, table: &Table, index: &Index) -> bool {
    let uses = || {
        requests(subject).into_iter().filter(|(_, request)| {
            request.target.table == table.name && request.target.index.as_ref() == Some(&index.name)
        })
    };
    let is_scanned = uses().any(|(_, request)| matches!(request.action, PlannedAction::Scan(_)));
    let is_text =
        index.key_attributes().all(|key| key.kind.value_type() == monotable_item::Type::String);
    index.kind == IndexKind::Global
        && index.partition_key.len() == 1
        && index.sort_key.len() <= 1
        && index.billing.is_none()
        && is_text
        && uses().next().is_some()
        && !is_scanned
}

/// Whether no entity is in both, both hold the same attributes, and no partition would hold both.
fn are_mergeable(model: &Model, table: &Table, first: &Index, second: &Index) -> bool {
    let is_in_both = |name: &str| {
        model
            .entities_in_index(table, first)
            .any(|entity| entity.name == name || entity.variant_of.as_deref() == Some(name))
    };
    let shares = model.entities_in_index(table, second).any(|entity| {
        is_in_both(&entity.name) || entity.variant_of.as_deref().is_some_and(is_in_both)
    });
    first.projection == second.projection
        && !shares
        && !share_partitions(model, table, first, second)
}

fn share_partitions(model: &Model, table: &Table, first: &Index, second: &Index) -> bool {
    let domains = Domains::new();
    let keys = |index: &Index| -> Vec<KeySet> {
        let entities = model.entities_in_index(table, index);
        let keys = entities.filter_map(|entity| entity.index_key(&index.name));
        let templates = keys.flat_map(|keys| &keys.keys.partition);
        templates.map(|template| KeySet::new(template, &domains)).collect()
    };
    let others = keys(second);
    keys(first).iter().any(|one| others.iter().any(|other| !one.same_key(other).is_never()))
}

fn finding(model: &Model, table: &Table, first: &Index, second: &Index) -> Diagnostic {
    let names = |index: &Index| {
        let names = model.entities_in_index(table, index).map(|entity| entity.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let message = format!(
        "{} holds {} and {} holds {}: one index can hold all, since their keys never meet",
        first.name,
        names(first),
        second.name,
        names(second)
    );
    let suggestion = format!(
        "give {} their keys in {} instead, and drop {}",
        names(second),
        first.name,
        second.name
    );
    Diagnostic::warning(RULE.code, route_place(table, Some(second)), message)
        .with_suggestion(suggestion)
        .with_note_at(route_place(table, Some(first)), "this is the other index")
}
