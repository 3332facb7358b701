//! Two entities of a collection, one of whose prefixes begins the other's.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::Index;
use monotable_model::template::{Segment, Template};

use crate::Subject;
use crate::key_site::{Resident, is_same_family, residents, routes};
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "sort-prefix-overlap",
    Error,
    Keys,
    Model,
    "the prefix of one entity's sort keys begins another's in the same collection",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (table, index) in routes(subject.model) {
        let residents = residents(subject.model, table, index);
        for one in &residents {
            let overlaps = residents.iter().filter_map(|other| overlap(one, other, index));
            found.extend(overlaps);
        }
    }
    found.dedup();
    found
}

/// The finding if a query for the one, by its prefix, returns the other.
fn overlap(one: &Resident<'_>, other: &Resident<'_>, index: Option<&Index>) -> Option<Diagnostic> {
    if is_same_family(one.entity, other.entity) {
        return None;
    }
    let (mine, others) = (prefix(one)?, prefix(other)?);
    let is_begun = mine != others && others.starts_with(mine);
    let shares = || {
        let (one, other) = (one.entity_keys()?, other.entity_keys()?);
        Some(!one.same_collection(&other).is_never())
    };
    if !is_begun || !shares()? {
        return None;
    }
    let (first, second) = (&one.entity.name, &other.entity.name);
    let message = format!(
        "a query for {first} by the prefix \"{mine}\" returns {second} as well, whose keys begin \
         with \"{others}\""
    );
    let place = |entity: &str| match index {
        Some(index) => Place::entity(entity).member("indexes").member(&index.name).member("sort"),
        None => Place::entity(entity).member("key").member("sort"),
    };
    Some(
        Diagnostic::error(RULE.code, place(first), message)
            .with_note_at(place(second), format!("the sort key of {second}"))
            .with_suggestion(suggestion(mine, second)),
    )
}

fn suggestion(prefix: &str, other: &str) -> String {
    if prefix.ends_with(char::is_alphanumeric) {
        return format!("end the prefix with a delimiter: \"{prefix}#\"");
    }
    format!("give {other} a prefix that does not begin with \"{prefix}\"")
}

/// The literal that all sort keys of an entity begin with, if a query would ask for it.
fn prefix<'m>(resident: &Resident<'m>) -> Option<&'m str> {
    let [template] = resident.keys.sort.as_slice() else { return None };
    leading_literal(template).filter(|_| !template.is_singleton())
}

fn leading_literal(template: &Template) -> Option<&str> {
    match template.segments().first()? {
        Segment::Literal(text) => Some(text),
        Segment::Attribute(_) | Segment::Shard(_) => None,
    }
}
