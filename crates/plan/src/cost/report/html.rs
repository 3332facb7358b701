//! The estimate as one page that needs nothing else: charts as SVG, tables, light and dark.

use super::svg::{Bar, bar_chart, escape};
use super::wording::{UNKNOWN, bill_line, money, money_or_unknown, number, operation};
use crate::cost::bill::{Bill, BillLine};
use crate::cost::comparison::{Difference, EstimateComparison};
use crate::cost::estimate::{EntityCost, Estimate, PatternCost, TableCost};

const STYLE: &str = include_str!("page.css");

/// Writes the page of an estimate, with a comparison if there is one.
pub fn render_html(estimate: &Estimate, comparison: Option<&EstimateComparison>) -> String {
    let title = format!("{}: cost", estimate.model);
    let mut body = heading(estimate);
    for (title, content) in cost_sections(estimate) {
        body += &section(&title, &content);
    }
    if let Some(comparison) = comparison {
        let title = format!("{} against {}", comparison.after, comparison.before);
        body += &section(&title, &compared(comparison));
    }
    let text = super::text::render_text(estimate, None);
    body += &section("In full", &format!("<pre>{}</pre>\n", escape(&text)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(&title)
    )
}

/// The parts of the page, each a title and its charts and tables: by pattern, by entity, and by
/// table and way of paying.
pub fn cost_sections(estimate: &Estimate) -> Vec<(String, String)> {
    let mut sections = vec![
        ("By access pattern, paid by request".to_owned(), patterns(&estimate.patterns)),
        ("By entity, paid by request".to_owned(), entities(&estimate.entities)),
    ];
    for table in &estimate.tables {
        sections.push((format!("Table {} and its indexes", table.name), arms(table)));
        sections.push((format!("Ways of paying for {}", table.name), bills(table)));
    }
    sections
}

fn heading(estimate: &Estimate) -> String {
    let prices = &estimate.prices;
    format!(
        "<h1>{}</h1>\n<p class=\"total\">{} {} a month</p>\n<p>Prices of {} of {} ({}). A month \
         has 730 hours, a gigabyte 2<sup>30</sup> bytes.</p>\n<p class=\"legend\"><span \
         class=\"reads\">reads</span> <span class=\"writes\">writes</span> <span \
         class=\"storage\">storage</span> <span class=\"other\">other</span></p>\n",
        escape(&estimate.model),
        money(estimate.total()),
        escape(&prices.currency),
        escape(&prices.region),
        escape(&prices.date),
        escape(&prices.source),
    )
}

fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escape(title))
}

fn patterns(patterns: &[PatternCost]) -> String {
    let bars: Vec<Bar> = patterns
        .iter()
        .map(|pattern| {
            let (reads, writes) = shares(pattern);
            let month = pattern.month.unwrap_or(0.0);
            Bar {
                label: pattern.name.clone(),
                parts: vec![(month * reads, "reads"), (month * writes, "writes")],
                value: money_or_unknown(pattern.month),
            }
        })
        .collect();
    let rows = patterns.iter().map(|pattern| {
        vec![
            pattern.name.clone(),
            operation(pattern.operation).to_owned(),
            pattern.targets.join(", "),
            pattern.rate.map_or_else(|| UNKNOWN.to_owned(), number),
            money_or_unknown(pattern.month),
        ]
    });
    let head = ["pattern", "operation", "on", "per second", "month"];
    bar_chart("Cost by access pattern", &bars) + &table(&head, rows)
}

/// The parts of a pattern's price that are for reading and for writing: a write unit costs five
/// times as much as a read unit in every region, so units alone would mislead.
fn shares(pattern: &PatternCost) -> (f64, f64) {
    const WRITE_WEIGHT: f64 = 5.0;
    let (mut reads, mut writes) = (0.0, 0.0);
    for usage in pattern.usage.values() {
        let total = usage.total();
        reads += total.read;
        writes += total.write * WRITE_WEIGHT;
    }
    let sum: f64 = reads + writes;
    if sum > 0.0 { (reads / sum, writes / sum) } else { (1.0, 0.0) }
}

fn entities(entities: &[EntityCost]) -> String {
    let total = |entity: &EntityCost| entity.storage.unwrap_or(0.0) + entity.reads + entity.writes;
    let bars: Vec<Bar> = entities
        .iter()
        .map(|entity| Bar {
            label: entity.name.clone(),
            parts: vec![
                (entity.reads, "reads"),
                (entity.writes, "writes"),
                (entity.storage.unwrap_or(0.0), "storage"),
            ],
            value: money(total(entity)),
        })
        .collect();
    let rows = entities.iter().map(|entity| {
        vec![
            entity.name.clone(),
            entity.size.count.map_or_else(|| UNKNOWN.to_owned(), number),
            number(entity.size.item_bytes as f64),
            entity.size.source.describe(),
            money(total(entity)),
        ]
    });
    let head = ["entity", "items", "bytes", "from", "month"];
    bar_chart("Cost by entity", &bars) + &table(&head, rows)
}

fn arms(of: &TableCost) -> String {
    let bars: Vec<Bar> = of
        .arms
        .iter()
        .map(|arm| {
            let (reads, writes) = (arm.reads.unwrap_or(0.0), arm.writes.unwrap_or(0.0));
            Bar {
                label: arm.index.clone().unwrap_or_else(|| "(table)".to_owned()),
                parts: vec![(reads, "reads"), (writes, "writes"), (arm.storage, "storage")],
                value: money(reads + writes + arm.storage),
            }
        })
        .collect();
    bar_chart("Cost by index", &bars)
}

fn bills(of: &TableCost) -> String {
    let bars: Vec<Bar> = of.bills.iter().map(bill_bar).collect();
    let rows = of.bills.iter().map(|bill| {
        let lines = bill
            .lines
            .iter()
            .map(|(line, amount)| format!("{} {}", bill_line(*line).0, money_or_unknown(*amount)));
        vec![
            bill.payment.describe(bill.class),
            lines.collect::<Vec<_>>().join(", "),
            money_or_unknown(bill.total()),
        ]
    });
    bar_chart("Ways of paying", &bars) + &table(&["", "of which", "month"], rows)
}

fn bill_bar(bill: &Bill) -> Bar {
    let class = |line: BillLine| match line {
        BillLine::Reads => "reads",
        BillLine::Writes | BillLine::ReplicatedWrites => "writes",
        BillLine::Storage | BillLine::ReplicaStorage => "storage",
        BillLine::PointInTime | BillLine::Backups | BillLine::StreamReads => "other",
    };
    let parts = bill.lines.iter().map(|(line, amount)| (amount.unwrap_or(0.0), class(*line)));
    Bar {
        label: bill.payment.describe(bill.class),
        parts: parts.collect(),
        value: money_or_unknown(bill.total()),
    }
}

fn compared(comparison: &EstimateComparison) -> String {
    let row = |difference: &Difference| {
        vec![
            difference.name.clone(),
            money_or_unknown(difference.before),
            money_or_unknown(difference.after),
            super::wording::change(difference.change()),
        ]
    };
    let head = ["", comparison.before.as_str(), comparison.after.as_str(), "difference"];
    let all = comparison.patterns.iter().chain([&comparison.total]);
    table(&head, all.map(row))
}

/// A table whose last column holds amounts.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cells = |row: Vec<String>, tag: &str| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
    };
    let head = cells(head.iter().map(|cell| (*cell).to_owned()).collect(), "th");
    let rows: String = rows.map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
    format!("<table>\n<tr>{head}</tr>\n{rows}</table>\n")
}
