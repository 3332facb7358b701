//! What guards cost, as a text to read.

use monotable_bench::columns::{align, number, unknown};

use super::circumstances;
use crate::guard_cost::{GuardCost, Plan};
use crate::machine;

const HEADINGS: [&str; 5] = ["GetItem behind", "requests/s", "±", "CPU µs", "of nothing"];

/// Writes what was found: the machine, then a row per guard.
pub(crate) fn render(plan: &Plan, costs: &[GuardCost]) -> String {
    let mut text = circumstances::hardware(&machine::describe()) + "\n";
    text += &format!(
        "{} connections, in memory, items of 1 KB, {} rounds, interleaved; requests are signed \
         beforehand\n\n",
        plan.connections, plan.rounds
    );
    let bare = costs.first().and_then(GuardCost::rate).map(|rate| rate.median);
    let rows = costs.iter().filter_map(|cost| row(cost, bare));
    text += &align(
        &std::iter::once(HEADINGS.map(str::to_owned).to_vec()).chain(rows).collect::<Vec<_>>(),
    );
    text
}

fn row(cost: &GuardCost, bare: Option<f64>) -> Option<Vec<String>> {
    let rate = cost.rate()?;
    let share = bare.map(|bare| format!("{:.0} %", rate.median / bare * 100.0));
    Some(vec![
        cost.guard.title().to_owned(),
        number(rate.median),
        format!("{:.0} %", rate.percent()),
        cost.cpu_us().map_or_else(unknown, |time| number(time.median)),
        share.unwrap_or_else(unknown),
    ])
}
