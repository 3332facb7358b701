//! What guards cost.

use monotable_bench::columns::number;
use monotable_bench::statistics::Spread;

use super::Document;
use super::table::Rows;
use super::texts::percent;
use crate::guard_cost::{GuardCost, Plan};

/// Writes what was found: a row per guard.
pub(crate) fn render(plan: &Plan, costs: &[GuardCost]) -> Document {
    let rates = |cost: &GuardCost| -> Vec<f64> {
        cost.samples.iter().map(|sample| sample.requests_per_second).collect()
    };
    let rate = |cost: &GuardCost| Spread::of(rates(cost)).map(|rates| rates.median);
    let bare = costs.first().and_then(rate);
    let table = Rows::new("What guards cost", costs)
        .words("GetItem behind", |cost| cost.guard.title().to_owned())
        .spread(["requests/s", "±"], number, |cost| rates(cost))
        .median("CPU µs", number, |cost| {
            cost.samples.iter().filter_map(|sample| sample.cpu_us).collect()
        })
        .figure("of nothing", percent, |cost| Some(rate(cost)? / bare?));
    let about = format!(
        "{} connections, in memory, items of 1 KB, {} rounds, interleaved; requests are signed \
         beforehand",
        plan.connections, plan.rounds
    );
    Document::new(about, 0.0, vec![table.table()])
}
