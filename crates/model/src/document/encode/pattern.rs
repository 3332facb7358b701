//! Access patterns.

use super::members::{Members, by_name, text, texts};
use super::value::{typed, value};
use crate::document::decode::{THE_RESULT, THE_TABLE};
use crate::document::words::{
    ACTION_KINDS, OPERATIONS, ORDERS, PURPOSES, RETURNS_VALUES, STREAM_VIEWS, TYPES, word,
};
use crate::document::{
    Action, Attribute, Each, Expression, IndexChoice, Known, Model, Parameter, Pattern, Purpose,
    Source, Step, Tree,
};

pub(super) fn pattern(model: &Model, pattern: &Pattern) -> Tree {
    let mut members = Members::new();
    members.text("description", pattern.description.as_deref());
    members.text("group", pattern.group.as_deref());
    members.text("operation", Some(word(OPERATIONS, pattern.operation)));
    let purpose = Some(pattern.purpose).filter(|purpose| *purpose != Purpose::User);
    members.text("purpose", purpose.map(|purpose| word(PURPOSES, purpose)));
    entities(&mut members, pattern);
    members.text("table", pattern.table.as_deref());
    members.text("index", pattern.index.as_ref().map(index_choice));
    let attribute = |name: &str| {
        let entities = pattern.entities.iter().filter_map(|name| model.entity(name));
        entities.into_iter().find_map(|entity| entity.attribute(name))
    };
    members.put_some("by", known(&pattern.by, attribute));
    members.text("range", pattern.range.as_ref().map(|range| range.text.as_str()));
    expression(&mut members, "filter", pattern.filter.as_ref());
    expression(&mut members, "project", pattern.project.as_ref());
    expression(&mut members, "condition", pattern.condition.as_ref());
    expression(&mut members, "change", pattern.change.as_ref());
    members.put_some("values", known(&pattern.values, attribute));
    members.list("actions", pattern.actions.iter().map(|one| action(model, one)).collect());
    members.list("steps", pattern.steps.iter().map(step).collect());
    members.text("view", pattern.view.map(|view| word(STREAM_VIEWS, view)));
    members.text("idempotent_by", pattern.idempotent_by.as_deref());
    members.quantity("lag_hours", pattern.lag_hours);
    members.text("order", pattern.order.map(|order| word(ORDERS, order)));
    members.count("limit", pattern.limit);
    members.flag("consistent", pattern.consistent);
    let returns = pattern.returns_values.map(|values| word(RETURNS_VALUES, values));
    members.text("returns_values", returns);
    members.map("parameters", by_name(&pattern.parameters, |one| &one.name, parameter));
    members.quantity("rows", pattern.rows);
    members.quantity("rate", pattern.rate);
    members.count("item_bytes", pattern.item_bytes);
    members.into_tree()
}

/// `entity` for what is about one item, `returns` for what reads several.
fn entities(members: &mut Members, pattern: &Pattern) {
    match pattern.entities.as_slice() {
        [entity] if !pattern.operation.reads_several() => members.text("entity", Some(entity)),
        entities => members.list("returns", texts(entities)),
    }
}

fn expression(members: &mut Members, name: &str, expression: Option<&Expression>) {
    members.text(name, expression.map(|expression| expression.text.as_str()));
}

fn index_choice(choice: &IndexChoice) -> &str {
    match choice {
        IndexChoice::Table => THE_TABLE,
        IndexChoice::Named(name) => name,
    }
}

/// A list, if every attribute is a parameter of its own name.
fn known<'m>(known: &[Known], attribute: impl Fn(&str) -> Option<&'m Attribute>) -> Option<Tree> {
    if known.is_empty() {
        return None;
    }
    let is_plain = |one: &Known| one.source == Source::Parameter(one.attribute.clone());
    if known.iter().all(is_plain) {
        return Some(Tree::List(known.iter().map(|one| text(&one.attribute)).collect()));
    }
    let source = |one: &Known| match &one.source {
        Source::Parameter(name) => text(&format!(":{name}")),
        Source::Literal(literal) => match value(literal, attribute(&one.attribute)) {
            // A text that begins as a parameter does is distinguished by its type.
            Tree::String(content) if content.starts_with(':') => typed(literal),
            plain => plain,
        },
    };
    Some(Tree::Map(known.iter().map(|one| (one.attribute.clone(), source(one))).collect()))
}

fn action(model: &Model, action: &Action) -> Tree {
    let entity = model.entity(&action.entity);
    let attribute = |name: &str| entity.and_then(|entity| entity.attribute(name));
    let mut members = Members::new();
    members.text(word(ACTION_KINDS, action.kind), Some(&action.entity));
    members.put_some("by", known(&action.by, attribute));
    expression(&mut members, "condition", action.condition.as_ref());
    expression(&mut members, "change", action.change.as_ref());
    members.put_some("values", known(&action.values, attribute));
    members.text("each", action.each.as_deref());
    members.into_tree()
}

fn step(step: &Step) -> Tree {
    let each = match &step.each {
        None => return text(&step.pattern),
        Some(Each::Result) => THE_RESULT,
        Some(Each::Parameter(name)) => name,
    };
    let mut members = Members::new();
    members.text("pattern", Some(&step.pattern));
    members.text("each", Some(each));
    members.into_tree()
}

fn parameter(parameter: &Parameter) -> Tree {
    let mut members = Members::new();
    members.text("description", parameter.description.as_deref());
    members.flag("optional", parameter.optional);
    let kind = text(word(TYPES, parameter.kind));
    if members.is_empty() {
        return kind;
    }
    members.after("type", kind)
}
