//! `monotable model`: single-table designs, one file a subcommand.

mod apply;
mod backfill;
mod check;
mod confirmation;
mod cost;
mod diff;
mod explain;
mod file;
mod fmt;
mod init;
mod rendering;
mod run;
mod schema;
mod seed;
mod suggest;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  Begin a model, and see whether it is consistent:
      monotable model init shop.toml
      monotable model check shop.toml

  Whose key is this?
      monotable model explain shop.toml 'ORDER#000017'

  What will it cost in a month, and what would be cheaper?
      monotable model cost shop.toml

  Make its tables on a server with some data, and run an access pattern there:
      monotable model apply shop.toml
      monotable model seed shop.toml
      monotable model run shop.toml \"orders of a customer\" customer=alex

  What does a change of the model mean for the items that are stored? Take them along:
      monotable model diff old.toml shop.toml
      monotable model backfill old.toml shop.toml --table Shop

  Let an editor complete and check models in YAML or JSON:
      monotable model schema > model.schema.json

A model names the tables, the entities with their key templates, and the access patterns of a
single-table design. It is a file in TOML, YAML or JSON. Commands end with 0, with 1 if the
answer is no (findings, nothing found, not formatted), and with 2 if they could not do their
work.";

/// Check, format and understand a single-table design
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ModelCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Init(init::Init),
    Check(check::Check),
    Cost(cost::Cost),
    Apply(Box<apply::Apply>),
    Seed(Box<seed::Seed>),
    Run(Box<run::Run>),
    Suggest(suggest::Suggest),
    Diff(diff::Diff),
    Backfill(Box<backfill::Backfill>),
    Fmt(fmt::Fmt),
    Explain(explain::Explain),
    Schema(schema::Schema),
}

/// Runs what was asked for.
pub(crate) fn run(command: ModelCommand) -> Result<Outcome> {
    match command.action {
        Action::Init(init) => init::run(&init),
        Action::Check(check) => check::run(&check),
        Action::Cost(cost) => cost::run(&cost),
        Action::Apply(apply) => apply::run(&apply),
        Action::Seed(seed) => seed::run(&seed),
        Action::Run(run) => run::run(&run),
        Action::Suggest(suggest) => suggest::run(&suggest),
        Action::Diff(diff) => diff::run(&diff),
        Action::Backfill(backfill) => backfill::run(&backfill),
        Action::Fmt(fmt) => fmt::run(&fmt),
        Action::Explain(explain) => explain::run(&explain),
        Action::Schema(schema) => schema::run(&schema),
    }
}
