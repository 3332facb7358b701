//! Tests of a design: what access patterns must bring, given some items.

use monotable_item::Item;

use super::{Sample, Tree};
use crate::diagnostic::Place;

/// A test: access patterns that run one after the other, and what each of them must bring.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelTest {
    /// The name: the fact that it proves, as a rule.
    pub name: String,
    /// What it is about.
    pub description: Option<String>,
    /// The items that the tables begin with, instead of the samples of the document.
    pub samples: Option<Vec<Sample>>,
    /// What is run, in order. All steps see the writes of those before them.
    pub steps: Vec<TestStep>,
}

/// A pattern that a test runs.
#[derive(Debug, Clone, PartialEq)]
pub struct TestStep {
    /// The pattern.
    pub pattern: String,
    /// The arguments by parameter, as they are written: what type they have says the pattern.
    pub arguments: Vec<(String, Tree)>,
    /// What must come of it.
    pub expected: Expectation,
    /// What it must consume.
    pub units: Option<ExpectedUnits>,
}

/// What must come of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// It is carried out, whatever it brings.
    Done,
    /// A condition is not met.
    Refused,
    /// It brings these rows and no others.
    Rows(Vec<ExpectedRow>),
}

/// A row that must come.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedRow {
    /// Its entity.
    pub entity: String,
    /// Attributes that it must have, by their names in the model. It may have others.
    pub attributes: Item,
}

/// The units that must be consumed, where something is said about them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExpectedUnits {
    /// Read units.
    pub read: Option<f64>,
    /// Write units.
    pub write: Option<f64>,
}

impl ModelTest {
    /// The place of the test in its document.
    pub fn place(&self) -> Place {
        Place::root().member("tests").member(&self.name)
    }

    /// The place of one of its steps.
    pub fn step_place(&self, index: usize) -> Place {
        self.place().member("steps").index(index)
    }
}
