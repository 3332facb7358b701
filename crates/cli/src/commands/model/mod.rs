//! `monotable model`: single-table designs, one file a subcommand.

mod apply;
mod backfill;
mod chart;
mod check;
mod cost;
mod diff;
mod explain;
mod export;
mod file;
mod fmt;
mod init;
mod lint;
mod lsp;
mod notes;
mod observe;
mod player;
mod rendering;
mod run;
mod schema;
mod seed;
mod suggest;
mod test;
mod watch;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  Begin a model, and see whether it is consistent:
      monotable model init shop.toml
      monotable model check shop.toml

  A model of a table that exists, or of another tool's file:
      monotable model init shop.toml --from dynamodb://Shop
      monotable model init shop.toml --from workbench.json

  The tables of a model for CloudFormation, Terraform, NoSQL Workbench and others:
      monotable model export shop.toml --to cloudformation

  Which mistakes does the design have, why are they mistakes, and what to do instead?
      monotable model lint shop.toml
      monotable model lint --explain unpadded-number

  Whose key is this?
      monotable model explain shop.toml 'ORDER#000017'

  What will it cost in a month, and what would be cheaper?
      monotable model cost shop.toml

  What does it look like? In the terminal, and as a page to keep beside the code:
      monotable model chart shop.toml
      monotable model chart shop.toml --file shop.html

  … or in a browser while you edit:
      monotable model watch shop.toml

  Make its tables on a server with some data, and run an access pattern there:
      monotable model apply shop.toml
      monotable model seed shop.toml
      monotable model run shop.toml \"orders of a customer\" customer=alex

  Does each access pattern bring what the model's tests expect? No server is needed:
      monotable model test shop.toml

  What does a server see of it, and which estimates are wrong?
      monotable serve --model shop.toml
      monotable model observe shop.toml

  What does a change of the model mean for the items that are stored? Take them along:
      monotable model diff old.toml shop.toml
      monotable model backfill old.toml shop.toml --table Shop

  Let an editor complete and check models, by their schema or as a language server:
      monotable model schema > model.schema.json
      monotable model lsp

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
    Chart(Box<chart::ChartCommand>),
    Lint(Box<lint::Lint>),
    Cost(cost::Cost),
    Apply(Box<apply::Apply>),
    Seed(Box<seed::Seed>),
    Run(Box<run::Run>),
    Test(test::Test),
    Observe(Box<observe::Observe>),
    Suggest(suggest::Suggest),
    Diff(diff::Diff),
    Backfill(Box<backfill::Backfill>),
    Fmt(fmt::Fmt),
    Explain(explain::Explain),
    Export(export::Export),
    Schema(schema::Schema),
    Lsp(lsp::Lsp),
    Watch(watch::Watch),
}

/// Runs what was asked for.
pub(crate) fn run(command: ModelCommand) -> Result<Outcome> {
    match command.action {
        Action::Init(init) => init::run(&init),
        Action::Check(check) => check::run(&check),
        Action::Chart(chart) => chart::run(&chart),
        Action::Lint(lint) => lint::run(&lint),
        Action::Cost(cost) => cost::run(&cost),
        Action::Apply(apply) => apply::run(&apply),
        Action::Seed(seed) => seed::run(&seed),
        Action::Run(run) => run::run(&run),
        Action::Test(test) => test::run(&test),
        Action::Observe(observe) => observe::run(&observe),
        Action::Suggest(suggest) => suggest::run(&suggest),
        Action::Diff(diff) => diff::run(&diff),
        Action::Backfill(backfill) => backfill::run(&backfill),
        Action::Fmt(fmt) => fmt::run(&fmt),
        Action::Explain(explain) => explain::run(&explain),
        Action::Export(export) => export::run(&export),
        Action::Schema(schema) => schema::run(&schema),
        Action::Lsp(lsp) => lsp::run(&lsp),
        Action::Watch(watch) => watch::run(watch),
    }
}
