//! What came of a migration, for people and for programs.

use std::io;

use anyhow::Result;
use monotable_migrate::{BackfillReport, BlockedItem, DriftReport, DriftedItem, Mode, Prepared};
use monotable_migration::Class;
use monotable_model::document::{Tree, inline_tree, value_tree};

use crate::commands::model::rendering::{self, Output, counted, object};
use crate::outcome::Outcome;
use crate::output;

/// What came of it.
pub(super) struct Report {
    table: String,
    mode: Mode,
    pub(super) backfill: Option<BackfillReport>,
    pub(super) verification: Option<DriftReport>,
}

/// Says on standard error what will be done.
pub(super) fn announce(table: &str, prepared: &Prepared) {
    eprintln!("{table}, about {} items:", prepared.item_count);
    for one in &prepared.entities {
        let how = match one.class {
            Class::Rewrite => "items get another primary key",
            Class::Additive
            | Class::TableChange
            | Class::Decorate
            | Class::Convert
            | Class::NewTable => "items are updated",
        };
        let mut parts = Vec::new();
        parts.extend((!one.sets.is_empty()).then(|| format!("set {}", one.sets.join(", "))));
        parts.extend(
            (!one.removes.is_empty()).then(|| format!("remove {}", one.removes.join(", "))),
        );
        eprintln!("  {} {how}: {}", one.entity, parts.join("; "));
    }
}

fn write_units(units: f64) -> String {
    format!("{units} write {}", if units == 1.0 { "unit" } else { "units" })
}

impl Report {
    pub(super) fn new(table: &str, mode: Mode) -> Report {
        Report { table: table.to_owned(), mode, backfill: None, verification: None }
    }

    /// Prints it, and says how the command ends.
    pub(super) fn print(&self, output: Output, show: usize) -> Result<Outcome> {
        match output {
            Output::Text => self.print_text(show)?,
            Output::Json => rendering::json(&self.tree())?,
        }
        Ok(if self.is_well() { Outcome::Done } else { Outcome::Negative })
    }

    fn is_well(&self) -> bool {
        let backfill =
            self.backfill.as_ref().is_none_or(|done| done.finished && done.blocked.is_empty());
        let verification = self.verification.as_ref();
        backfill && verification.is_none_or(|found| found.finished && found.drifted.is_empty())
    }

    fn print_text(&self, show: usize) -> io::Result<()> {
        if let Some(done) = &self.backfill {
            output::line(&self.backfill_line(done))?;
            for item in done.blocked.iter().take(show) {
                output::line(&format!("  not changed: {}: {}", key_text(&item.key), item.reason))?;
            }
            if !done.finished {
                return output::line("stopped; start the command again, and it goes on");
            }
        }
        match &self.verification {
            Some(found) => print_verification(found, show),
            None => Ok(()),
        }
    }

    fn backfill_line(&self, done: &BackfillReport) -> String {
        let counts = &done.counts;
        let would = match self.mode {
            Mode::Write => "",
            Mode::DryRun => "would be ",
        };
        let from = if done.resumed { ", continued" } else { "" };
        format!(
            "{}: {} read{from}; {} {would}updated, {} {would}moved, {} as they should be, {} of \
             other entities, {} not decided; {} read again, {}",
            self.table,
            counted(usize::try_from(counts.scanned).unwrap_or(usize::MAX), "item", "items"),
            counts.updated,
            counts.moved,
            counts.current,
            counts.foreign,
            counts.blocked,
            counts.retried,
            write_units(counts.write_units)
        )
    }

    fn tree(&self) -> Tree {
        object([
            ("table", Tree::String(self.table.clone())),
            ("dry_run", Tree::Bool(self.mode == Mode::DryRun)),
            ("backfill", self.backfill.as_ref().map_or(Tree::Null, backfill_tree)),
            ("verification", self.verification.as_ref().map_or(Tree::Null, verification_tree)),
        ])
    }
}

fn print_verification(found: &DriftReport, show: usize) -> io::Result<()> {
    let drifted = found.drifted.len();
    output::line(&format!(
        "verified {} items: {drifted} drifted, {} of no entity",
        found.scanned, found.foreign
    ))?;
    for item in found.drifted.iter().take(show) {
        for line in drift_lines(item) {
            output::line(&format!("  {line}"))?;
        }
    }
    if drifted > show {
        output::line(&format!("  and {} more; --output json has them all", drifted - show))?;
    }
    if !found.finished {
        output::line("stopped before the whole table was read")?;
    }
    Ok(())
}

fn drift_lines(item: &DriftedItem) -> Vec<String> {
    let entity = item.entity.as_deref().unwrap_or("no entity");
    let shown = |value: &Option<monotable_item::Value>| {
        value.as_ref().map_or("nothing".to_owned(), |value| inline_tree(&value_tree(value)))
    };
    let line = |drift: &monotable_migration::Drift| {
        let key = key_text(&item.key);
        match &drift.reason {
            Some(reason) => format!("{entity} {key}: {reason}"),
            None => format!(
                "{entity} {key}: {} is {}, and should be {}",
                drift.attribute,
                shown(&drift.stored),
                shown(&drift.expected)
            ),
        }
    };
    item.drifts.iter().map(line).collect()
}

fn key_text(key: &monotable_item::Item) -> String {
    let parts = key.values().map(|value| inline_tree(&value_tree(value)));
    parts.collect::<Vec<_>>().join(" ")
}

fn key_tree(key: &monotable_item::Item) -> Tree {
    Tree::Map(key.iter().map(|(name, value)| (name.clone(), value_tree(value))).collect())
}

fn backfill_tree(done: &BackfillReport) -> Tree {
    let counts = &done.counts;
    let count = |count: u64| Tree::Number(count.to_string());
    object([
        ("finished", Tree::Bool(done.finished)),
        ("resumed", Tree::Bool(done.resumed)),
        ("scanned", count(counts.scanned)),
        ("updated", count(counts.updated)),
        ("moved", count(counts.moved)),
        ("current", count(counts.current)),
        ("other_entities", count(counts.foreign)),
        ("retried", count(counts.retried)),
        ("gone", count(counts.gone)),
        ("write_units", Tree::Number(counts.write_units.to_string())),
        ("blocked", Tree::List(done.blocked.iter().map(blocked_tree).collect())),
    ])
}

fn blocked_tree(item: &BlockedItem) -> Tree {
    object([("key", key_tree(&item.key)), ("reason", Tree::String(item.reason.clone()))])
}

fn verification_tree(found: &DriftReport) -> Tree {
    object([
        ("finished", Tree::Bool(found.finished)),
        ("scanned", Tree::Number(found.scanned.to_string())),
        ("no_entity", Tree::Number(found.foreign.to_string())),
        ("drifted", Tree::List(found.drifted.iter().map(drifted_tree).collect())),
    ])
}

fn drifted_tree(item: &DriftedItem) -> Tree {
    let optional =
        |text: Option<&String>| text.map_or(Tree::Null, |text| Tree::String(text.clone()));
    let value =
        |value: &Option<monotable_item::Value>| value.as_ref().map_or(Tree::Null, value_tree);
    let drift = |drift: &monotable_migration::Drift| {
        object([
            ("attribute", Tree::String(drift.attribute.clone())),
            ("stored", value(&drift.stored)),
            ("expected", value(&drift.expected)),
            ("reason", optional(drift.reason.as_ref())),
        ])
    };
    object([
        ("key", key_tree(&item.key)),
        ("entity", optional(item.entity.as_ref())),
        ("drifts", Tree::List(item.drifts.iter().map(drift).collect())),
    ])
}
