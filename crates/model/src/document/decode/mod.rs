//! From nodes to a model.
//!
//! Decoding is by hand: each member is asked for by name, so that one that nobody asked for is
//! unknown, and each mistake is reported where it is. After a mistake decoding goes on, so that one
//! run shows them all. Tables come first, then entities, because templates and expressions need to
//! know attributes; then patterns, samples and tests.

mod attribute;
mod context;
mod entity;
mod expression;
mod lint;
mod model_test;
mod object;
mod pattern;
mod sample;
mod scalar;
mod table;
mod template;
mod value;

pub(crate) use model_test::REFUSED;
pub(crate) use pattern::{THE_RESULT, THE_TABLE};
pub(crate) use sample::{SHARD as SAMPLE_SHARD, TABLE as SAMPLE_TABLE, WITHOUT as SAMPLE_WITHOUT};

use monotable_item::Value;

use super::node::Node;
use super::words::RELATIONSHIP_KINDS;
use super::{
    Allowance, Attribute, Entity, ExpressionKind, FORMAT, Model, Relationship, Scope, Workload,
};
use crate::diagnostic::{Diagnostic, Place};
use context::{At, Context};
use entity::EntityDraft;
use object::Object;
use scalar::{choice, count, positive, quantity, text};

/// Decodes a whole document, and says all that is wrong with its shape.
pub(super) fn decode(root: &Node, source: &str) -> (Model, Vec<Diagnostic>) {
    let mut cx = Context::new(source);
    let at = At { node: root, place: Place::root() };
    let model = model(&mut cx, &at).unwrap_or_default();
    (model, cx.diagnostics)
}

/// Decodes a value that stands for itself, by the attribute that it is for.
pub(super) fn decode_value(
    root: &Node,
    source: &str,
    attribute: Option<&Attribute>,
) -> Result<Value, Vec<Diagnostic>> {
    let mut cx = Context::new(source);
    let at = At { node: root, place: Place::root() };
    match value::value(&mut cx, &at, attribute) {
        Some(value) if cx.diagnostics.is_empty() => Ok(value),
        Some(_) | None => Err(cx.diagnostics),
    }
}

fn model(cx: &mut Context<'_>, at: &At<'_>) -> Option<Model> {
    let mut object = Object::open(cx, at, "a model")?;
    object.required(cx, "format", format);
    let mut model = Model {
        name: object.required(cx, "name", text).unwrap_or_default(),
        title: object.optional(cx, "title", text),
        description: object.optional(cx, "description", text),
        ..Model::default()
    };
    model.tables =
        object.required(cx, "tables", |cx, at| Some(table::tables(cx, at))).unwrap_or_default();
    if let Some(at) = object.take("entities") {
        model.entities = entities(cx, &at, &model);
    }
    let list = object.take("relationships");
    model.relationships = list.map(|at| relationships(cx, &at)).unwrap_or_default();
    if let Some(at) = object.take("patterns") {
        model.patterns = pattern::patterns(cx, &at, &model);
    }
    if let Some(at) = object.take("samples") {
        model.samples = sample::samples(cx, &at, &model);
    }
    if let Some(at) = object.take("tests") {
        model.tests = model_test::tests(cx, &at, &model);
    }
    model.workload = object.optional(cx, "workload", workload).unwrap_or_default();
    model.lint = object.optional(cx, "lint", lint::settings).unwrap_or_default();
    let list = object.take("allow");
    model.allow = list.map(|at| allowances(cx, &at)).unwrap_or_default();
    model.extensions = object.take("extensions").map(|at| at.node.tree());
    object.finish(cx);
    Some(model)
}

fn format(cx: &mut Context<'_>, at: &At<'_>) -> Option<()> {
    let version = count(cx, at)?;
    if version != FORMAT {
        let message = format!("this program reads format {FORMAT}, and the document has {version}");
        cx.error(at, "unknown-format", message);
    }
    Some(())
}

/// Entities in passes: what stands in each, what variants share, keys, and conditions on
/// attributes.
fn entities(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Vec<Entity> {
    let mut drafts = entity::entities(cx, at, model);
    entity::inherit_attributes(&mut drafts);
    for draft in &mut drafts {
        entity::keys(cx, draft, model);
        conditions(cx, draft, model);
    }
    entity::inherit_keys(&mut drafts);
    let mut entities: Vec<Entity> = drafts.into_iter().map(|draft| draft.entity).collect();
    for one in &mut entities {
        let table = one.tables.first().and_then(|name| model.table(name));
        entity::complete(one, table);
    }
    entities
}

fn conditions(cx: &mut Context<'_>, draft: &mut EntityDraft<'_>, model: &Model) {
    let scope = Scope::of_entities(model, std::iter::once(&draft.entity));
    for (index, at) in std::mem::take(&mut draft.when) {
        let when = expression::expression(cx, &at, ExpressionKind::When, Some(&scope));
        let parameters = when.iter().flat_map(|when| when.parameters());
        if let Some(parameter) = parameters.into_iter().next() {
            let message =
                format!("a condition of an index has no parameters, and :{parameter} is one");
            cx.error(&at, "bad-expression", message);
            continue;
        }
        if let Some(Err(error)) = when.as_ref().map(|when| when.condition(|_| None)) {
            cx.error(&at, "bad-expression", error.to_string());
        }
        if let Some(keys) = draft.entity.indexes.iter_mut().find(|keys| keys.index == index) {
            keys.when = when;
        }
    }
}

fn relationships(cx: &mut Context<'_>, at: &At<'_>) -> Vec<Relationship> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of relationships");
        return Vec::new();
    };
    elements.iter().filter_map(|element| relationship(cx, element)).collect()
}

fn relationship(cx: &mut Context<'_>, at: &At<'_>) -> Option<Relationship> {
    let mut object = Object::open(cx, at, "a relationship")?;
    let from = object.required(cx, "from", text);
    let to = object.required(cx, "to", text);
    let kind = object.required(cx, "kind", |cx, at| choice(cx, at, RELATIONSHIP_KINDS));
    let through = object.optional(cx, "through", text);
    let average = object.optional(cx, "average", quantity);
    let max = object.optional(cx, "max", positive);
    let description = object.optional(cx, "description", text);
    object.finish(cx);
    Some(Relationship { from: from?, to: to?, kind: kind?, through, average, max, description })
}

fn workload(cx: &mut Context<'_>, at: &At<'_>) -> Option<Workload> {
    let mut object = Object::open(cx, at, "a workload")?;
    let workload = Workload {
        reads_per_second: object.optional(cx, "reads_per_second", quantity),
        writes_per_second: object.optional(cx, "writes_per_second", quantity),
        peak_factor: object.optional(cx, "peak_factor", quantity),
        region: object.optional(cx, "region", text),
        growth_per_month: object.optional(cx, "growth_per_month", quantity),
    };
    object.finish(cx);
    Some(workload)
}

fn allowances(cx: &mut Context<'_>, at: &At<'_>) -> Vec<Allowance> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of findings");
        return Vec::new();
    };
    elements.iter().filter_map(|element| allowance(cx, element)).collect()
}

fn allowance(cx: &mut Context<'_>, at: &At<'_>) -> Option<Allowance> {
    let mut object = Object::open(cx, at, "an allowed finding")?;
    let rule = object.required(cx, "rule", text);
    let at = object.optional(cx, "at", text).map(Place::from_text);
    let reason = object.required(cx, "reason", text);
    object.finish(cx);
    Some(Allowance { rule: rule?, at, reason: reason? })
}
