//! Tests of a design.

use super::members::{Members, text};
use super::{attributes, samples};
use crate::document::decode::REFUSED;
use crate::document::{Expectation, ExpectedRow, ExpectedUnits, Model, ModelTest, TestStep, Tree};

pub(super) fn test(model: &Model, test: &ModelTest) -> Tree {
    let mut members = Members::new();
    members.text("description", test.description.as_deref());
    // No samples at all is something else than those of the document.
    let own = test.samples.as_ref().map(|own| Tree::Map(samples(model, own)));
    members.put_some("samples", own);
    members.list("steps", test.steps.iter().map(|one| step(model, one)).collect());
    members.into_tree()
}

fn step(model: &Model, step: &TestStep) -> Tree {
    let mut members = Members::new();
    members.text("pattern", Some(&step.pattern));
    members.map("with", step.arguments.clone());
    members.put_some("expect", expectation(model, &step.expected));
    members.put_some("units", step.units.map(units));
    members.into_tree()
}

fn expectation(model: &Model, expected: &Expectation) -> Option<Tree> {
    match expected {
        Expectation::Done => None,
        Expectation::Refused => Some(text(REFUSED)),
        Expectation::Rows(rows) => {
            Some(Tree::List(rows.iter().map(|one| row(model, one)).collect()))
        }
    }
}

fn row(model: &Model, row: &ExpectedRow) -> Tree {
    if row.attributes.is_empty() {
        return text(&row.entity);
    }
    let mut members = Members::new();
    attributes(&mut members, &row.attributes, model.entity(&row.entity));
    Tree::Map(vec![(row.entity.clone(), members.into_tree())])
}

fn units(units: ExpectedUnits) -> Tree {
    let mut members = Members::new();
    members.quantity("read", units.read);
    members.quantity("write", units.write);
    members.into_tree()
}
