//! A collection that is read whole and grows without a limit.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, Relationship, RelationshipKind};

use crate::Subject;
use crate::planned_query::{PlannedQuery, queries};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "unbounded-item-collection",
    Warning,
    Collections,
    Model,
    "a query reads a whole collection, and nothing says how many items it can have",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let whole = queries(subject)
        .into_iter()
        .filter(|query| query.pattern.limit.is_none() && query.pattern.range.is_none());
    whole.filter_map(|query| judge(subject.model, query)).collect()
}

fn judge(model: &Model, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    let wanted = &query.pattern.entities;
    let open = model.relationships.iter().find(|relationship| {
        wanted.iter().any(|name| name == many_side(relationship))
            && relationship.kind != RelationshipKind::OneToOne
            && relationship.max.is_none()
            && is_by_parent(model, query, relationship)
            && !is_sparse(model, query, many_side(relationship))
    })?;
    let many = many_side(open);
    let message = format!(
        "the query reads every {many} of a {}, and nothing says how many there can be",
        open.from
    );
    let suggestion = format!(
        "read by pages with limit, or say how many there are at most: max = … in the relationship \
         of {} and {}",
        open.from, open.to
    );
    Some(
        Diagnostic::warning(RULE.code, Place::pattern(&query.pattern.name), message)
            .with_suggestion(suggestion),
    )
}

fn many_side(relationship: &Relationship) -> &str {
    relationship.through.as_deref().unwrap_or(&relationship.to)
}

/// Whether the query reads an index that holds only some of the entity's items, of which the
/// relationship says nothing.
fn is_sparse(model: &Model, query: PlannedQuery<'_>, entity: &str) -> bool {
    let index = query.request.target.index.as_deref();
    let keys = model.entity(entity).zip(index).and_then(|(entity, index)| entity.index_key(index));
    keys.is_some_and(|keys| keys.when.is_some())
}

/// Whether the query knows what tells the parent and nothing more, so that it reads all of its
/// children.
fn is_by_parent(model: &Model, query: PlannedQuery<'_>, relationship: &Relationship) -> bool {
    let keys = model.entity(&relationship.from).and_then(|parent| parent.key.as_ref());
    let mut parts = keys
        .iter()
        .flat_map(|keys| keys.partition.iter().chain(&keys.sort))
        .flat_map(|one| one.paths())
        .map(|path| path.root.as_str())
        .collect::<Vec<_>>();
    parts.sort_unstable();
    parts.dedup();
    let mut known: Vec<&str> =
        query.pattern.by.iter().map(|known| known.attribute.as_str()).collect();
    known.sort_unstable();
    !parts.is_empty() && parts == known
}
