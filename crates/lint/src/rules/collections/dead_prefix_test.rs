//! A test for a beginning that no key has.

use monotable_expr::KeyComparison;
use monotable_item::Value;
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, Expression, Model, Pattern, Source};
use monotable_model::template::{Domains, KeySet, Template};

use crate::Subject;
use crate::comparison::beginnings;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "dead-prefix-test",
    Error,
    Collections,
    Model,
    "an expression tests a key for a beginning that it never has",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.patterns.iter().flat_map(|pattern| of_pattern(subject.model, pattern)).collect()
}

fn of_pattern(model: &Model, pattern: &Pattern) -> Vec<Diagnostic> {
    let place = Place::pattern(&pattern.name);
    let own: Vec<&Entity> = pattern.entities.iter().filter_map(|name| model.entity(name)).collect();
    let members = [("filter", &pattern.filter), ("condition", &pattern.condition)];
    let of_members = members.into_iter().filter_map(|(member, expression)| {
        dead(model, &own, expression.as_ref()?, &place.member(member))
    });
    let of_actions = pattern.actions.iter().enumerate().filter_map(|(index, action)| {
        let entity = model.entity(&action.entity)?;
        let place = place.member("actions").index(index).member("condition");
        dead(model, &[entity], action.condition.as_ref()?, &place)
    });
    of_members.chain(of_actions).collect()
}

fn dead(
    model: &Model,
    entities: &[&Entity],
    expression: &Expression,
    place: &Place,
) -> Option<Diagnostic> {
    beginnings(expression).into_iter().find_map(|test| {
        let Source::Literal(Value::String(prefix)) = test.value else { return None };
        let templates = templates_of(model, entities, &test.attribute);
        if templates.is_empty() || templates.iter().any(|template| can_begin(template, prefix)) {
            return None;
        }
        let written: Vec<String> = templates.iter().map(ToString::to_string).collect();
        let message = format!(
            "{} never begins with {prefix:?}: it is {}",
            test.attribute,
            written.join(" or ")
        );
        let suggestion = match other_attribute(model, entities, prefix) {
            Some(name) => format!("test {name}, which does begin so"),
            None => "test the attribute that holds the type".to_owned(),
        };
        Some(Diagnostic::error(RULE.code, place.clone(), message).with_suggestion(suggestion))
    })
}

/// The templates of a key attribute, in the table and in all indexes.
fn templates_of<'m>(
    model: &'m Model,
    entities: &[&'m Entity],
    attribute: &str,
) -> Vec<&'m Template> {
    let all = entities.iter().flat_map(|entity| key_templates(model, entity));
    all.filter(|(name, _)| *name == attribute).map(|(_, template)| template).collect()
}

/// The attributes of an entity's keys with their templates.
fn key_templates<'m>(model: &'m Model, entity: &'m Entity) -> Vec<(&'m str, &'m Template)> {
    let mut templates = Vec::new();
    for table in model.tables_of(entity) {
        let own = entity
            .key
            .iter()
            .flat_map(|keys| table.key_attributes().zip(keys.partition.iter().chain(&keys.sort)));
        let of_indexes =
            entity.indexes.iter().filter_map(|keys| Some((table.index(&keys.index)?, keys)));
        let of_indexes = of_indexes.flat_map(|(index, keys)| {
            index.key_attributes().zip(keys.keys.partition.iter().chain(&keys.keys.sort))
        });
        templates
            .extend(own.chain(of_indexes).map(|(key, template)| (key.name.as_str(), template)));
    }
    templates
}

fn can_begin(template: &Template, prefix: &str) -> bool {
    let condition = KeyComparison::BeginsWith(Value::from(prefix));
    !KeySet::new(template, &Domains::new()).within(&condition).is_never()
}

fn other_attribute<'m>(model: &'m Model, entities: &[&'m Entity], prefix: &str) -> Option<&'m str> {
    let all = entities.iter().flat_map(|entity| key_templates(model, entity));
    all.into_iter().find(|(_, template)| can_begin(template, prefix)).map(|(name, _)| name)
}
