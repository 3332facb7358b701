//! What guards cost.

use super::section::Section;
use super::texts::{known, median, percent, range};
use super::{Document, circumstances};
use crate::guard_cost::{GuardCost, Plan};
use crate::machine;

/// Writes what was found: a row per guard.
pub(crate) fn render(plan: &Plan, costs: &[GuardCost]) -> Document {
    let Plan { connections, rounds, .. } = plan;
    let bare = costs.first().and_then(GuardCost::rate).map(|rate| rate.median);
    let row = |cost: &GuardCost| {
        let rate = cost.rate()?;
        Some(vec![
            cost.guard.title().to_owned(),
            median(rate),
            range(rate),
            known(cost.cpu_us(), median),
            known(bare, |bare| percent(rate.median / bare)),
        ])
    };
    let title = format!(
        "{connections} connections, in memory, items of 1 KB, {rounds} rounds, interleaved; \
         requests are signed beforehand"
    );
    let headings = ["GetItem behind", "requests/s", "±", "CPU µs", "of nothing"];
    Document {
        head: circumstances::hardware(&machine::describe()),
        sections: vec![Section::new(title, &headings).with(costs.iter().filter_map(row))],
        ..Document::default()
    }
}
