//! Tests of a design.

use monotable_item::Item;

use super::context::{At, Context};
use super::object::{Object, named};
use super::sample::{attribute_value, samples};
use super::scalar::{choice, quantity, text};
use crate::document::node::Content;
use crate::document::{Expectation, ExpectedRow, ExpectedUnits, Model, ModelTest, TestStep, Tree};

/// The value of `expect` that means that a condition is not met.
pub(crate) const REFUSED: &str = "refused";

/// All tests of a document. The model has its entities and patterns already.
pub(super) fn tests(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Vec<ModelTest> {
    let mut tests = Vec::new();
    for (name, at) in named(cx, at, "tests by name") {
        tests.extend(test(cx, name, &at, model));
    }
    tests
}

fn test(cx: &mut Context<'_>, name: &str, at: &At<'_>, model: &Model) -> Option<ModelTest> {
    let mut object = Object::open(cx, at, "a test")?;
    let test = ModelTest {
        name: name.to_owned(),
        description: object.optional(cx, "description", text),
        samples: object.optional(cx, "samples", |cx, at| Some(samples(cx, at, model))),
        steps: object.required(cx, "steps", |cx, at| steps(cx, at, model)).unwrap_or_default(),
    };
    object.finish(cx);
    Some(test)
}

fn steps(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Option<Vec<TestStep>> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of steps");
        return None;
    };
    if elements.is_empty() {
        cx.error(at, "bad-value", "a test has at least one step");
    }
    Some(elements.iter().filter_map(|element| step(cx, element, model)).collect())
}

fn step(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Option<TestStep> {
    let mut object = Object::open(cx, at, "a step of a test")?;
    let pattern = object.required(cx, "pattern", text);
    let arguments = object.optional(cx, "with", arguments).unwrap_or_default();
    let expected = object.optional(cx, "expect", |cx, at| expectation(cx, at, model));
    let units = object.optional(cx, "units", units);
    object.finish(cx);
    let expected = expected.unwrap_or(Expectation::Done);
    Some(TestStep { pattern: pattern?, arguments, expected, units })
}

fn arguments(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<(String, Tree)>> {
    let members = named(cx, at, "arguments by parameter").into_iter();
    let given = members.filter(|(_, at)| at.node.content != Content::Null);
    Some(given.map(|(name, at)| (name.to_owned(), at.node.tree())).collect())
}

/// `"refused"`, or a list of rows.
fn expectation(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Option<Expectation> {
    if let Content::String(_) = at.node.content {
        return choice(cx, at, &[(REFUSED, ())]).map(|()| Expectation::Refused);
    }
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of rows, or \"refused\"");
        return None;
    };
    let rows = elements.iter().filter_map(|element| row(cx, element, model));
    Some(Expectation::Rows(rows.collect()))
}

/// `"Order"`, or `{ Order = { Status = "PLACED" } }`.
fn row(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Option<ExpectedRow> {
    if let Content::String(_) = at.node.content {
        return Some(ExpectedRow { entity: text(cx, at)?, attributes: Item::new() });
    }
    let members = named(cx, at, "an entity, or a table of an entity and attributes");
    let [(entity, inner)] = members.as_slice() else {
        if matches!(at.node.content, Content::Map(_)) {
            let message = "a row has one member: its entity with the attributes that it must have";
            cx.error(at, "bad-value", message);
        }
        return None;
    };
    let mut attributes = Item::new();
    for (name, at) in named(cx, inner, "attributes by name") {
        if let Some(value) = attribute_value(cx, name, &at, model.entity(entity)) {
            attributes.insert(name.to_owned(), value);
        }
    }
    Some(ExpectedRow { entity: (*entity).to_owned(), attributes })
}

fn units(cx: &mut Context<'_>, at: &At<'_>) -> Option<ExpectedUnits> {
    let mut object = Object::open(cx, at, "a table of read and write")?;
    let units = ExpectedUnits {
        read: object.optional(cx, "read", quantity),
        write: object.optional(cx, "write", quantity),
    };
    object.finish(cx);
    Some(units)
}
