//! What a model says that its patterns cost, for comparison with what is observed.

use monotable_model::document::Model;
use monotable_plan::Plan;
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};

/// What a model says about a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PatternEstimate {
    /// How often it is asked, per second.
    pub rate: Option<f64>,
    /// Units of one request, of reading and writing together.
    pub units: Option<f64>,
    /// Rows that one request returns.
    pub rows: Option<f64>,
}

/// The estimates of all patterns of a model, which have these plans, in the order of the model.
pub fn estimates(model: &Model, plans: &[Plan]) -> Vec<PatternEstimate> {
    let Some(prices) = prices_of(DEFAULT_REGION) else {
        return vec![PatternEstimate::default(); model.patterns.len()];
    };
    let estimate = Estimate::of_plans(model, plans, &Settings::new(prices));
    let costs = estimate.patterns.iter().zip(&model.patterns);
    let one = costs.map(|(cost, pattern)| {
        let totals = cost.usage.values().map(|usage| usage.total());
        let units: f64 = totals.map(|load| load.read + load.write).sum();
        let times: f64 = cost.calls.iter().map(|call| call.times).sum();
        // A batch or transaction is one request, however many items it is about.
        let requests = if pattern.actions.is_empty() { times.max(1.0) } else { 1.0 };
        PatternEstimate {
            rate: cost.rate,
            units: (!cost.calls.is_empty()).then_some(units / requests),
            rows: pattern.rows,
        }
    });
    one.collect()
}
