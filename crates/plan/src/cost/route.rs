//! The route of a reading pattern, as far as its price depends on it.

use monotable_model::document::{IndexChoice, Pattern};

use crate::{FanOut, Plan, PlannedAction, PlannedRequest};

/// The route of a read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadRoute {
    /// The table, if it is not the only one of the entities.
    pub table: Option<String>,
    /// The index, unless it is the table itself.
    pub index: Option<String>,
    /// Entities that are read and not wanted.
    pub leaks: Vec<String>,
    /// How many requests one run takes: one for each shard, table or copy.
    pub requests: u64,
    /// Whether the items are fetched as well, because the index lacks attributes.
    pub fetches: bool,
    /// Whether rows are thrown away by a filter.
    pub filters: bool,
    /// Whether there is a request for the table of each period of a range.
    pub spans_periods: bool,
}

impl ReadRoute {
    /// What a pattern says itself: its index, or the table.
    pub fn declared(pattern: &Pattern) -> ReadRoute {
        let index = match &pattern.index {
            Some(IndexChoice::Named(name)) => Some(name.clone()),
            Some(IndexChoice::Table) | None => None,
        };
        ReadRoute {
            table: pattern.table.clone(),
            index,
            requests: 1,
            filters: pattern.filter.is_some(),
            ..ReadRoute::default()
        }
    }

    /// What the planner found for a pattern that reads.
    pub fn planned(pattern: &Pattern, plan: &Plan) -> ReadRoute {
        let is_fetch = |step: &&PlannedRequest| matches!(step.action, PlannedAction::Fetch);
        let Some(step) = plan.steps.iter().find(|step| !is_fetch(step)) else {
            return ReadRoute::declared(pattern);
        };
        let filters = step.action.filter_and_limit().is_some_and(|(filter, _)| !filter.is_empty());
        ReadRoute {
            table: Some(step.target.table.clone()),
            index: step.target.index.clone(),
            leaks: step.action.leaks(),
            requests: step.fan_out.iter().filter_map(FanOut::count).product::<u64>().max(1),
            fetches: !step.missing.is_empty(),
            filters,
            spans_periods: step.fan_out.iter().any(is_of_periods),
        }
    }
}

fn is_of_periods(fan_out: &FanOut) -> bool {
    matches!(fan_out, FanOut::PeriodTables { .. })
}
