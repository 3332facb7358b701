//! Estimates for programs: one JSON document, the same members in the same order for ever.

use monotable_model::document::{TableClass, Tree};

use super::wording::{bill_line, operation};
use crate::cost::bill::{Bill, Payment};
use crate::cost::comparison::{Difference, EstimateComparison};
use crate::cost::estimate::{ArmCost, EntityCost, Estimate, PatternCost, TableCost};
use crate::cost::usage::{Load, Usage};

/// An estimate as a JSON object. Amounts are for a month, loads for a second, usage for one run of
/// a pattern; what is not known is `null`.
pub fn render_json(estimate: &Estimate) -> Tree {
    let prices = &estimate.prices;
    object([
        ("model", text(&estimate.model)),
        ("region", text(&prices.region)),
        ("prices_date", text(&prices.date)),
        ("prices_source", text(&prices.source)),
        ("currency", text(&prices.currency)),
        ("month_hours", number(crate::cost::month::HOURS)),
        ("peak_factor", number(estimate.provision.peak_factor)),
        ("target_utilisation", number(estimate.provision.target_utilisation)),
        ("total", number(estimate.total())),
        ("patterns", list(&estimate.patterns, pattern)),
        ("entities", list(&estimate.entities, entity)),
        ("tables", list(&estimate.tables, table)),
        ("notes", list(&estimate.notes, |note| text(note))),
    ])
}

/// A comparison as a JSON object.
pub fn render_comparison_json(comparison: &EstimateComparison) -> Tree {
    let payment = |(payment, class, amount): &(Payment, TableClass, Difference)| {
        object([
            ("payment", text(payment_name(*payment))),
            ("class", text(class_name(*class))),
            ("before", optional(amount.before)),
            ("after", optional(amount.after)),
            ("change", number(amount.change())),
        ])
    };
    object([
        ("before", text(&comparison.before)),
        ("after", text(&comparison.after)),
        ("patterns", list(&comparison.patterns, difference)),
        ("entities", list(&comparison.entities, difference)),
        ("payments", list(&comparison.payments, payment)),
        ("total", difference(&comparison.total)),
    ])
}

fn difference(difference: &Difference) -> Tree {
    object([
        ("name", text(&difference.name)),
        ("before", optional(difference.before)),
        ("after", optional(difference.after)),
        ("change", number(difference.change())),
    ])
}

fn pattern(pattern: &PatternCost) -> Tree {
    let usage = pattern.usage.iter().map(|(table, usage)| (table.clone(), self::usage(usage)));
    object([
        ("name", text(&pattern.name)),
        ("operation", text(operation(pattern.operation))),
        ("targets", list(&pattern.targets, |target| text(target))),
        ("rate", optional(pattern.rate)),
        ("usage", Tree::Map(usage.collect())),
        ("month", optional(pattern.month)),
        ("assumptions", list(&pattern.assumptions, |assumption| text(assumption))),
    ])
}

fn usage(usage: &Usage) -> Tree {
    let indexes = usage.indexes.iter().map(|(index, units)| (index.clone(), load(*units)));
    object([
        ("table", load(usage.table)),
        ("indexes", Tree::Map(indexes.collect())),
        ("replicated", number(usage.replicated)),
        ("stream_reads", number(usage.stream_reads)),
    ])
}

fn load(load: Load) -> Tree {
    object([("read", number(load.read)), ("write", number(load.write))])
}

fn entity(entity: &EntityCost) -> Tree {
    let entries = entity.size.entries.iter().map(|(index, entry)| {
        let entry = object([("bytes", number(entry.bytes as f64)), ("share", number(entry.share))]);
        (index.clone(), entry)
    });
    object([
        ("name", text(&entity.name)),
        ("table", text(&entity.table)),
        ("count", optional(entity.size.count)),
        ("item_bytes", number(entity.size.item_bytes as f64)),
        ("size_from", text(&entity.size.source.describe())),
        ("entries", Tree::Map(entries.collect())),
        ("storage", optional(entity.storage)),
        ("reads", number(entity.reads)),
        ("writes", number(entity.writes)),
    ])
}

fn table(table: &TableCost) -> Tree {
    let partitions = table.partitions;
    object([
        ("name", text(&table.name)),
        ("payment", text(payment_name(table.payment))),
        ("class", text(class_name(table.class))),
        ("total", optional(table.total())),
        ("arms", list(&table.arms, arm)),
        ("bills", list(&table.bills, bill)),
        ("break_even", break_even(table)),
        (
            "partitions",
            object([
                ("count", number(partitions.count as f64)),
                ("by_throughput", number(partitions.by_throughput)),
                ("by_size", number(partitions.by_size)),
                ("read_units_each", number(partitions.read_units_each)),
                ("write_units_each", number(partitions.write_units_each)),
            ]),
        ),
    ])
}

fn break_even(table: &TableCost) -> Tree {
    let utilisation = table.utilisation;
    let storage = table.storage_share;
    let projections = list(&table.projections, |saving| {
        object([
            ("index", text(&saving.index)),
            ("include", list(&saving.include, |name| text(name))),
            ("month", number(saving.month)),
            ("break_even_fetches", number(saving.break_even_fetches)),
            ("whole_rows", number(saving.whole_rows)),
        ])
    });
    object([
        ("read_utilisation", optional(utilisation.map(|point| point.read))),
        ("write_utilisation", optional(utilisation.map(|point| point.write))),
        ("average_utilisation", number(table.average_utilisation)),
        ("infrequent_access_storage_share", optional(storage.map(|point| point.break_even))),
        ("storage_share", optional(storage.map(|point| point.share))),
        ("projections", projections),
    ])
}

fn arm(arm: &ArmCost) -> Tree {
    object([
        ("index", arm.index.as_deref().map_or(Tree::Null, text)),
        ("entries", number(arm.entries)),
        ("gigabytes", number(arm.gigabytes)),
        ("load", load(arm.load)),
        ("storage", number(arm.storage)),
        ("reads", optional(arm.reads)),
        ("writes", optional(arm.writes)),
    ])
}

fn bill(bill: &Bill) -> Tree {
    let lines =
        bill.lines.iter().map(|(line, amount)| (bill_line(*line).1.to_owned(), optional(*amount)));
    object([
        ("payment", text(payment_name(bill.payment))),
        ("class", text(class_name(bill.class))),
        ("total", optional(bill.total())),
        ("lines", Tree::Map(lines.collect())),
    ])
}

fn payment_name(payment: Payment) -> &'static str {
    match payment {
        Payment::OnDemand => "on-demand",
        Payment::Declared => "declared",
        Payment::Provisioned => "provisioned",
        Payment::Scaled => "scaled",
        Payment::ReservedOneYear => "reserved-one-year",
        Payment::ReservedThreeYears => "reserved-three-years",
    }
}

fn class_name(class: TableClass) -> &'static str {
    match class {
        TableClass::Standard => "standard",
        TableClass::InfrequentAccess => "infrequent-access",
    }
}

fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn list<T>(values: &[T], render: impl Fn(&T) -> Tree) -> Tree {
    Tree::List(values.iter().map(render).collect())
}

fn text(text: &str) -> Tree {
    Tree::String(text.to_owned())
}

fn optional(value: Option<f64>) -> Tree {
    value.map_or(Tree::Null, number)
}

/// A number in digits. Ten decimals tell a cent from a billion requests.
fn number(value: f64) -> Tree {
    let text = format!("{value:.10}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    Tree::Number(if text == "-0" { "0".to_owned() } else { text.to_owned() })
}
