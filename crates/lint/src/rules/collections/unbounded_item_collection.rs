//! A collection that is read whole and grows without a limit.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Keys, Model, Pattern, Relationship, RelationshipKind};
use monotable_model::template::Template;

use crate::Subject;
use crate::cardinality::distinct_values;
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
    related(model, query).or_else(|| undeclared(model, query))
}

/// A collection that a relationship speaks of, without saying how large it can be.
fn related(model: &Model, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    let wanted = &query.pattern.entities;
    let open = model.relationships.iter().find(|relationship| {
        wanted.iter().any(|name| name == relationship.counted())
            && relationship.kind != RelationshipKind::OneToOne
            && relationship.max.is_none()
            && is_by_parent(model, query, relationship)
            && !is_sparse(model, query, relationship.counted())
    })?;
    let many = open.counted();
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

/// A collection that grows with an attribute of which nothing says how many values it has, and that
/// no relationship speaks of.
fn undeclared(model: &Model, query: PlannedQuery<'_>) -> Option<Diagnostic> {
    if query.pattern.rows.is_some() {
        return None;
    }
    let wanted = query.pattern.entities.iter();
    let (name, grows_by) = wanted.filter(|name| !is_counted(model, name)).find_map(|name| {
        let entity = model.entity(name)?;
        let index = query.request.target.index.as_deref();
        let keys = match index {
            Some(index) => &entity.index_key(index).filter(|keys| keys.when.is_none())?.keys,
            None => entity.key.as_ref()?,
        };
        Some((name, growing_attribute(entity, keys, query.pattern)?))
    })?;
    let message = format!(
        "the query reads every {name} of a partition, there is one for each {grows_by}, and \
         nothing says how many there can be"
    );
    let suggestion = format!(
        "read by pages with limit, or declare the relationship that {name} belongs to, with its \
         max"
    );
    Some(
        Diagnostic::warning(RULE.code, Place::pattern(&query.pattern.name), message)
            .with_suggestion(suggestion),
    )
}

/// Whether a relationship says anything about how many items of an entity there are together.
fn is_counted(model: &Model, entity: &str) -> bool {
    model.relationships.iter().any(|one| one.counted() == entity || one.to == entity)
}

/// The attribute by which a partition grows: it stands in the sort key alone, the pattern does not
/// know it, and nothing says how many values it has.
fn growing_attribute<'m>(entity: &'m Entity, keys: &'m Keys, pattern: &Pattern) -> Option<&'m str> {
    let roots = |templates: &'m [Template]| {
        templates.iter().flat_map(Template::paths).map(|path| path.root.as_str())
    };
    let in_partition: Vec<&str> = roots(&keys.partition).collect();
    let is_known = |name: &str| pattern.by.iter().any(|known| known.attribute == name);
    let is_open =
        |name: &str| entity.attribute(name).is_some_and(|one| distinct_values(one).is_none());
    let mut in_sort = roots(&keys.sort);
    let grows = |name: &&str| !in_partition.contains(name) && !is_known(name) && is_open(name);
    in_sort.find(grows).filter(|_| !in_partition.is_empty())
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
