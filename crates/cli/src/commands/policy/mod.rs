//! `monotable policy`: what policies decide, and what is wrong with them.

mod check;
mod file;
mod simulate;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};

use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  May alice query the orders of a tenant, and which statement says so?
      monotable policy simulate --policy tenants.json --user alice \\
          --action Query --resource table/Orders --context dynamodb:LeadingKeys=TENANT#7

  Is the file a policy, and does it name actions and condition keys that there are?
      monotable policy check tenants.json

The guide has the rest: docs/guide/policies.md";

/// Show what policies decide about a request, and what is wrong with them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PolicyCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Simulate(Box<simulate::Simulate>),
    Check(check::Check),
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Text,
    /// For programs: JSON with stable members
    Json,
}

/// Runs what was asked for.
pub(crate) fn run(command: &PolicyCommand) -> Result<Outcome> {
    match &command.action {
        Action::Simulate(simulate) => simulate::run(simulate),
        Action::Check(check) => check::run(check),
    }
}
