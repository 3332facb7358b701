//! `monotable policy check`: is a file a policy, and does it say what is meant?

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_policy::{Policy, PolicyError, PolicyKind};
use serde_json::{Value, json};

use super::{Output, file};
use crate::outcome::Outcome;
use crate::output::{self, Style};

const EXAMPLES: &str = "\
Examples:
  Is the file a policy, and does it name actions and condition keys that there are?
      monotable policy check tenants.json

  Several at once, for a program:
      monotable policy check policies/*.json --output json

A policy with a Principal is taken for that of a table or stream, any other for that of a user.
Exits with 0 if nothing was found, with 1 if something was, and with 2 if a file could not be
read.";

/// Check whether files are valid policies, and what in them is probably a mistake
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Check {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,
}

/// A file with what was found in it.
struct Checked {
    name: String,
    policy: Result<Policy, PolicyError>,
}

impl Checked {
    fn findings(&self) -> Vec<String> {
        match &self.policy {
            Ok(policy) => policy.findings().iter().map(ToString::to_string).collect(),
            Err(_) => Vec::new(),
        }
    }

    fn is_clean(&self) -> bool {
        self.policy.is_ok() && self.findings().is_empty()
    }
}

/// Prints what was found in each file.
pub(super) fn run(arguments: &Check) -> Result<Outcome> {
    let mut checked = Vec::new();
    for path in &arguments.files {
        let name = path.display().to_string();
        let policy = file::of_either_kind(&name, &file::text(path)?);
        checked.push(Checked { name, policy });
    }
    match arguments.output {
        Output::Text => checked.iter().try_for_each(print)?,
        Output::Json => {
            let files: Vec<Value> = checked.iter().map(object).collect();
            output::line(&format!("{:#}", json!({ "files": files })))?;
        }
    }
    let is_clean = checked.iter().all(Checked::is_clean);
    Ok(if is_clean { Outcome::Done } else { Outcome::Negative })
}

fn print(checked: &Checked) -> std::io::Result<()> {
    let name = &checked.name;
    let policy = match &checked.policy {
        Ok(policy) => policy,
        Err(error) => {
            let label = output::styled(Style::Failure, "no policy");
            return output::line(&format!("{name}: {label}: {error}"));
        }
    };
    let owner = match policy.kind() {
        PolicyKind::Identity => "a user",
        PolicyKind::Resource => "a resource",
    };
    let statements = match policy.statement_count() {
        1 => "1 statement".to_owned(),
        count => format!("{count} statements"),
    };
    output::line(&format!("{name}: the policy of {owner}, with {statements}"))?;
    for finding in checked.findings() {
        let label = output::styled(Style::Changed, "warning:");
        output::line(&format!("  {label} {finding}"))?;
    }
    Ok(())
}

fn object(checked: &Checked) -> Value {
    let kind = checked.policy.as_ref().ok().map(|policy| match policy.kind() {
        PolicyKind::Identity => "identity",
        PolicyKind::Resource => "resource",
    });
    json!({
        "file": checked.name,
        "kind": kind,
        "statements": checked.policy.as_ref().ok().map(Policy::statement_count),
        "error": checked.policy.as_ref().err().map(ToString::to_string),
        "warnings": checked.findings(),
    })
}
