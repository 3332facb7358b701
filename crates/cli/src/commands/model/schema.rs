//! `monotable model schema`: the JSON Schema of model files.

use anyhow::Result;
use clap::Args;
use monotable_model::document::SCHEMA;

use crate::outcome::Outcome;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  Keep the schema beside your models:
      monotable model schema > model.schema.json

  Tell an editor about it, in the first line of a model in YAML:
      # yaml-language-server: $schema=model.schema.json

  … or of one in TOML:
      #:schema model.schema.json";

/// Print the JSON Schema of model files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Schema {}

/// Prints the schema.
pub(super) fn run(_arguments: &Schema) -> Result<Outcome> {
    output::line(SCHEMA.trim_end())?;
    Ok(Outcome::Done)
}
