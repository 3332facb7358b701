//! `monotable model fmt`: the one way to write a model.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_model::document::{Comments, write_with_comments};

use super::file::ModelFile;
use crate::outcome::Outcome;
use crate::output;
use crate::whole_file;

const EXAMPLES: &str = "\
Examples:
  Write models in stable order; comments stay where they are:
      monotable model fmt shop.toml bank.yaml

  Only say which are not, for a build:
      monotable model fmt --check models/*.toml

Members come in the order of the schema; tables, entities and patterns stay in yours.";

/// Write model files in stable order
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Fmt {
    /// The model files
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Change nothing; exit with 1 if a file would change
    #[arg(long)]
    check: bool,
}

/// Writes each file that is not as it should be, and names it.
pub(super) fn run(arguments: &Fmt) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    for path in &arguments.files {
        let file = ModelFile::open(path)?;
        let format = file.format;
        let (source, document) = file.into_document()?;
        let comments = Comments::of(source.text(), &document.places);
        let written = write_with_comments(&document.model, format, &comments);
        if written == source.text() {
            continue;
        }
        output::line(source.name())?;
        if arguments.check {
            outcome = Outcome::Negative;
        } else {
            whole_file::replace(path, &written)?;
        }
    }
    Ok(outcome)
}
