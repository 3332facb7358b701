//! How well an item fits an entity, where its key does not say which one it is.
//!
//! Users and organisations can have the same form of key, and a closed issue is an issue whose status says so.
//! What tells them apart is declared: values that an attribute may have, and attributes that must be there.

use crate::document::Attribute;

use super::form::{Form, View};

/// How well an item fits an entity: the least is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    /// How many attributes have a value that they may not have.
    pub(super) wrong: usize,
    /// How many attributes are missing that must be there.
    missing: usize,
}

impl Fit {
    pub(super) fn of(view: &View<'_>) -> Fit {
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
            wrong: attributes().filter(is_wrong).count(),
            missing: attributes().filter(is_missing).count(),
        }
    }
}

/// How much an item says by fitting an entity: the attributes that must be there, or have only some values.
pub(super) fn specificity(view: &View<'_>) -> usize {
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
