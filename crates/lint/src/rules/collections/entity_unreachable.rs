//! A pattern that wants an entity which can never be where it looks.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Entity, IndexChoice, Pattern, Source};
use monotable_plan::Reason;

use crate::Subject;
use crate::rule::{Rule, rule};

pub(super) const RULE: Rule = rule!(
    "entity-unreachable",
    Error,
    Collections,
    Model,
    "a pattern wants an entity that can never be where it looks",
    check
);

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (pattern, plan) in subject.planned() {
        let entities = pattern.entities.iter().filter_map(|name| subject.model.entity(name));
        found.extend(entities.filter_map(|entity| impossible_value(pattern, entity)));
        let own = plan.unserved.iter().filter(|unserved| unserved.pattern == pattern.name);
        let reasons = own.flat_map(|unserved| &unserved.rejections).flat_map(|one| &one.reasons);
        found.extend(reasons.filter_map(|reason| absent(pattern, reason)));
    }
    found
}

/// A value that the pattern asks for and the entity never has.
fn impossible_value(pattern: &Pattern, entity: &Entity) -> Option<Diagnostic> {
    pattern.by.iter().find_map(|known| {
        let attribute = entity.attribute(&known.attribute).filter(|one| !one.values.is_empty())?;
        let Source::Literal(value) = &known.source else { return None };
        if attribute.values.contains(value) {
            return None;
        }
        let message = format!(
            "{} of {} never has the value that the pattern asks for",
            attribute.name, entity.name
        );
        let suggestion =
            format!("leave {} out of returns, or add the value to its enum", entity.name);
        let place = Place::pattern(&pattern.name).member("by");
        Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
    })
}

/// An entity that is not in the index or table that the pattern insists on.
fn absent(pattern: &Pattern, reason: &Reason) -> Option<Diagnostic> {
    let insists = pattern.index.is_some() || pattern.table.is_some();
    let entity = match reason {
        Reason::NotInIndex { entity } | Reason::NotInTable { entity } if insists => entity,
        _ => return None,
    };
    let (member, name) = match (&pattern.index, &pattern.table) {
        (Some(IndexChoice::Named(name)), _) => ("index", name.as_str()),
        (Some(IndexChoice::Table), _) => ("index", "the table"),
        (None, table) => ("table", table.as_deref().unwrap_or("the table")),
    };
    let message = format!("no item of {entity} is ever in {name}");
    let suggestion = format!("give {entity} keys in {name}, or leave it out of returns");
    let place = Place::pattern(&pattern.name).member(member);
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}
