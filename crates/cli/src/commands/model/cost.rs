//! `monotable model cost`: what a design costs, before there is a table.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use monotable_model::diagnostic::nearest;
use monotable_model::document::{Model, Tree};
use monotable_plan::cost::{
    DEFAULT_REGION, DEFAULT_TARGET_UTILISATION, Estimate, EstimateComparison, Prices, Settings,
    known_regions, prices_of, read_prices, render_comparison, render_comparison_json, render_html,
    render_json, render_text,
};

use super::file::ModelFile;
use super::rendering::{self, Output, OutputArguments, object};
use crate::line_fit;
use crate::outcome::Outcome;
use crate::output::{self, Style};

const EXAMPLES: &str = "Examples:
  What does it cost, by access pattern, entity and index, and which way of paying is cheapest?
      monotable model cost shop.toml

  In another region, or with prices of your own:
      monotable model cost shop.toml --region eu-west-1
      monotable model cost shop.toml --prices ours.toml

  What did a change of the design do to it?
      monotable model cost shop.toml --compare shop-before.toml

  As a page with charts, and for a program:
      monotable model cost shop.toml --html cost.html
      monotable model cost shop.toml --output json

Units are counted as AWS bills them. Sizes come from the samples of the model, else from
average_bytes of the entity, else from its attributes; rates from the patterns, else from the
workload. A month has 730 hours. What the model does not say, and what was assumed instead, stands
at the end of the report.";

/// Estimate what a model costs, by access pattern, entity, index and month
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Cost {
    /// The model file
    file: PathBuf,

    /// The region whose prices to use, instead of the model's
    #[arg(long, value_name = "REGION", conflicts_with = "prices")]
    region: Option<String>,

    /// A file with prices
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,

    /// Target utilisation of provisioned capacity, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = DEFAULT_TARGET_UTILISATION * 100.0)]
    target_utilisation: f64,

    /// Number of full backups to keep
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0)]
    backups: f64,

    /// Another model to compare with: what it costs, and by how much this one differs
    #[arg(long, value_name = "MODEL")]
    compare: Option<PathBuf>,

    /// Write a page with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArguments,
}

/// Prints the estimate, and the comparison if there is one.
pub(super) fn run(arguments: &Cost) -> Result<Outcome> {
    let model = model_of(&arguments.file)?;
    let settings = arguments.settings(&model)?;
    let estimate = Estimate::of(&model, &settings);
    let comparison = match &arguments.compare {
        Some(path) => {
            Some(EstimateComparison::of(&Estimate::of(&model_of(path)?, &settings), &estimate))
        }
        None => None,
    };
    if let Some(path) = &arguments.html {
        let page = render_html(&estimate, comparison.as_ref());
        std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
    }
    match arguments.output.output {
        Output::Json => rendering::json(&document(&estimate, comparison.as_ref()))?,
        Output::Text => print_text(&estimate, comparison.as_ref())?,
    }
    Ok(Outcome::Done)
}

impl Cost {
    fn settings(&self, model: &Model) -> Result<Settings> {
        let percent = self.target_utilisation;
        ensure!(percent > 0.0 && percent <= 100.0, "--target-utilisation is not within 1 to 100");
        ensure!(self.backups >= 0.0, "--backups is below zero");
        let mut settings = Settings::new(self.read_prices(model)?);
        settings.target_utilisation = percent / 100.0;
        settings.backups = self.backups;
        Ok(settings)
    }

    fn read_prices(&self, model: &Model) -> Result<Prices> {
        if let Some(path) = &self.prices {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            return read_prices(&text).with_context(|| path.display().to_string());
        }
        let region = self.region.as_deref().or(model.workload.region.as_deref());
        prices_in(region.unwrap_or(DEFAULT_REGION))
    }
}

fn prices_in(region: &str) -> Result<Prices> {
    if let Some(prices) = prices_of(region) {
        return Ok(prices);
    }
    let known: Vec<&str> = known_regions().collect();
    let meant = nearest(region, known.iter().copied());
    let hint = meant.map(|name| format!(", did you mean {name}?")).unwrap_or_default();
    bail!(
        "no prices of {region} are known{hint}; known are {}, others by --prices",
        known.join(", ")
    )
}

fn model_of(path: &Path) -> Result<Model> {
    let (_, document) = ModelFile::open(path)?.into_document()?;
    Ok(document.model)
}

/// Prints the report, as wide as the terminal, with its headings in bold.
fn print_text(estimate: &Estimate, comparison: Option<&EstimateComparison>) -> io::Result<()> {
    let cells = line_fit::output_cells();
    let comparison =
        comparison.map(|comparison| format!("\n{}", render_comparison(comparison, cells)));
    let text = render_text(estimate, cells) + &comparison.unwrap_or_default();
    for (number, line) in text.trim_end().lines().enumerate() {
        let is_heading = !line.is_empty() && !line.starts_with(' ') && number != 1;
        if is_heading {
            output::line(&output::styled(Style::Strong, line))?;
        } else {
            line_fit::print(line)?;
        }
    }
    Ok(())
}

fn document(estimate: &Estimate, comparison: Option<&EstimateComparison>) -> Tree {
    object([
        ("estimate", render_json(estimate)),
        ("comparison", comparison.map_or(Tree::Null, render_comparison_json)),
    ])
}
