//! `monotable model seed`: sample data that belongs together, written to an endpoint.

mod loader;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use monotable_model::document::{Model, Table};
use monotable_remote::{Endpoint, encode_item};
use monotable_seed::{SeedItem, SeedSettings, generate_each, sample_items};
use serde_json::{Value, json};

use self::loader::load;
use super::apply::Application;
use super::file::ModelFile;
use super::rendering::{Output, OutputArguments, counted};
use crate::endpoint::EndpointArguments;
use crate::outcome::Outcome;
use crate::output;
use crate::progress_line::ProgressLine;

/// How many tables are made for the periods of sample data.
const PERIOD_TABLES_MAX: usize = 100;

const EXAMPLES: &str = "Examples:
  About a thousand items, as many of each entity as its counts and relationships say:
      monotable model seed shop.toml

  A hundred customers, with orders in proportion; the same items every time:
      monotable model seed shop.toml --count Customer=100 --seed 7

  The samples of the model itself:
      monotable model seed shop.toml --samples

  Only look at the items, or use them elsewhere:
      monotable model seed shop.toml --dry-run
      monotable model seed shop.toml --dry-run --output json > items.json

Children have the keys of parents that exist, unique values are unique and have their markers, and
keys are built from the templates of the model. Items whose keys are there already are
overwritten. The tables must be there:
      monotable model apply shop.toml
Of a table for each month, those of the items are made.";

/// Write related sample data to an endpoint
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Seed {
    /// The model file
    file: PathBuf,

    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Number of items of an entity; what belongs to them grows in proportion
    #[arg(long, value_name = "ENTITY=NUMBER", value_parser = parse_count)]
    count: Vec<(String, u64)>,

    /// Seed of the random values: the same number gives the same items
    #[arg(long, value_name = "NUMBER", default_value_t = 42)]
    seed: u64,

    /// Write the samples of the model instead of generated items
    #[arg(long, conflicts_with_all = ["count", "seed"])]
    samples: bool,

    /// Show the items instead of writing them
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    output: OutputArguments,
}

fn parse_count(text: &str) -> Result<(String, u64), String> {
    let wrong = || format!("{text:?} is not of the form ENTITY=NUMBER");
    let (entity, count) = text.split_once('=').ok_or_else(wrong)?;
    Ok((entity.to_owned(), count.parse().map_err(|_| wrong())?))
}

/// Makes the items, and writes or shows them.
pub(super) fn run(arguments: &Seed) -> Result<Outcome> {
    let (_, document) = ModelFile::open(&arguments.file)?.into_document()?;
    if arguments.dry_run {
        arguments.show(&document.model)?;
        return Ok(Outcome::Done);
    }
    let mut items = Vec::new();
    arguments.items(&document.model, &ProgressLine::new(), &mut |item| {
        items.push(item);
        Ok(())
    })?;
    let endpoint = Arc::new(arguments.endpoint.connect_briefly()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let tables = period_tables(&document.model, &items);
    let made = runtime.block_on(make(&endpoint, &tables))?;
    runtime.block_on(load(&endpoint, &items, &arguments.file))?;
    if !made.is_empty() && arguments.output.output == Output::Text {
        output::line(&format!("made {}", made.join(", ")))?;
    }
    arguments.report(&items)?;
    Ok(Outcome::Done)
}

/// The tables for periods that items are in, each with its own name.
fn period_tables(model: &Model, items: &[SeedItem]) -> Vec<Table> {
    let names: BTreeSet<&str> = items.iter().map(|item| item.table.as_str()).collect();
    let of_periods = model.tables.iter().filter(|table| table.period_name.is_some());
    let of_table = |table: &Table| -> Vec<Table> {
        let names = names.iter().filter(|name| table.is_called(name));
        names.map(|name| table.called(name)).collect()
    };
    of_periods.flat_map(of_table).collect()
}

/// Makes those of the tables that are not there. Which periods items are in is known only when
/// there are items, so nobody could have made their tables before.
async fn make(endpoint: &Endpoint, tables: &[Table]) -> Result<Vec<String>> {
    if tables.len() > PERIOD_TABLES_MAX {
        bail!(
            "the items are of {} periods, and more than {PERIOD_TABLES_MAX} tables are not made \
             for sample data: seed the samples of the model, or say a longer period",
            tables.len()
        );
    }
    let application = Application { endpoint, wait: false };
    let mut made = Vec::new();
    for table in tables {
        if application.find(table).await?.is_none() {
            let changes = application.plan(std::slice::from_ref(table)).await?;
            application.apply(&changes).await?;
            made.push(table.physical_name().to_owned());
        }
    }
    Ok(made)
}

impl Seed {
    /// Makes the items, one after the other.
    fn items(
        &self,
        model: &Model,
        line: &ProgressLine,
        each: &mut dyn FnMut(SeedItem) -> Result<()>,
    ) -> Result<()> {
        if self.samples {
            let items = sample_items(model)?;
            if items.is_empty() {
                bail!(
                    "{} has no samples; without --samples, items are generated",
                    self.file.display()
                );
            }
            return items.into_iter().try_for_each(each);
        }
        let counts = self.count.iter().cloned().collect();
        let mut shown = 0;
        let mut progress = |done: u64, total: u64| {
            // A hundred steps are as many as anybody sees.
            let percent = done.saturating_mul(100).checked_div(total).unwrap_or(0);
            if percent > shown {
                shown = percent;
                line.count(as_size(done), as_size(total), "items made");
            }
        };
        let settings = SeedSettings { seed: self.seed, counts };
        generate_each(model, &settings, &mut progress, each)
    }

    /// Shows each item as it is made: many of them, and the JSON of many even more, take memory
    /// that nobody needs.
    fn show(&self, model: &Model) -> Result<()> {
        let line = ProgressLine::beside_output();
        match self.output.output {
            Output::Json => {
                let mut before = "{\n  \"items\": [\n";
                self.items(model, &line, &mut |item| {
                    let text = format!("{:#}", item_report(&item)).replace('\n', "\n    ");
                    output::text(&format!("{before}    {text}"))?;
                    before = ",\n";
                    Ok(())
                })?;
                let begin = if before == ",\n" { "\n" } else { before };
                Ok(output::line(&format!("{begin}  ]\n}}"))?)
            }
            Output::Text => self.items(model, &line, &mut |item| {
                let attributes = monotable_plan::value_text(&monotable_item::Value::Map(item.item));
                Ok(output::line(&format!("{} {attributes}", item.entity))?)
            }),
        }
    }

    fn report(&self, items: &[SeedItem]) -> Result<()> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for item in items {
            *counts.entry(&item.entity).or_default() += 1;
        }
        match self.output.output {
            Output::Json => {
                let report = json!({ "written": items.len(), "entities": counts });
                output::line(&format!("{report:#}"))?;
            }
            Output::Text => {
                let parts: Vec<String> =
                    counts.iter().map(|(entity, count)| format!("{count} {entity}")).collect();
                let total = counted(items.len(), "item", "items");
                output::line(&format!("wrote {total}: {}", parts.join(", ")))?;
            }
        }
        Ok(())
    }
}

fn as_size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn item_report(item: &SeedItem) -> Value {
    json!({
        "entity": item.entity, "table": item.table,
        "attributes": encode_item(&item.attributes), "item": encode_item(&item.item),
    })
}
