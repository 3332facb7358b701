//! `monotable model backfill`: the items of a table that is in use, taken from one model to
//! another.

mod report;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use monotable_migrate::{
    BackfillReport, DriftReport, Error, Job, Mode, Prepared, Progress, Settings, Stop, backfill,
    forget, verify,
};
use monotable_model::document::Model;

use self::report::Report;
use self::watch::watched;
use super::file::ModelFile;
use super::rendering::OutputArguments;
use crate::confirmation::{Confirmation, confirm};
use crate::endpoint::{EndpointArguments, explain_call};
use crate::outcome::Outcome;
use crate::signals::{self, Signals};

const EXAMPLES: &str = "Examples:
  What would be done? Nothing is written:
      monotable model backfill old.toml new.toml --table Shop --dry-run

  Do it, with no more than 200 write units in a second:
      monotable model backfill old.toml new.toml --table Shop --rate 200

  Is every key what the attributes say?
      monotable model backfill old.toml new.toml --table Shop --verify-only

The application goes on working. Every item is changed on condition that it still is what was
read, and only in the attributes that change; an item that somebody else has changed in between is
read again. How far it has come is kept in the table itself, under keys that begin with
monotable:backfill, or in --checkpoint-table: start the command again after a crash or Ctrl-C, and
it goes on. First deploy writers that write the new form, and add the indexes that are new
(`monotable model diff` has the whole order).

Exits with 0 if every item has its new form, with 1 if some have not (drift, or items that could
not be decided) or if it was stopped, and with 2 if it could not do its work.";

/// Migrate the items of a table from one model to another while the application keeps running
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Backfill {
    /// The old model
    old: PathBuf,

    /// The new model
    new: PathBuf,

    /// The table, as the endpoint calls it
    #[arg(long, value_name = "NAME")]
    table: String,

    /// Number of segments to scan in parallel
    #[arg(long, value_name = "NUMBER", default_value_t = 8,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    segments: u32,

    /// Most write units to consume per second, indexes included
    #[arg(long, value_name = "UNITS", default_value_t = 500.0)]
    rate: f64,

    /// Items to read per page, which is also the distance between a segment's checkpoints
    #[arg(long, value_name = "ITEMS", default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(1..))]
    page: u32,

    /// A table for the checkpoints, instead of the migrated one; created if it does not exist
    #[arg(long, value_name = "NAME")]
    checkpoint_table: Option<String>,

    /// Ignore the checkpoints of an earlier run
    #[arg(long)]
    restart: bool,

    /// Count what would be changed, and write nothing
    #[arg(long, conflicts_with_all = ["verify_only", "restart"])]
    dry_run: bool,

    /// Only rebuild every key and compare it
    #[arg(long)]
    verify_only: bool,

    /// Number of drifted or undecided items to show; JSON has them all
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    show: usize,

    /// Do not ask before items are changed
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    endpoint: EndpointArguments,

    #[command(flatten)]
    output: OutputArguments,
}

/// Runs the migration and the verification, and prints what came of it.
pub(super) fn run(arguments: &Backfill) -> Result<Outcome> {
    ensure!(arguments.rate > 0.0, "--rate must be above zero");
    let (old, new) = (model_of(&arguments.old)?, model_of(&arguments.new)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(arguments.work(Arc::new(old), Arc::new(new)))
}

impl Backfill {
    async fn work(&self, old: Arc<Model>, new: Arc<Model>) -> Result<Outcome> {
        let brief = Arc::new(self.endpoint.connect_briefly()?);
        let mut job = Job { endpoint: brief, old, new, table: self.table.clone() };
        let prepared = job.prepare().await.map_err(|error| self.explain(error))?;
        if !self.verify_only && !prepared.entities.is_empty() && !self.is_wanted(&prepared)? {
            return Ok(Outcome::Negative);
        }
        // Somebody waits for the first answer; the rest is done whenever the endpoint is there.
        job.endpoint = self.endpoint.connect()?;
        let stop = Stop::new();
        let told = stop.clone();
        let signals = Signals::listen()?;
        let listener = tokio::spawn(async move {
            signals::first_of(signals).await;
            told.ask();
        });
        let outcome = self.carry_out(&job, &prepared, &stop).await;
        listener.abort();
        outcome.map_err(|error| self.explain(error))?.print(self.output.output, self.show)
    }

    async fn carry_out(
        &self,
        job: &Job,
        prepared: &Prepared,
        stop: &Stop,
    ) -> Result<Report, Error> {
        let settings = self.settings();
        let progress = Arc::new(Progress::new());
        let mut report = Report::new(&self.table, settings.mode);
        if !self.verify_only && !prepared.entities.is_empty() {
            let work = backfill(job, prepared, &settings, &progress, stop);
            let done: BackfillReport = watched(job, prepared, &progress, work).await?;
            let is_over = !done.finished || settings.mode == Mode::DryRun;
            report.backfill = Some(done);
            if is_over {
                return Ok(report);
            }
        }
        let work = verify(job, &settings, &progress, stop);
        let found: DriftReport = watched(job, prepared, &progress, work).await?;
        if report.backfill.is_some() && found.finished {
            forget(job, prepared, &settings).await?;
        }
        report.verification = Some(found);
        Ok(report)
    }

    fn settings(&self) -> Settings {
        Settings {
            segments: self.segments,
            write_units_per_second: self.rate,
            page_items: self.page,
            checkpoint_table: self.checkpoint_table.clone(),
            restart: self.restart,
            mode: if self.dry_run { Mode::DryRun } else { Mode::Write },
            ..Settings::default()
        }
    }

    /// Shows what will be done, and asks whether it is to be.
    fn is_wanted(&self, prepared: &Prepared) -> Result<bool> {
        report::announce(&self.table, prepared);
        if self.yes || self.dry_run {
            return Ok(true);
        }
        match confirm(&format!("Change the items of {}?", self.table))? {
            Confirmation::Yes => Ok(true),
            Confirmation::No => Ok(false),
            Confirmation::NobodyToAsk => bail!("nobody is there to ask: say --yes, or --dry-run"),
        }
    }

    fn explain(&self, error: Error) -> anyhow::Error {
        match error {
            Error::Remote(error) if error.is_refusal("ResourceNotFoundException") => {
                anyhow!("there is no table {}; name it with --table", self.table)
            }
            Error::Remote(error) => explain_call(error),
            other => other.into(),
        }
    }
}

fn model_of(path: &Path) -> Result<Model> {
    let (_, document) = ModelFile::open(path)?.into_document()?;
    Ok(document.model)
}
