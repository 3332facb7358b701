//! Tables of which there is one for each period. No other format has a word for them.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Model, Pattern, Table};

use super::TargetFormat;
use super::foreign::note;

/// A model without its tables for periods and all that is about them, and what was left out.
/// Nothing if there is nothing to leave out.
pub(super) fn left_out(model: &Model, target: TargetFormat) -> Option<(Model, Vec<Diagnostic>)> {
    let is_gone = |table: &Table| table.period_name.is_some();
    // A schema of items says nothing about tables.
    if target == TargetFormat::JsonSchema || !model.tables.iter().any(is_gone) {
        return None;
    }
    let notes = model.tables.iter().filter_map(|table| note_of(table, target)).collect();
    Some((without(model, |name| model.table(name).is_some_and(is_gone)), notes))
}

fn note_of(table: &Table, target: TargetFormat) -> Option<Diagnostic> {
    let period = table.period_name.as_ref()?.bucket().code();
    let message = format!(
        "left out with its entities and patterns: {} is a table for each {period}, and {} has \
         only tables of one name",
        table.name,
        target.name()
    );
    let place = Place::table(&table.name).member("name");
    Some(note(&place, message).with_suggestion(
        "monotable model apply makes these tables, and model run uses them".to_owned(),
    ))
}

fn without(model: &Model, is_gone: impl Fn(&str) -> bool) -> Model {
    let mut kept = model.clone();
    kept.tables.retain(|table| !is_gone(&table.name));
    kept.entities.retain(|entity| !entity.tables.iter().any(|table| is_gone(table)));
    let names: Vec<String> = kept.entities.iter().map(|entity| entity.name.clone()).collect();
    let is_kept = |name: &str| names.iter().any(|kept| kept == name);
    kept.relationships.retain(|one| is_kept(&one.from) && is_kept(&one.to));
    kept.samples.retain(|sample| is_kept(&sample.entity));
    kept.patterns.retain(|pattern| pattern.all_entities().all(is_kept));
    loop {
        let names: Vec<String> = kept.patterns.iter().map(|pattern| pattern.name.clone()).collect();
        let has_steps =
            |pattern: &Pattern| pattern.steps.iter().all(|step| names.contains(&step.pattern));
        kept.patterns.retain(has_steps);
        if kept.patterns.len() == names.len() {
            return kept;
        }
    }
}
