//! The estimate as text, for a terminal.

use super::bar::bar;
use super::columns::Align::{Bar, Left, Right};
use super::columns::{align, paragraph};
use super::wording::{UNKNOWN, bill_line, money, money_or_unknown, number, operation, percent};
use crate::cost::bill::Bill;
use crate::cost::estimate::{ArmCost, EntityCost, Estimate, PatternCost, TableCost};
use crate::cost::usage::{Load, Usage};

/// Writes an estimate: by pattern, by entity, by table and index, the ways of paying, the
/// break-even points and what was assumed. It is made to fit so many cells, if their number is
/// given.
pub fn render_text(estimate: &Estimate, cells: Option<usize>) -> String {
    let currency = &estimate.prices.currency;
    let mut text = heading(estimate);
    text += &format!("\nBy access pattern, paid by request ({currency} a month)\n");
    text += &patterns(&estimate.patterns, cells);
    text += &format!("\nBy entity, paid by request ({currency} a month)\n");
    text += &entities(&estimate.entities, cells);
    for table in &estimate.tables {
        text += &format!("\nTable {}, paid by request ({currency} a month)\n", table.name);
        text += &arms(table, cells);
        text += &format!("\nWays of paying for {} ({currency} a month)\n", table.name);
        text += &bills(table, cells);
        text += &break_even(estimate, table, cells);
    }
    text + &assumptions(estimate, cells)
}

fn heading(estimate: &Estimate) -> String {
    let prices = &estimate.prices;
    format!(
        "{}: {} {} a month\nPrices of {} of {} ({}). A month has 730 hours, a gigabyte 2^30 \
         bytes.\n",
        estimate.model,
        money(estimate.total()),
        prices.currency,
        prices.region,
        prices.date,
        prices.source,
    )
}

fn patterns(patterns: &[PatternCost], cells: Option<usize>) -> String {
    let columns = [Left, Left, Left, Right, Right, Right, Right, Bar];
    let largest = patterns.iter().filter_map(|pattern| pattern.month).fold(0.0, f64::max);
    let head =
        ["pattern", "operation", "on", "per second", "read units", "write units", "month", ""];
    let rows = patterns.iter().map(|pattern| {
        let units = units_of(pattern.usage.values());
        vec![
            pattern.name.clone(),
            operation(pattern.operation).to_owned(),
            pattern.targets.join(", "),
            pattern.rate.map_or_else(|| UNKNOWN.to_owned(), number),
            number(units.read),
            number(units.write),
            money_or_unknown(pattern.month),
            bar(pattern.month.unwrap_or(0.0), largest),
        ]
    });
    table_of(&columns, &head, rows, cells)
}

fn units_of<'u>(usages: impl Iterator<Item = &'u Usage>) -> Load {
    let mut units = Load::default();
    for usage in usages {
        units.add(usage.total(), 1.0);
    }
    units
}

fn entities(entities: &[EntityCost], cells: Option<usize>) -> String {
    let columns = [Left, Right, Right, Left, Right, Right, Right, Right, Bar];
    let total = |entity: &EntityCost| entity.storage.unwrap_or(0.0) + entity.reads + entity.writes;
    let largest = entities.iter().map(total).fold(0.0, f64::max);
    let head = ["entity", "items", "bytes", "from", "storage", "reads", "writes", "month", ""];
    let rows = entities.iter().map(|entity| {
        vec![
            entity.name.clone(),
            entity.size.count.map_or_else(|| UNKNOWN.to_owned(), number),
            number(entity.size.item_bytes as f64),
            entity.size.source.describe(),
            money_or_unknown(entity.storage),
            money(entity.reads),
            money(entity.writes),
            money(total(entity)),
            bar(total(entity), largest),
        ]
    });
    table_of(&columns, &head, rows, cells)
}

fn arms(table: &TableCost, cells: Option<usize>) -> String {
    let columns = [Left, Right, Right, Right, Right, Right, Right, Right, Right, Bar];
    let total = |arm: &ArmCost| arm.storage + arm.reads.unwrap_or(0.0) + arm.writes.unwrap_or(0.0);
    let largest = table.arms.iter().map(total).fold(0.0, f64::max);
    let head = [
        "index", "entries", "GB", "reads/s", "writes/s", "storage", "reads", "writes", "month", "",
    ];
    let rows = table.arms.iter().map(|arm| {
        vec![
            arm.index.clone().unwrap_or_else(|| "(table)".to_owned()),
            number(arm.entries),
            number(arm.gigabytes),
            number(arm.load.read),
            number(arm.load.write),
            money(arm.storage),
            money_or_unknown(arm.reads),
            money_or_unknown(arm.writes),
            money(total(arm)),
            bar(total(arm), largest),
        ]
    });
    table_of(&columns, &head, rows, cells)
}

fn bills(table: &TableCost, cells: Option<usize>) -> String {
    let columns = [Left, Right, Bar, Left, Left];
    let totals = table.bills.iter().filter_map(Bill::total);
    let largest = totals.fold(0.0, f64::max);
    let mark = |bill: &Bill| {
        let is_declared = bill.payment == table.payment && bill.class == table.class;
        let is_cheapest = table.cheapest() == Some(bill);
        match (is_declared, is_cheapest) {
            (true, true) => "as the model says, cheapest",
            (true, false) => "as the model says",
            (false, true) => "cheapest",
            (false, false) => "",
        }
    };
    let rows = table.bills.iter().map(|bill| {
        let lines = bill
            .lines
            .iter()
            .map(|(line, amount)| format!("{} {}", bill_line(*line).0, money_or_unknown(*amount)));
        vec![
            bill.payment.describe(bill.class),
            money_or_unknown(bill.total()),
            bar(bill.total().unwrap_or(0.0), largest),
            lines.collect::<Vec<_>>().join(", "),
            mark(bill).to_owned(),
        ]
    });
    table_of(&columns, &["", "month", "", "of which", ""], rows, cells)
}

/// The break-even points of a table, a sentence each.
fn break_even(estimate: &Estimate, table: &TableCost, cells: Option<usize>) -> String {
    let mut text = format!("\nBreak-even points of {}\n", table.name);
    let mut say = |sentence: String| text += &paragraph(&sentence, cells);
    if let Some(point) = table.utilisation {
        say(format!(
            "Provisioned capacity is cheaper than on demand where more than {} of its reads and {} \
             of its writes are used on average. Sized for a peak of {} times the average at {} of \
             capacity, {} would be.",
            percent(point.read),
            percent(point.write),
            number(estimate.provision.peak_factor),
            percent(estimate.provision.target_utilisation),
            percent(table.average_utilisation),
        ));
    }
    if let Some(storage) = table.storage_share {
        say(format!(
            "Infrequent access is cheaper where storage is more than {} of the bill. It is {}.",
            percent(storage.break_even),
            percent(storage.share),
        ));
    }
    for saving in &table.projections {
        let narrow = if saving.include.is_empty() {
            "only its keys".to_owned()
        } else {
            format!("only {}", saving.include.join(", "))
        };
        say(format!(
            "{} with {narrow} saves {} a month as long as fewer than {} items a second are fetched \
             for it; {} rows a second are read whole.",
            saving.index,
            money(saving.month),
            number(saving.break_even_fetches),
            number(saving.whole_rows),
        ));
    }
    say(partitions(table));
    text
}

fn partitions(table: &TableCost) -> String {
    let partitions = table.partitions;
    let noun = if partitions.count == 1 { "partition" } else { "partitions" };
    format!(
        "By the published arithmetic of 2015 the peak needs {} {noun} ({} by throughput, {} by \
         size), each with {} read and {} write units a second. One key gets 3,000 and 1,000 at \
         most.",
        partitions.count,
        number(partitions.by_throughput),
        number(partitions.by_size),
        number(partitions.read_units_each),
        number(partitions.write_units_each),
    )
}

fn assumptions(estimate: &Estimate, cells: Option<usize>) -> String {
    let of_patterns = estimate.patterns.iter().flat_map(|pattern| {
        let line = move |assumption| format!("{}: {assumption}", pattern.name);
        pattern.assumptions.iter().map(line)
    });
    let lines: Vec<String> = estimate.notes.iter().cloned().chain(of_patterns).collect();
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|line| paragraph(line, cells)).collect();
    format!("\nAssumptions\n{lines}")
}

pub(super) fn table_of(
    columns: &[super::columns::Align],
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    cells: Option<usize>,
) -> String {
    let head = head.iter().map(|text| (*text).to_owned()).collect();
    align(columns, &std::iter::once(head).chain(rows).collect::<Vec<_>>(), cells)
}
