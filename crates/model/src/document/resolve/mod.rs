//! Names that refer to something: does each of them exist, and is it of the right kind?
//!
//! References are checked on the model itself, so that one that was built in memory can be checked
//! as well. Diagnostics name places; where those are in a file is found later.

mod entity;
mod model_test;
mod pattern;
mod table;

use super::{Entity, Model, Sample, sample_places};
use crate::diagnostic::{Diagnostic, Place};

/// Says which names of a model refer to nothing, or to what they cannot.
pub fn check_references(model: &Model) -> Vec<Diagnostic> {
    let mut findings = Findings { model, diagnostics: Vec::new() };
    table::check(&mut findings);
    entity::check(&mut findings);
    relationships(&mut findings);
    pattern::check(&mut findings);
    samples(&mut findings, &model.samples, &Place::root().member("samples"));
    model_test::check(&mut findings);
    findings.diagnostics
}

struct Findings<'m> {
    model: &'m Model,
    diagnostics: Vec<Diagnostic>,
}

impl<'m> Findings<'m> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The entity of a name, which is reported if there is none.
    fn entity(&mut self, name: &str, place: &Place) -> Option<&'m Entity> {
        let found = self.model.entity(name);
        if found.is_none() {
            let names = self.model.entities.iter().map(|entity| entity.name.as_str());
            self.unknown(
                "unknown-entity",
                place,
                format!("there is no entity {name}"),
                name,
                names,
            );
        }
        found
    }

    /// Reports an attribute that an entity does not have.
    fn attribute(&mut self, entity: &Entity, name: &str, place: &Place) {
        if entity.attribute(name).is_some() {
            return;
        }
        let names = entity.attributes.iter().map(|attribute| attribute.name.as_str());
        let message = format!("{} has no attribute {name}", entity.name);
        self.unknown("unknown-attribute", place, message, name, names);
    }

    /// Reports a name that refers to nothing, with the one that was probably meant.
    fn unknown<'n>(
        &mut self,
        code: &'static str,
        place: &Place,
        message: String,
        name: &str,
        candidates: impl Iterator<Item = &'n str>,
    ) {
        self.report(Diagnostic::error(code, place.clone(), message).with_nearest(name, candidates));
    }
}

fn relationships(findings: &mut Findings<'_>) {
    for (index, relationship) in findings.model.relationships.iter().enumerate() {
        let place = Place::root().member("relationships").index(index);
        findings.entity(&relationship.from, &place.member("from"));
        findings.entity(&relationship.to, &place.member("to"));
        if let Some(through) = &relationship.through {
            findings.entity(through, &place.member("through"));
        }
    }
}

fn samples(findings: &mut Findings<'_>, samples: &[Sample], place: &Place) {
    let mut unknown: Vec<&str> = Vec::new();
    for (sample, sample_place) in samples.iter().zip(sample_places(samples, place)) {
        let name = sample.entity.as_str();
        if let Some(entity) = findings.model.entity(name) {
            check_sample(findings, entity, sample, sample_place);
        } else if !unknown.contains(&name) {
            // Once for all samples of it.
            unknown.push(name);
            unknown_entity(findings, name, place.member(name));
        }
    }
}

fn unknown_entity(findings: &mut Findings<'_>, name: &str, place: Place) {
    let names = findings.model.entities.iter().map(|entity| entity.name.as_str());
    let message = format!("there is no entity {name}");
    let diagnostic = Diagnostic::error("unknown-entity", place, message);
    findings.report(diagnostic.with_nearest(name, names).without_fix());
}

fn check_sample(findings: &mut Findings<'_>, entity: &Entity, sample: &Sample, place: Place) {
    if entity.is_embedded() {
        let message = format!("{} is embedded, and has no items of its own", entity.name);
        findings.report(Diagnostic::error("bad-sample", place, message));
        return;
    }
    if let Some(table) = &sample.table
        && !entity.tables.contains(table)
    {
        let message = format!("{} is not in table {table}", entity.name);
        let tables = entity.tables.iter().map(String::as_str);
        findings.unknown("unknown-table", &place.member("$table"), message, table, tables);
        return;
    }
    for name in &sample.without {
        if entity.index_key(name).is_none() {
            let message = format!("{} is not in an index {name}", entity.name);
            let indexes = entity.indexes.iter().map(|keys| keys.index.as_str());
            let place = place.member("$without");
            findings.unknown("unknown-index", &place, message, name, indexes);
        }
    }
    if sample.shard.is_some() && entity.chosen_shard().is_none() {
        let message = format!("{} has no key that leaves the shard to its writer", entity.name);
        findings.report(Diagnostic::error("bad-sample", place.member("$shard"), message));
        return;
    }
    if let Err(error) = findings.model.item_of_sample(sample) {
        let message = format!("the item cannot be built: {error}");
        findings.report(Diagnostic::error("bad-sample", place, message));
    }
}
