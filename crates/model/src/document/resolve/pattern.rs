//! Names inside patterns, and members that do not go with the operation.

use super::Findings;
use crate::diagnostic::{Diagnostic, Place};
use crate::document::words::{ACTION_KINDS, word};
use crate::document::{
    ActionKind, Entity, Expression, IndexChoice, Known, Model, Operation, Pattern, ReturnsValues,
};

pub(super) fn check(findings: &mut Findings<'_>) {
    for pattern in &findings.model.patterns {
        let place = Place::pattern(&pattern.name);
        let entities = entities(findings, pattern, &place);
        known(findings, &entities, &pattern.by, &place.member("by"));
        known(findings, &entities, &pattern.values, &place.member("values"));
        index(findings, &entities, pattern, &place);
        table(findings, &entities, pattern, &place);
        actions(findings, pattern, &place.member("actions"));
        steps(findings, pattern, &place.member("steps"));
        shape(findings, pattern, &place);
        returned(findings, pattern, &place.member("returns_values"));
        left_out(findings, pattern, &place.member("filter"));
    }
}

fn entities<'m>(findings: &mut Findings<'m>, pattern: &Pattern, place: &Place) -> Vec<&'m Entity> {
    let mut found = Vec::new();
    for (index, name) in pattern.entities.iter().enumerate() {
        let place = if pattern.operation.reads_several() || pattern.entities.len() > 1 {
            place.member("returns").index(index)
        } else {
            place.member("entity")
        };
        found.extend(findings.entity(name, &place));
    }
    found
}

/// Attributes that at least one of the entities has.
fn known(findings: &mut Findings<'_>, entities: &[&Entity], known: &[Known], place: &Place) {
    for (index, Known { attribute, .. }) in known.iter().enumerate() {
        let has = |entity: &&Entity| entity.attribute(attribute).is_some();
        if entities.is_empty() || entities.iter().any(has) {
            continue;
        }
        let names = entities.iter().flat_map(|entity| &entity.attributes);
        let names = names.map(|attribute| attribute.name.as_str());
        let message = format!("none of the pattern's entities has an attribute {attribute}");
        findings.unknown("unknown-attribute", &place.index(index), message, attribute, names);
    }
}

fn index(findings: &mut Findings<'_>, entities: &[&Entity], pattern: &Pattern, place: &Place) {
    let Some(IndexChoice::Named(name)) = &pattern.index else { return };
    let model = findings.model;
    let tables: Vec<_> = entities.iter().flat_map(|entity| model.tables_of(entity)).collect();
    if tables.is_empty() || tables.iter().any(|table| table.index(name).is_some()) {
        return;
    }
    let indexes = tables.iter().flat_map(|table| &table.indexes);
    let names = indexes.map(|index| index.name.as_str());
    let message = format!("there is no index {name}");
    findings.unknown("unknown-index", &place.member("index"), message, name, names);
}

fn table(findings: &mut Findings<'_>, entities: &[&Entity], pattern: &Pattern, place: &Place) {
    let Some(name) = &pattern.table else { return };
    let model = findings.model;
    let in_entities = entities.iter().any(|entity| entity.tables.contains(name));
    if model.table(name).is_some() && (in_entities || entities.is_empty()) {
        return;
    }
    let names = model.tables.iter().map(|table| table.name.as_str());
    let message = format!("the pattern's entities are in no table {name}");
    findings.unknown("unknown-table", &place.member("table"), message, name, names);
}

fn actions(findings: &mut Findings<'_>, pattern: &Pattern, place: &Place) {
    for (index, action) in pattern.actions.iter().enumerate() {
        let place = place.index(index);
        let member = word(ACTION_KINDS, action.kind);
        let entity = findings.entity(&action.entity, &place.member(member));
        let entities: Vec<&Entity> = entity.into_iter().collect();
        known(findings, &entities, &action.by, &place.member("by"));
        known(findings, &entities, &action.values, &place.member("values"));
        let problem = match action.kind {
            ActionKind::Update if action.change.is_none() => Some("an update needs its change"),
            ActionKind::Check if action.condition.is_none() => Some("a check needs its condition"),
            ActionKind::Get | ActionKind::Put | ActionKind::Delete | ActionKind::Check
                if action.change.is_some() =>
            {
                Some("only an update has a change")
            }
            ActionKind::Get
            | ActionKind::Put
            | ActionKind::Update
            | ActionKind::Delete
            | ActionKind::Check => None,
        };
        if let Some(problem) = problem {
            findings.report(Diagnostic::error("bad-value", place, problem));
        }
    }
}

fn steps(findings: &mut Findings<'_>, pattern: &Pattern, place: &Place) {
    let model = findings.model;
    for (index, step) in pattern.steps.iter().enumerate() {
        let place = place.index(index);
        if leads_to(model, &step.pattern, &pattern.name, &mut Vec::new()) {
            let message = "a pattern cannot be a step of itself";
            findings.report(Diagnostic::error("bad-value", place, message));
        } else if model.pattern(&step.pattern).is_none() {
            let names = model.patterns.iter().map(|pattern| pattern.name.as_str());
            let message = format!("there is no pattern {}", step.pattern);
            findings.unknown("unknown-pattern", &place, message, &step.pattern, names);
        }
    }
}

/// Whether a pattern is another or has it among its steps, however deep.
fn leads_to<'m>(model: &'m Model, from: &'m str, to: &str, seen: &mut Vec<&'m str>) -> bool {
    if from == to {
        return true;
    }
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    let steps = model.pattern(from).map_or(&[] as &[_], |pattern| &pattern.steps);
    steps.iter().any(|step| leads_to(model, &step.pattern, to, seen))
}

/// Members that an operation needs or cannot have.
fn shape(findings: &mut Findings<'_>, pattern: &Pattern, place: &Place) {
    let has_actions = !pattern.actions.is_empty();
    let message = match pattern.operation {
        Operation::Get | Operation::Put | Operation::Update | Operation::Delete
            if pattern.entities.len() != 1 =>
        {
            "the operation is about exactly one entity"
        }
        Operation::Update if pattern.change.is_none() => "an update needs its change",
        Operation::Query | Operation::Scan if pattern.entities.is_empty() => {
            "say which entities it returns"
        }
        Operation::BatchGet if pattern.entities.is_empty() && !has_actions => {
            "say which entities it returns"
        }
        Operation::BatchWrite | Operation::TransactGet | Operation::TransactWrite
            if !has_actions =>
        {
            "the operation needs its actions"
        }
        Operation::Steps if pattern.steps.is_empty() => "the operation needs its steps",
        Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::BatchGet
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => return,
    };
    findings.report(Diagnostic::error("missing-member", place.clone(), message));
}

/// Parameters that a caller may leave out, in a part of the filter that asks for more than one test
/// at once: what else it asks for would be left out as well.
fn left_out(findings: &mut Findings<'_>, pattern: &Pattern, place: &Place) {
    let parts = pattern.filter.iter().flat_map(Expression::conjuncts);
    for part in parts.filter(|part| !part.is_choice()) {
        let names = part.parameters();
        let optional = pattern.parameters.iter().filter(|one| one.optional);
        let Some(parameter) = optional.into_iter().find(|one| names.contains(&one.name.as_str()))
        else {
            continue;
        };
        let message = format!(
            "{} may be left out, and other tests that must hold would be left out with it: {}",
            parameter.name, part.text
        );
        let diagnostic = Diagnostic::error("optional-in-combination", place.clone(), message);
        let suggestion = "join the test to the rest of the filter with AND, or make two patterns";
        findings.report(diagnostic.with_suggestion(suggestion));
    }
}

/// What is given back: after a put or a delete only the item as it was.
fn returned(findings: &mut Findings<'_>, pattern: &Pattern, place: &Place) {
    let replaces = matches!(pattern.operation, Operation::Put | Operation::Delete);
    let is_fine = match pattern.returns_values {
        None | Some(ReturnsValues::AllOld) => true,
        Some(ReturnsValues::AllNew | ReturnsValues::UpdatedOld | ReturnsValues::UpdatedNew) => {
            !replaces
        }
    };
    if !is_fine {
        let message = "a put or a delete returns the item as it was, or nothing";
        findings.report(Diagnostic::error("bad-value", place.clone(), message));
    }
}
