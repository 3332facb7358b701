//! A key that begins with a value, in a table with several entities.

use crate::diagnostic::{Diagnostic, Place};
use crate::document::{Entity, Model};
use crate::lint::rule::{Rule, rule};
use crate::lint::{Profile, Subject};
use crate::template::{Segment, Template};

pub(super) const RULE: Rule = rule!(
    "missing-type-prefix",
    Warning,
    Keys,
    "a key begins with a value, although several entities share the table",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    if subject.profile == Profile::MultiTable {
        return Vec::new();
    }
    let entities = subject.model.entities.iter();
    entities.filter(|entity| has_company(subject.model, entity)).flat_map(bare_templates).collect()
}

fn has_company(model: &Model, entity: &Entity) -> bool {
    model.tables_of(entity).any(|table| model.entities_in(table).count() > 1)
}

fn bare_templates(entity: &Entity) -> Vec<Diagnostic> {
    let Some(key) = &entity.key else { return Vec::new() };
    let place = Place::entity(&entity.name).member("key");
    let sides = [("partition", &key.partition), ("sort", &key.sort)];
    let bare = sides.into_iter().filter_map(|(side, templates)| {
        let template = templates.first().filter(|template| begins_with_value(template))?;
        let message = format!("the {side} key {template} of {} begins with a value", entity.name);
        let prefix = entity.name.to_uppercase();
        let suggestion = format!("begin it with what it is: \"{prefix}#{template}\"");
        let found = Diagnostic::warning(RULE.code, place.member(side), message);
        Some(found.with_suggestion(suggestion))
    });
    bare.collect()
}

/// Whether there is no literal text before the first value.
fn begins_with_value(template: &Template) -> bool {
    template.segments().first().is_some_and(|segment| !matches!(segment, Segment::Literal(_)))
}
