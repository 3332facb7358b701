//! A type prefix on the wrong side of the value that is ranged over.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Index, Keys, Model, Pattern, Range, Table};
use monotable_model::template::{Segment, Template};
use monotable_plan::{Plan, PlannedAction, PlannedRequest, QueryPlan};

use crate::Subject;
use crate::key_site::{Resident, residents, routes};
use crate::rule::{Rule, rule};
use crate::wording::joined;

pub(super) const RULE: Rule = rule!(
    "prefix-place-conflict",
    Warning,
    Keys,
    Model,
    "the type prefix stands before a range over several entities, or behind a range of one",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, plan) in subject.planned() {
        found.extend(prefix_first(subject.model, pattern, plan));
        let own = plan.steps.iter().filter(|step| step.pattern == pattern.name);
        found.extend(own.filter_map(|step| prefix_last(subject.model, pattern, step)));
    }
    found
}

/// A range over several entities, each of which begins with a prefix of its own: no one condition
/// covers it.
fn prefix_first(model: &Model, pattern: &Pattern, plan: &Plan) -> Option<Diagnostic> {
    let range = pattern.range.as_ref()?;
    let is_served = plan.steps.len() == 1 && plan.shortfalls.is_empty() && plan.is_served();
    if pattern.entities.len() < 2 || is_served {
        return None;
    }
    let divided = routes(model).any(|(table, index)| divides(model, pattern, range, table, index));
    if !divided {
        return None;
    }
    let (entities, attribute) = (joined(&pattern.entities), &range.attribute);
    let message = format!(
        "a range of {attribute} over {entities} is not one range of keys, since a prefix comes \
         before {attribute} in each"
    );
    let suggestion = format!(
        "put {attribute} before the prefix: \"{{{attribute}}}#ORDER#\", here or in an index"
    );
    let place = Place::pattern(&pattern.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

fn divides(
    model: &Model,
    pattern: &Pattern,
    range: &Range,
    table: &Table,
    index: Option<&Index>,
) -> bool {
    let wanted = |resident: &Resident<'_>| pattern.entities.contains(&resident.entity.name);
    let here = residents(model, table, index).into_iter().filter(wanted);
    let prefixes: Vec<&str> =
        here.filter_map(|resident| prefix_before(resident.keys, &range.attribute)).collect();
    prefixes.len() == pattern.entities.len()
        && prefixes.iter().any(|prefix| Some(prefix) != prefixes.first())
}

/// The prefix of a sort key that goes on with an attribute.
fn prefix_before<'m>(keys: &'m Keys, attribute: &str) -> Option<&'m str> {
    let [template] = keys.sort.as_slice() else { return None };
    match template.segments() {
        [Segment::Literal(prefix), Segment::Attribute(part), ..] if part.path.root == attribute => {
            Some(prefix)
        }
        _ => None,
    }
}

/// A query of one entity that returns others as well, since all begin with the value that is ranged
/// over.
fn prefix_last(model: &Model, pattern: &Pattern, request: &PlannedRequest) -> Option<Diagnostic> {
    let PlannedAction::Query(QueryPlan { collection, .. }) = &request.action else { return None };
    let [wanted] = request.entities.as_slice() else { return None };
    let value = value_first(model.entity(wanted)?, request)?;
    let begins_alike = |name: &&str| {
        let other = model.entity(name).and_then(|entity| value_first(entity, request));
        other.is_some_and(|other| are_alike(value, other))
    };
    let others: Vec<&str> = collection.leaks().filter(begins_alike).collect();
    if others.is_empty() {
        return None;
    }
    let attribute = value.paths().next()?;
    let message = format!(
        "items of {} lie among those of {wanted}, since {attribute} comes before the prefix in the \
         sort keys of all",
        joined(&others)
    );
    let suggestion = format!("put the prefix first: \"{}\"", with_prefix_first(value)?);
    let place = Place::pattern(&pattern.name);
    Some(Diagnostic::warning(RULE.code, place, message).with_suggestion(suggestion))
}

/// A key that begins with a value, with the literal behind that value before it.
fn with_prefix_first(key: &Template) -> Option<String> {
    let literal = key.segments().iter().find_map(|segment| match segment {
        Segment::Literal(text) => Some(text.as_str()),
        _ => None,
    })?;
    let prefix = literal.trim_matches(|sign: char| !sign.is_alphanumeric());
    let text = key.to_string();
    let (value, rest) = text.split_once(literal)?;
    let delimiter = if rest.is_empty() { "" } else { "#" };
    Some(format!("{prefix}#{value}{delimiter}{rest}"))
}

/// The sort key of an entity where a request goes, if it begins with a value and has a literal
/// behind it.
fn value_first<'m>(entity: &'m Entity, request: &PlannedRequest) -> Option<&'m Template> {
    let keys = match &request.target.index {
        Some(index) => &entity.index_key(index)?.keys,
        None => entity.key.as_ref()?,
    };
    let [template] = keys.sort.as_slice() else { return None };
    match template.segments() {
        [Segment::Attribute(_), Segment::Literal(text), ..]
            if text.contains(char::is_alphabetic) =>
        {
            Some(template)
        }
        _ => None,
    }
}

fn are_alike(one: &Template, other: &Template) -> bool {
    match (one.attributes().next(), other.attributes().next()) {
        (Some(one), Some(other)) => one.encoding == other.encoding,
        (None, _) | (_, None) => false,
    }
}
