//! `monotable model diff`: what changes from one model to another, and what that needs.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use monotable_migration::{diff, render_json, render_text};
use monotable_model::document::Model;

use super::file::ModelFile;
use super::rendering::{self, Output, OutputArguments};
use crate::line_fit;
use crate::outcome::Outcome;
use crate::output::{self, Style};

const EXAMPLES: &str = "\
Examples:
  What did the last commit change, and what must be done about it?
      git show HEAD~:shop.toml > old.toml
      monotable model diff old.toml shop.toml

  Stop a deployment that would need a backfill:
      monotable model diff old.toml new.toml --output json

Every change of a table, index, entity, key, attribute or access pattern is listed with its class:
  additive       nothing is to be done about stored items
  table change   UpdateTable and its like; stored items stay as they are
  decorate       stored items get or lose index keys, in place: monotable model backfill
  rewrite        stored items get another primary key: monotable model backfill
  convert        stored values change in a way that the models do not tell
  new table      the key of a table or a local index: items must be copied to a new table

Exits with 0 if the models are equal or stored items stay as they are, and with 1 if not.";

/// Show what changes from one model to another, and which migration it needs
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Diff {
    /// The old model
    old: PathBuf,

    /// The new model
    new: PathBuf,

    #[command(flatten)]
    output: OutputArguments,
}

/// Prints the changes and the plan.
pub(super) fn run(arguments: &Diff) -> Result<Outcome> {
    let diff = diff(&model_of(&arguments.old)?, &model_of(&arguments.new)?);
    match arguments.output.output {
        Output::Text => render_text(&diff).lines().try_for_each(print)?,
        Output::Json => rendering::json(&render_json(&diff))?,
    }
    Ok(if diff.touches_items() { Outcome::Negative } else { Outcome::Done })
}

/// A line in the colour of its sign.
fn print(line: &str) -> std::io::Result<()> {
    let style = match line.get(..2) {
        Some("+ ") => Style::Added,
        Some("~ ") => Style::Changed,
        Some("- ") => Style::Removed,
        _ => return line_fit::print(line),
    };
    line_fit::print(&output::styled(style, line))
}

fn model_of(path: &Path) -> Result<Model> {
    let (_, document) = ModelFile::open(path)?.into_document()?;
    Ok(document.model)
}
