//! Names inside tests.

use super::{Findings, samples};
use crate::document::{Expectation, ModelTest};

pub(super) fn check(findings: &mut Findings<'_>) {
    for test in &findings.model.tests {
        if let Some(own) = &test.samples {
            samples(findings, own, &test.place().member("samples"));
        }
        steps(findings, test);
    }
}

fn steps(findings: &mut Findings<'_>, test: &ModelTest) {
    let model = findings.model;
    for (index, step) in test.steps.iter().enumerate() {
        let place = test.step_place(index);
        if model.pattern(&step.pattern).is_none() {
            let names = model.patterns.iter().map(|pattern| pattern.name.as_str());
            let message = format!("there is no pattern {}", step.pattern);
            let at = place.member("pattern");
            findings.unknown("unknown-pattern", &at, message, &step.pattern, names);
        }
        let Expectation::Rows(rows) = &step.expected else { continue };
        let place = place.member("expect");
        for (index, row) in rows.iter().enumerate() {
            findings.entity(&row.entity, &place.index(index).member(&row.entity));
        }
    }
}
