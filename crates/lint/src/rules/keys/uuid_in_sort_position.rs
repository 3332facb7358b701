//! A random identifier where a pattern expects the order of time.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{AttributeFormat, Entity, Keys, Pattern};
use monotable_model::template::{AttributePart, Form, Identifier};
use monotable_plan::{PlannedAction, PlannedRequest};

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "uuid-in-sort-position",
    Warning,
    Keys,
    Model,
    "a pattern asks for an order, and the sort key goes on with a random identifier",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, plan) in subject.planned().filter(|(pattern, _)| pattern.order.is_some()) {
        let own = plan.steps.iter().filter(|step| step.pattern == pattern.name);
        let queries = own.filter(|step| matches!(step.action, PlannedAction::Query(_)));
        found.extend(queries.flat_map(|step| findings(subject, pattern, step)));
    }
    found
}

fn findings(subject: &Subject<'_>, pattern: &Pattern, request: &PlannedRequest) -> Vec<Diagnostic> {
    let entities = request.entities.iter().filter_map(|name| subject.model.entity(name));
    entities.filter_map(|entity| finding(pattern, request, entity)).collect()
}

fn finding(pattern: &Pattern, request: &PlannedRequest, entity: &Entity) -> Option<Diagnostic> {
    let keys = keys_at(entity, request.target.index.as_deref())?;
    let part = first_unknown(pattern, keys)?;
    let is_random = match part.encoding.form() {
        Form::Identifier(kind) => *kind == Identifier::Uuid,
        Form::Text(_) => entity.attribute(&part.path.root)?.format == Some(AttributeFormat::Uuid),
        _ => false,
    };
    if !is_random {
        return None;
    }
    let message = format!(
        "the order of {} is that of {}, a random identifier, and means nothing",
        entity.name, part.path
    );
    let suggestion = format!(
        "make {0} a KSUID, a ULID or a UUID of version 7, which sort by time, or put the time \
         before it",
        part.path
    );
    let place = Place::pattern(&pattern.name).member("order");
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

fn keys_at<'m>(entity: &'m Entity, index: Option<&str>) -> Option<&'m Keys> {
    match index {
        Some(index) => entity.index_key(index).map(|keys| &keys.keys),
        None => entity.key.as_ref(),
    }
}

/// The first part of the sort key that the pattern does not know: it decides the order.
fn first_unknown<'m>(pattern: &Pattern, keys: &'m Keys) -> Option<&'m AttributePart> {
    let is_known = |part: &AttributePart| {
        let name = &part.path.root;
        pattern.by.iter().any(|known| known.attribute == *name)
    };
    keys.sort.iter().flat_map(|template| template.attributes()).find(|part| !is_known(part))
}
