//! A comparison as text.

use super::columns::Align::{Left, Right};
use super::text::table_of;
use super::wording::{change, money_or_unknown};
use crate::cost::comparison::{Difference, EstimateComparison};

/// Writes a comparison: by pattern, by entity, by way of paying, and in total. It is made to fit so
/// many cells, if their number is given.
pub fn render_comparison(comparison: &EstimateComparison, cells: Option<usize>) -> String {
    let mut text = format!("{} against {}, a month\n", comparison.after, comparison.before);
    let payments: Vec<Difference> =
        comparison.payments.iter().map(|(_, _, difference)| difference.clone()).collect();
    let total = std::slice::from_ref(&comparison.total);
    let parts: [(&str, &[Difference]); 4] = [
        ("By access pattern, paid by request", &comparison.patterns),
        ("By entity, paid by request", &comparison.entities),
        ("By way of paying", &payments),
        ("As the models say that they are paid for", total),
    ];
    for (title, differences) in parts {
        text += &format!("\n{title}\n");
        text += &rows(comparison, differences, cells);
    }
    text
}

fn rows(
    comparison: &EstimateComparison,
    differences: &[Difference],
    cells: Option<usize>,
) -> String {
    let columns = [Left, Right, Right, Right];
    let rows = differences.iter().map(|difference| {
        vec![
            difference.name.clone(),
            money_or_unknown(difference.before),
            money_or_unknown(difference.after),
            change(difference.change()),
        ]
    });
    table_of(&columns, &["", &comparison.before, &comparison.after, "difference"], rows, cells)
}
