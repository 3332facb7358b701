//! Attributes.

use monotable_item::Type;

use super::context::{At, Context};
use super::object::{Object, named};
use super::scalar::{boolean, choice, number, positive, text};
use super::value::value;
use crate::document::node::Content;
use crate::document::words::{FORMATS, TYPES};
use crate::document::{Attribute, AttributeOf};

/// The attributes of an entity, or the members of a map.
pub(super) fn attributes(cx: &mut Context<'_>, at: &At<'_>) -> Vec<Attribute> {
    named(cx, at, "attributes by name")
        .into_iter()
        .filter_map(|(name, at)| attribute(cx, name, &at))
        .collect()
}

/// A type, or a table that says more. An attribute whose type is wrong stays, as text.
fn attribute(cx: &mut Context<'_>, name: &str, at: &At<'_>) -> Option<Attribute> {
    if let Content::String(_) = at.node.content {
        let kind = choice(cx, at, TYPES).unwrap_or(Type::String);
        return Some(Attribute::new(name, kind));
    }
    let mut object = Object::open(cx, at, "a type, or a table with a type")?;
    let kind = object.required(cx, "type", |cx, at| choice(cx, at, TYPES));
    let mut attribute = Attribute::new(name, kind.unwrap_or(Type::String));
    attribute.stored_name = object.optional(cx, "name", text);
    attribute.stored = object.optional(cx, "stored", boolean).unwrap_or(true);
    attribute.description = object.optional(cx, "description", text);
    attribute.required = object.optional(cx, "required", boolean).unwrap_or_default();
    attribute.default = default(cx, &mut object, &attribute);
    attribute.values = enumeration(cx, &mut object, &attribute);
    attribute.format = object.optional(cx, "format", |cx, at| choice(cx, at, FORMATS));
    attribute.min = object.optional(cx, "min", number);
    attribute.max = object.optional(cx, "max", number);
    attribute.digits = object.optional(cx, "digits", positive);
    attribute.max_bytes = object.optional(cx, "max_bytes", positive);
    attribute.average_bytes = object.optional(cx, "average_bytes", positive);
    attribute.distinct = object.optional(cx, "distinct", positive);
    attribute.mutable = object.optional(cx, "mutable", boolean);
    attribute.charset = object.optional(cx, "charset", text);
    attribute.copy_of = object.optional(cx, "copy_of", attribute_of);
    attribute.members =
        object.optional(cx, "members", |cx, at| Some(attributes(cx, at))).unwrap_or_default();
    attribute.items = object.optional(cx, "items", |cx, at| attribute_boxed(cx, at));
    object.finish(cx);
    check_shape(cx, at, &attribute);
    check_default(cx, at, &attribute);
    Some(attribute)
}

fn attribute_boxed(cx: &mut Context<'_>, at: &At<'_>) -> Option<Box<Attribute>> {
    attribute(cx, "", at).map(Box::new)
}

fn default(
    cx: &mut Context<'_>,
    object: &mut Object<'_>,
    attribute: &Attribute,
) -> Option<monotable_item::Value> {
    let at = object.take("default")?;
    value(cx, &at, Some(&Attribute::new("", attribute.kind)))
}

fn enumeration(
    cx: &mut Context<'_>,
    object: &mut Object<'_>,
    attribute: &Attribute,
) -> Vec<monotable_item::Value> {
    let Some(at) = object.take("enum") else { return Vec::new() };
    let Some(elements) = at.elements() else {
        cx.wrong_type(&at, "a list of values");
        return Vec::new();
    };
    if elements.is_empty() {
        cx.error(&at, "bad-value", "an enumeration has at least one value");
    }
    let plain = Attribute::new("", attribute.kind);
    elements.iter().filter_map(|element| value(cx, element, Some(&plain))).collect()
}

/// Members belong to maps, elements to lists, and bounds to numbers.
fn check_shape(cx: &mut Context<'_>, at: &At<'_>, attribute: &Attribute) {
    let is = |kind| attribute.kind == kind;
    let misplaced = [
        ("members", !attribute.members.is_empty() && !is(Type::Map), "M"),
        ("items", attribute.items.is_some() && !is(Type::List), "L"),
        ("min", attribute.min.is_some() && !is(Type::Number), "N"),
        ("max", attribute.max.is_some() && !is(Type::Number), "N"),
        ("digits", attribute.digits.is_some() && !is(Type::Number), "N"),
        ("charset", attribute.charset.is_some() && !is(Type::String), "S"),
    ];
    for (member, is_misplaced, kind) in misplaced {
        if is_misplaced {
            let code = attribute.kind.code();
            let message = format!("{member} is for attributes of type {kind}, and this is {code}");
            cx.error(at, "bad-value", message);
        }
    }
}

/// A default is one of the values that the attribute can have.
fn check_default(cx: &mut Context<'_>, at: &At<'_>, attribute: &Attribute) {
    let is_other = |value| !attribute.values.is_empty() && !attribute.values.contains(value);
    if attribute.default.as_ref().is_some_and(is_other) {
        cx.error(at, "bad-value", "the default is none of the values of the enumeration");
    }
}

/// `Entity.attribute`
pub(super) fn attribute_of(cx: &mut Context<'_>, at: &At<'_>) -> Option<AttributeOf> {
    let written = text(cx, at)?;
    let Some((entity, attribute)) = written.split_once('.') else {
        cx.error(at, "bad-value", "expected an entity and its attribute, such as Customer.email");
        return None;
    };
    Some(AttributeOf { entity: entity.to_owned(), attribute: attribute.to_owned() })
}
