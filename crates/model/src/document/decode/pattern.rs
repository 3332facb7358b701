//! Access patterns.

use super::context::{At, Context};
use super::expression::{expression, range};
use super::object::{Object, named};
use super::scalar::{boolean, choice, positive, quantity, text, texts};
use super::value::value;
use crate::document::node::Content;
use crate::document::words::{
    ACTION_KINDS, OPERATIONS, ORDERS, PURPOSES, RETURNS_VALUES, STREAM_VIEWS, TYPES,
};
use crate::document::{
    Action, Each, Entity, ExpressionKind, IndexChoice, Known, Model, Operation, Parameter, Pattern,
    Scope, Source, Step,
};

/// The value of `index` that means the table itself.
pub(crate) const THE_TABLE: &str = "table";

/// The value of `each` that means the rows of the step before.
pub(crate) const THE_RESULT: &str = "result";

/// All patterns of a document. The model has its tables and entities already.
pub(super) fn patterns(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (name, at) in named(cx, at, "patterns by name") {
        patterns.extend(pattern(cx, name, &at, model));
    }
    patterns
}

fn pattern(cx: &mut Context<'_>, name: &str, at: &At<'_>, model: &Model) -> Option<Pattern> {
    let mut object = Object::open(cx, at, "a pattern")?;
    let operation = object.required(cx, "operation", |cx, at| choice(cx, at, OPERATIONS));
    let mut pattern = Pattern::new(name, operation.unwrap_or(Operation::Query));
    pattern.description = object.optional(cx, "description", text);
    pattern.group = object.optional(cx, "group", text);
    pattern.purpose =
        object.optional(cx, "purpose", |cx, at| choice(cx, at, PURPOSES)).unwrap_or_default();
    let entity = object.optional(cx, "entity", text);
    let returns = object.optional(cx, "returns", texts);
    pattern.entities = entity.into_iter().chain(returns.into_iter().flatten()).collect();
    let subject = Subject::of(model, pattern.entities.iter().map(String::as_str));
    pattern.by = object.optional(cx, "by", |cx, at| known(cx, at, &subject)).unwrap_or_default();
    pattern.values =
        object.optional(cx, "values", |cx, at| known(cx, at, &subject)).unwrap_or_default();
    pattern.range = object.optional(cx, "range", |cx, at| range(cx, at, &subject.scope));
    pattern.index = object.optional(cx, "index", index_choice);
    pattern.table = object.optional(cx, "table", text);
    pattern.filter = subject.expression(cx, &mut object, "filter", ExpressionKind::Filter);
    pattern.project = subject.expression(cx, &mut object, "project", ExpressionKind::Projection);
    pattern.condition = subject.expression(cx, &mut object, "condition", ExpressionKind::Condition);
    pattern.change = subject.expression(cx, &mut object, "change", ExpressionKind::Update);
    pattern.actions =
        object.optional(cx, "actions", |cx, at| actions(cx, at, model)).unwrap_or_default();
    pattern.steps = object.optional(cx, "steps", steps).unwrap_or_default();
    pattern.order = object.optional(cx, "order", |cx, at| choice(cx, at, ORDERS));
    pattern.limit = object.optional(cx, "limit", positive);
    pattern.consistent = object.optional(cx, "consistent", boolean).unwrap_or_default();
    pattern.rows = object.optional(cx, "rows", quantity);
    pattern.rate = object.optional(cx, "rate", quantity);
    pattern.item_bytes = object.optional(cx, "item_bytes", positive);
    pattern.parameters = object.optional(cx, "parameters", parameters).unwrap_or_default();
    pattern.returns_values =
        object.optional(cx, "returns_values", |cx, at| choice(cx, at, RETURNS_VALUES));
    pattern.view = object.optional(cx, "view", |cx, at| choice(cx, at, STREAM_VIEWS));
    pattern.idempotent_by = object.optional(cx, "idempotent_by", text);
    pattern.lag_hours = object.optional(cx, "lag_hours", quantity);
    object.finish(cx);
    Some(pattern)
}

/// The entities that a pattern or an action is about.
struct Subject<'m> {
    entities: Vec<&'m Entity>,
    scope: Scope,
}

impl<'m> Subject<'m> {
    fn of<'a>(model: &'m Model, names: impl Iterator<Item = &'a str>) -> Subject<'m> {
        let entities: Vec<&Entity> = names.filter_map(|name| model.entity(name)).collect();
        let scope = Scope::of_entities(model, entities.iter().copied());
        Subject { entities, scope }
    }

    fn expression(
        &self,
        cx: &mut Context<'_>,
        object: &mut Object<'_>,
        member: &'static str,
        kind: ExpressionKind,
    ) -> Option<crate::document::Expression> {
        object.optional(cx, member, |cx, at| expression(cx, at, kind, self.known_scope()))
    }

    /// The scope, unless no entity is known: then every attribute would be reported as well.
    fn known_scope(&self) -> Option<&Scope> {
        (!self.entities.is_empty()).then_some(&self.scope)
    }
}

/// Attributes that are known: `["username"]`, or `{ username = ":user", status = "PLACED" }`.
fn known(cx: &mut Context<'_>, at: &At<'_>, subject: &Subject<'_>) -> Option<Vec<Known>> {
    if let Content::List(_) = at.node.content {
        let of_name =
            |name: String| Known { source: Source::Parameter(name.clone()), attribute: name };
        return Some(texts(cx, at)?.into_iter().map(of_name).collect());
    }
    let mut all = Vec::new();
    for (name, at) in named(cx, at, "a list of attributes, or a table of attributes and values") {
        if let Some(source) = source(cx, name, &at, subject) {
            all.push(Known { attribute: name.to_owned(), source });
        }
    }
    Some(all)
}

fn source(cx: &mut Context<'_>, name: &str, at: &At<'_>, subject: &Subject<'_>) -> Option<Source> {
    if let Content::String(text) = &at.node.content
        && let Some(parameter) = text.strip_prefix(':')
    {
        return Some(Source::Parameter(parameter.to_owned()));
    }
    let attribute = subject.entities.iter().find_map(|entity| entity.attribute(name));
    value(cx, at, attribute).map(Source::Literal)
}

fn index_choice(cx: &mut Context<'_>, at: &At<'_>) -> Option<IndexChoice> {
    let name = text(cx, at)?;
    Some(if name == THE_TABLE { IndexChoice::Table } else { IndexChoice::Named(name) })
}

fn actions(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Option<Vec<Action>> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of actions");
        return None;
    };
    Some(elements.iter().filter_map(|element| action(cx, element, model)).collect())
}

/// `{ put = "Order", … }`: the member that names the entity says what is done.
fn action(cx: &mut Context<'_>, at: &At<'_>, model: &Model) -> Option<Action> {
    let mut object = Object::open(cx, at, "an action")?;
    let named: Vec<_> =
        ACTION_KINDS.iter().filter_map(|(word, kind)| Some((*kind, object.take(word)?))).collect();
    let [(kind, entity_at)] = named.as_slice() else {
        let message = "an action has exactly one of get, put, update, delete and check";
        cx.error(at, "bad-value", message);
        return None;
    };
    let entity = text(cx, entity_at)?;
    let subject = Subject::of(model, std::iter::once(entity.as_str()));
    let action = Action {
        kind: *kind,
        by: object.optional(cx, "by", |cx, at| known(cx, at, &subject)).unwrap_or_default(),
        values: object.optional(cx, "values", |cx, at| known(cx, at, &subject)).unwrap_or_default(),
        condition: subject.expression(cx, &mut object, "condition", ExpressionKind::Condition),
        change: subject.expression(cx, &mut object, "change", ExpressionKind::Update),
        each: object.optional(cx, "each", text),
        entity,
    };
    object.finish(cx);
    Some(action)
}

fn steps(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<Step>> {
    let Some(elements) = at.elements() else {
        cx.wrong_type(at, "a list of patterns");
        return None;
    };
    Some(elements.iter().filter_map(|element| step(cx, element)).collect())
}

/// A pattern's name, or `{ pattern = "…", each = "result" }`.
fn step(cx: &mut Context<'_>, at: &At<'_>) -> Option<Step> {
    if let Content::String(_) = at.node.content {
        return Some(Step { pattern: text(cx, at)?, each: None });
    }
    let mut object = Object::open(cx, at, "a pattern's name, or a table of pattern and each")?;
    let pattern = object.required(cx, "pattern", text);
    let each = object.optional(cx, "each", text).map(|each| match each.as_str() {
        THE_RESULT => Each::Result,
        _ => Each::Parameter(each),
    });
    object.finish(cx);
    Some(Step { pattern: pattern?, each })
}

fn parameters(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<Parameter>> {
    let members = named(cx, at, "parameters by name");
    Some(members.iter().filter_map(|(name, at)| parameter(cx, name, at)).collect())
}

/// A type, or a table that says more.
fn parameter(cx: &mut Context<'_>, name: &str, at: &At<'_>) -> Option<Parameter> {
    let name = name.to_owned();
    if let Content::String(_) = at.node.content {
        let kind = choice(cx, at, TYPES)?;
        return Some(Parameter { name, kind, optional: false, description: None });
    }
    let mut object = Object::open(cx, at, "a type, or a table with a type")?;
    let kind = object.required(cx, "type", |cx, at| choice(cx, at, TYPES));
    let optional = object.optional(cx, "optional", boolean).unwrap_or_default();
    let description = object.optional(cx, "description", text);
    object.finish(cx);
    Some(Parameter { name, kind: kind?, optional, description })
}
