//! How well an item fits an entity, where its type and its key do not say which one it is.
//!
//! Users and organisations can have the same form of key, and a closed issue is an issue whose
//! status says so. What tells them apart is declared: values that an attribute may have, and
//! attributes that must be there.

use super::form::{Form, View};
use crate::document::Attribute;

/// How well an item fits an entity: the least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Whether the item's attributes build another key than the one that it has.
    pub is_contradicted: bool,
    /// How many attributes have a value that they may not have.
    pub wrong: usize,
    /// How many attributes are missing that must be there.
    pub missing: usize,
    /// How many attributes the entity does not know.
    pub unexplained: usize,
}

impl Fit {
    /// How well an item fits the entity that it is seen as.
    pub fn of(view: &View<'_>) -> Fit {
        let form = view.form();
        let is_wrong = |attribute: &&Attribute| {
            let value = view.get(&attribute.name);
            !attribute.values.is_empty() && value.is_some_and(|v| !attribute.values.contains(v))
        };
        let is_missing = |attribute: &&Attribute| {
            was_required(form, attribute) && view.get(&attribute.name).is_none()
        };
        let attributes = || form.entity.attributes.iter();
        Fit {
            is_contradicted: view.is_contradicted(),
            wrong: attributes().filter(is_wrong).count(),
            missing: attributes().filter(is_missing).count(),
            unexplained: view.item().keys().filter(|name| !form.knows(name)).count(),
        }
    }
}

/// The candidates that fit best: one, unless several fit equally well.
pub fn best(mut candidates: Vec<View<'_>>) -> Vec<View<'_>> {
    keep_least(&mut candidates, Fit::of);
    keep_most_specific(&mut candidates);
    if candidates.len() > 1 {
        keep_least(&mut candidates, |view| std::cmp::Reverse(view.index_keys_built()));
    }
    candidates
}

fn keep_least<'a, R: Ord>(views: &mut Vec<View<'a>>, rank: impl Fn(&View<'a>) -> R) {
    let ranks: Vec<R> = views.iter().map(rank).collect();
    let least = ranks.iter().min();
    let mut is_least = ranks.iter().map(|rank| Some(rank) == least);
    views.retain(|_| is_least.next().unwrap_or_default());
}

/// Variants of one entity are distinguished by how much they ask for; that says nothing about other
/// entities.
fn keep_most_specific(views: &mut Vec<View<'_>>) {
    let ranks: Vec<(&str, usize)> =
        views.iter().map(|view| (view.form().family(), specificity(view))).collect();
    let is_outdone = |(family, rank): &(&str, usize)| {
        ranks.iter().any(|(other, higher)| other == family && higher > rank)
    };
    let mut is_kept = ranks.iter().map(|rank| !is_outdone(rank));
    views.retain(|_| is_kept.next().unwrap_or_default());
}

/// How much an item says by fitting an entity: the attributes that must be there, or have only some
/// values.
fn specificity(view: &View<'_>) -> usize {
    let says = |attribute: &&Attribute| attribute.required || !attribute.values.is_empty();
    let entity = view.form().entity;
    entity.attributes.iter().filter(says).filter(|own| view.get(&own.name).is_some()).count()
}

/// Whether items must have an attribute, those included that were there before.
fn was_required(form: Form<'_>, attribute: &Attribute) -> bool {
    let before = form.source.map(|source| source.attribute(&attribute.name));
    let before = before.is_none_or(|before| before.is_some_and(|before| before.required));
    attribute.required && attribute.default.is_none() && before
}
