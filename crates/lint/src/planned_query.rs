//! The queries that patterns make, with their plans.

use monotable_model::document::{Operation, Pattern};
use monotable_plan::{PlannedRequest, QueryPlan};

use super::Subject;

/// A query that a pattern makes.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedQuery<'s> {
    /// The pattern.
    pub(super) pattern: &'s Pattern,
    /// Where it goes, and what it lacks there.
    pub(super) request: &'s PlannedRequest,
    /// Its key condition and what it returns.
    pub(super) query: &'s QueryPlan,
}

/// All queries, each once: those of steps belong to the patterns that the steps are.
pub(super) fn queries<'s>(subject: &'s Subject<'_>) -> Vec<PlannedQuery<'s>> {
    let requests = requests(subject).into_iter();
    let queries = requests.filter_map(|(pattern, request)| {
        Some(PlannedQuery { pattern, request, query: request.action.query()? })
    });
    queries.collect()
}

/// All requests with their patterns, each once.
pub(super) fn requests<'s>(subject: &'s Subject<'_>) -> Vec<(&'s Pattern, &'s PlannedRequest)> {
    let own = subject.planned().filter(|(pattern, _)| pattern.operation != Operation::Steps);
    own.flat_map(|(pattern, plan)| plan.steps.iter().map(move |step| (pattern, step))).collect()
}
