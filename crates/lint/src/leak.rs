//! Items that a query reads and does not want.

use monotable_model::document::Model;
use monotable_plan::cost::average_together;

use super::Subject;
use super::planned_query::{PlannedQuery, queries};
use super::threshold::CHILD_FLOOD;

/// An entity that a query returns and does not want.
#[derive(Debug, Clone)]
pub(super) struct Leak<'s> {
    /// The query.
    pub(super) query: PlannedQuery<'s>,
    /// The entity.
    pub(super) entity: &'s str,
    /// How many of its items come with each wanted one on average, if the model says so.
    pub(super) ratio: Option<f64>,
}

impl Leak<'_> {
    /// Whether it drowns what is wanted.
    pub(super) fn is_flood(&self, subject: &Subject<'_>) -> bool {
        self.ratio.is_some_and(|ratio| ratio >= subject.threshold(&CHILD_FLOOD))
    }
}

/// All leaks of all queries.
pub(super) fn leaks<'s>(subject: &'s Subject<'_>) -> Vec<Leak<'s>> {
    let leaks_of = |query: PlannedQuery<'s>| {
        let leaks = query.query.collection.leaks();
        leaks.map(move |entity| Leak { query, entity, ratio: ratio(subject.model, query, entity) })
    };
    queries(subject).into_iter().flat_map(leaks_of).collect()
}

fn ratio(model: &Model, query: PlannedQuery<'_>, entity: &str) -> Option<f64> {
    let wanted: f64 =
        query.pattern.entities.iter().filter_map(|name| average_together(model, name)).sum();
    // The parent has no relationship of its own here, and is one item.
    Some(average_together(model, entity)? / wanted.max(1.0))
}
