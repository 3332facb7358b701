//! `monotable model run`: one access pattern, on an endpoint.

mod report;
mod text;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use monotable_item::Item;
use monotable_model::diagnostic::nearest;
use monotable_model::document::{Model, Pattern, read_members};
use monotable_plan::plan;
use monotable_plan::run::{Run as ModelRun, parameters_of, read_arguments};

use super::file::ModelFile;
use super::player::{Paging, Played, Player};
use super::rendering::{Output, OutputArguments};
use crate::endpoint::EndpointArguments;
use crate::outcome::Outcome;
use crate::output;

const EXAMPLES: &str = "Examples:
  Which access patterns are there, and what do they need to know?
      monotable model run shop.toml

  Run one: the requests, the rows, what the filter threw away, and the units beside the estimate:
      monotable model run shop.toml \"orders of a customer\" customer=alex

  Only show the requests; nothing is sent:
      monotable model run shop.toml \"orders of a customer\" customer=alex --dry-run

  Lists and maps are JSON; many values come better from a file:
      monotable model run shop.toml \"save order\" customer=alex 'items=[{\"sku\":\"A1\"}]'
      monotable model run shop.toml \"save order\" --values order.json

  Two rows at a time, and the next two:
      monotable model run shop.toml \"orders of a customer\" customer=alex --limit 2
      monotable model run shop.toml \"orders of a customer\" customer=alex --limit 2 \\
          --start '{\"PK\":…}'

Texts need no quotes. Exits with 0, with 1 if nothing was found or a condition was not met, and
with 2 if the pattern could not be run.";

/// Run one access pattern on an endpoint
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Run {
    /// The model file
    file: PathBuf,

    /// The access pattern; without one, all patterns are listed with their parameters
    pattern: Option<String>,

    /// The parameters of the pattern, as NAME=VALUE
    #[arg(value_name = "NAME=VALUE", value_parser = parse_argument)]
    arguments: Vec<(String, String)>,

    /// A JSON file with an object of further values
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,

    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Read at most this many items per page, instead of the pattern's limit; only the first page
    /// is read
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Read all pages, even if the pattern has a limit
    #[arg(long)]
    all: bool,

    /// Start after this key, as printed with the previous page
    #[arg(long, value_name = "JSON")]
    start: Option<String>,

    /// Only show the requests
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    output: OutputArguments,
}

fn parse_argument(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("{text:?} is not of the form NAME=VALUE"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Runs the pattern, and prints what came of it.
pub(super) fn run(arguments: &Run) -> Result<Outcome> {
    let (_, document) = ModelFile::open(&arguments.file)?.into_document()?;
    let model = document.model;
    let Some(name) = &arguments.pattern else {
        match arguments.output.output {
            Output::Text => text::print_patterns(&model)?,
            Output::Json => output::line(&format!("{:#}", report::patterns(&model)))?,
        }
        return Ok(Outcome::Done);
    };
    let pattern = find_pattern(&model, name)?;
    let values = arguments.read_values(&model, pattern)?;
    let plan = plan(&model, pattern);
    let mut model_run = ModelRun::new(&model, &plan, values);
    if arguments.dry_run {
        return arguments.show_requests(&mut model_run);
    }
    let paging = arguments.paging()?;
    let endpoint = arguments.endpoint.connect_briefly()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let player = Player { service: &endpoint, file: &arguments.file, paging };
    let played = runtime.block_on(player.play(&mut model_run))?;
    arguments.show(&model, pattern, &played)?;
    Ok(played.outcome(pattern))
}

fn find_pattern<'m>(model: &'m Model, name: &str) -> Result<&'m Pattern> {
    if let Some(pattern) = model.pattern(name) {
        return Ok(pattern);
    }
    let names = || model.patterns.iter().map(|pattern| pattern.name.as_str());
    let Some(meant) = nearest(name, names()) else {
        bail!(
            "there is no access pattern {name:?}; there are {}",
            names().collect::<Vec<_>>().join(", ")
        );
    };
    bail!("there is no access pattern {name:?}, did you mean {meant:?}?")
}

impl Run {
    fn read_values(&self, model: &Model, pattern: &Pattern) -> Result<Item> {
        let members = match &self.values {
            Some(path) => {
                let name = path.display();
                let text =
                    std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
                read_members(&text).map_err(|reason| anyhow::anyhow!("{name}: {reason}"))?
            }
            None => Vec::new(),
        };
        let parameters = parameters_of(model, pattern);
        read_arguments(&parameters, &self.arguments, &members).map_err(|errors| {
            let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
            let usage = text::usage(&parameters);
            anyhow::anyhow!("{}\n{:?} takes {usage}", reasons.join("\n       "), pattern.name)
        })
    }

    fn paging(&self) -> Result<Paging> {
        let start = match &self.start {
            Some(text) => Some(serde_json::from_str(text).context("--start is not JSON")?),
            None => None,
        };
        Ok(Paging { limit: self.limit, all: self.all, start })
    }

    /// The requests of the first step, and of those that do not wait for rows.
    fn show_requests(&self, run: &mut ModelRun<'_>) -> Result<Outcome> {
        let mut requests = Vec::new();
        while let Some(step) = run.next(&[])? {
            requests.extend(step.requests);
        }
        let paging = self.paging()?;
        requests.iter_mut().for_each(|request| paging.limit_pages(request));
        match self.output.output {
            Output::Text => text::print_requests(&requests)?,
            Output::Json => output::line(&format!("{:#}", report::requests(&requests)))?,
        }
        Ok(Outcome::Done)
    }

    fn show(&self, model: &Model, pattern: &Pattern, played: &Played) -> Result<()> {
        match self.output.output {
            Output::Text => text::print(model, pattern, played)?,
            Output::Json => output::line(&format!("{:#}", report::report(model, pattern, played)))?,
        }
        Ok(())
    }
}
