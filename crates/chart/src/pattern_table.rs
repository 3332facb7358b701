//! The access-pattern table: what serves each pattern, and at what price.

use monotable_model::document::{Model, Pattern};
use monotable_plan::cost::{Estimate, PatternCost, operation_word};
use monotable_plan::{Plan, Unserved, plan};

use super::request_row::RequestRow;

/// An access pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternRow {
    /// The pattern.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// The heading that the model lists it under.
    pub group: Option<String>,
    /// What the model calls the operation.
    pub operation: &'static str,
    /// The entities that it is about.
    pub entities: Vec<String>,
    /// The requests. There are none for expiry, streams and administration.
    pub requests: Vec<RequestRow>,
    /// How many rows come back, as the model says.
    pub rows: Option<f64>,
    /// Read units of one run.
    pub read_units: f64,
    /// Write units of one run.
    pub write_units: f64,
    /// How often it is used, per second.
    pub rate: Option<f64>,
    /// Why nothing serves it, a line for each reason; empty if it is served.
    pub unserved: Vec<String>,
}

impl PatternRow {
    /// The table of all patterns, in the order of the file.
    pub(super) fn all(model: &Model, estimate: &Estimate) -> Vec<PatternRow> {
        let cost = |name: &str| estimate.patterns.iter().find(|cost| cost.name == name);
        model.patterns.iter().map(|one| row(one, &plan(model, one), cost(&one.name))).collect()
    }

    /// Returns whether every part of it is served.
    pub fn is_served(&self) -> bool {
        self.unserved.is_empty()
    }
}

fn row(pattern: &Pattern, plan: &Plan, cost: Option<&PatternCost>) -> PatternRow {
    let loads = cost.into_iter().flat_map(|cost| cost.usage.values().map(|usage| usage.total()));
    let (reads, writes) =
        loads.fold((0.0, 0.0), |(reads, writes), load| (reads + load.read, writes + load.write));
    let mut entities: Vec<String> = Vec::new();
    for entity in pattern.all_entities().chain(planned_entities(plan)) {
        if !entities.iter().any(|known| known == entity) {
            entities.push(entity.to_owned());
        }
    }
    PatternRow {
        name: pattern.name.clone(),
        description: pattern.description.clone(),
        group: pattern.group.clone(),
        operation: operation_word(pattern.operation),
        entities,
        requests: plan.steps.iter().flat_map(|step| RequestRow::all(step, &pattern.name)).collect(),
        rows: pattern.rows,
        read_units: reads,
        write_units: writes,
        rate: cost.and_then(|cost| cost.rate),
        unserved: plan.unserved.iter().flat_map(Unserved::lines).collect(),
    }
}

fn planned_entities(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.steps.iter().flat_map(|step| step.entities.iter().map(String::as_str))
}
