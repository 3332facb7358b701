//! `monotable model apply`: the tables of a model, made or changed on an endpoint.

mod application;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use monotable_calendar::{Date, Instant};
use monotable_database::Clock;
use monotable_migration::deployment::{Change, Sign};
use monotable_model::document::{Model, Table, inline_tree};
use monotable_plan::period_tables;
use serde_json::{Value, json};

pub(super) use self::application::Application;
use super::file::ModelFile;
use super::rendering::{Output, OutputArguments, counted};
use crate::confirmation::{Confirmation, confirm};
use crate::endpoint::EndpointArguments;
use crate::outcome::Outcome;
use crate::output::{self, Style, styled};
use crate::system::SystemClock;

const EXAMPLES: &str = "Examples:
  Make the tables of a model, or change them to what the model says. The plan is shown first:
      monotable model apply shop.toml

  Only the plan. Exits with 1 if there is something to do, so that a build can notice that a table
  has drifted:
      monotable model apply shop.toml --dry-run

  In a script, on another endpoint, and until new indexes are filled:
      monotable model apply shop.toml --yes --wait --endpoint http://127.0.0.1:8001

  Indexes that the model does not have are deleted only if that is said:
      monotable model apply shop.toml --allow-delete

  Of a table for each month, those of half a year; without the dates, those of this month and of the
  next:
      monotable model apply events.toml --from 2026-01-01 --to 2026-06-30

In the plan + is what comes, ~ what changes and - what goes. Keys and local indexes cannot be
changed; the command says what to do instead. Exits with 0 when the tables are as the model says.";

/// Create or change the tables of a model on an endpoint
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Apply {
    /// The model file
    file: PathBuf,

    #[command(flatten)]
    endpoint: EndpointArguments,

    /// Do not ask
    #[arg(long)]
    yes: bool,

    /// Only show the plan
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// Delete indexes that the model does not have, or has with another definition
    #[arg(long)]
    allow_delete: bool,

    /// Return only when new indexes are filled; the tables themselves are always waited for
    #[arg(long)]
    wait: bool,

    /// For tables per period: first period to create, by a date in it [default: today]
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    from: Option<Date>,

    /// For tables per period: last period to create, by a date in it [default: the next period]
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    to: Option<Date>,

    #[command(flatten)]
    output: OutputArguments,
}

fn parse_date(text: &str) -> Result<Date, String> {
    Date::parse(text).ok_or_else(|| format!("{text:?} is not a date like 2026-01-31"))
}

/// Shows the plan and, if that is wanted, does it.
pub(super) fn run(arguments: &Apply) -> Result<Outcome> {
    let (_, document) = ModelFile::open(&arguments.file)?.into_document()?;
    let endpoint = arguments.endpoint.connect_briefly()?;
    let application = Application { endpoint: &endpoint, wait: arguments.wait };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let tables = arguments.tables(&document.model)?;
    let changes = runtime.block_on(application.plan(&tables))?;
    arguments.show_plan(&tables, &changes)?;
    if changes.is_empty() {
        return Ok(Outcome::Done);
    }
    if arguments.dry_run {
        return Ok(Outcome::Negative);
    }
    arguments.check_deletions(&changes)?;
    if !arguments.is_confirmed(&changes)? {
        return Ok(Outcome::Negative);
    }
    runtime.block_on(application.apply(&changes))?;
    arguments.note("the tables are as the model says")?;
    Ok(Outcome::Done)
}

impl Apply {
    /// The tables that there have to be.
    fn tables(&self, model: &Model) -> Result<Vec<Table>> {
        let has_periods = model.tables.iter().any(|table| table.period_name.is_some());
        if !has_periods && (self.from.is_some() || self.to.is_some()) {
            bail!("--from and --to are for tables of which there is one for each period");
        }
        let now_micros = i64::try_from(Clock::now_millis(&SystemClock).saturating_mul(1_000))?;
        let now = Instant::from_micros(now_micros).context("the clock shows no date")?;
        let from = date_value(self.from.unwrap_or(now.date()));
        let to = self.to.map(date_value);
        let mut tables = Vec::new();
        for table in &model.tables {
            let of_table = period_tables(table, &from, to.as_ref());
            tables.extend(of_table.with_context(|| format!("--from and --to of {}", table.name))?);
        }
        Ok(tables)
    }

    fn show_plan(&self, tables: &[Table], changes: &[Change]) -> Result<()> {
        if self.output.output == Output::Json {
            return Ok(output::line(&format!("{:#}", report(changes)))?);
        }
        if changes.is_empty() {
            let tables = counted(tables.len(), "table is", "tables are");
            return Ok(output::line(&format!("nothing to do: {tables} as the model says"))?);
        }
        let width = |text: fn(&Change) -> &str| {
            changes.iter().map(|change| text(change).chars().count()).max().unwrap_or(0)
        };
        let (tables, subjects) = (width(|change| &change.table), width(|change| &change.subject));
        for change in changes {
            let Change { sign, table, subject, detail, .. } = change;
            let sign_character = sign.character();
            let line = format!("{sign_character} {table:<tables$}  {subject:<subjects$}  {detail}");
            output::line(&styled(style(*sign), &line))?;
        }
        Ok(())
    }

    fn check_deletions(&self, changes: &[Change]) -> Result<()> {
        let deletions = changes.iter().filter(|change| change.sign == Sign::Delete);
        let subjects: Vec<&str> = deletions.map(|change| change.subject.as_str()).collect();
        if !self.allow_delete && !subjects.is_empty() {
            bail!("{} would be deleted; say --allow-delete if that is right", subjects.join(", "));
        }
        Ok(())
    }

    fn is_confirmed(&self, changes: &[Change]) -> Result<bool> {
        if self.yes {
            return Ok(true);
        }
        let question = format!("Do {}?", counted(changes.len(), "change", "changes"));
        match confirm(&question)? {
            Confirmation::Yes => Ok(true),
            Confirmation::No => {
                self.note("nothing was changed")?;
                Ok(false)
            }
            Confirmation::NobodyToAsk => {
                bail!("nobody can be asked here: say --yes to do it, or --dry-run to see it only")
            }
        }
    }

    /// Says something to people, beside the data of a program.
    fn note(&self, text: &str) -> Result<()> {
        match self.output.output {
            Output::Text => Ok(output::line(text)?),
            Output::Json => Ok(()),
        }
    }
}

/// The first moment of a day. It has a time, since a period may be shorter than a day.
fn date_value(date: Date) -> monotable_item::Value {
    monotable_item::Value::String(Instant::midnight(date).write() + "Z")
}

fn style(sign: Sign) -> Style {
    match sign {
        Sign::Add => Style::Added,
        Sign::Change => Style::Changed,
        Sign::Delete => Style::Removed,
    }
}

fn report(changes: &[Change]) -> Value {
    let change = |change: &Change| {
        let body: Value = serde_json::from_str(&inline_tree(&change.body)).unwrap_or_default();
        json!({
            "sign": change.sign.character().to_string(), "table": change.table,
            "subject": change.subject, "detail": change.detail,
            "operation": change.operation, "body": body,
        })
    };
    json!({ "changes": changes.iter().map(change).collect::<Vec<_>>() })
}
