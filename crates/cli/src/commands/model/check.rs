//! `monotable model check`: is the model consistent?

use std::io;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_model::diagnostic::render_json;
use monotable_model::document::{Model, Tree};

use super::file::ModelFile;
use super::rendering::{self, Output, OutputArguments, counted, object};
use crate::outcome::Outcome;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  Is every name that is used there? Every mistake is shown at its line:
      monotable model check shop.toml

  The same for a program, as JSON:
      monotable model check shop.toml --output json

Ends with 0 if the model is consistent, and with 1 if it is not.";

/// Say whether a model is consistent, and what is wrong with it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Check {
    /// The model file
    file: PathBuf,

    #[command(flatten)]
    output: OutputArguments,
}

/// Prints what is wrong, or that nothing is.
pub(super) fn run(arguments: &Check) -> Result<Outcome> {
    let file = ModelFile::open(&arguments.file)?;
    match arguments.output.output {
        Output::Text => print_text(&file)?,
        Output::Json => rendering::json(&report(&file))?,
    }
    Ok(if file.document.is_ok() { Outcome::Done } else { Outcome::Negative })
}

fn print_text(file: &ModelFile) -> io::Result<()> {
    let name = file.source.name();
    match &file.document {
        Ok(document) => {
            output::line(&format!("{name}: consistent, with {}", summary(&document.model)))
        }
        Err(diagnostics) => {
            rendering::text(&mut io::stdout(), diagnostics, &file.source)?;
            let mistakes = counted(diagnostics.len(), "mistake", "mistakes");
            output::line(&format!("{name}: {mistakes}"))
        }
    }
}

fn summary(model: &Model) -> String {
    let indexes = model.tables.iter().map(|table| table.indexes.len()).sum();
    let parts = [
        counted(model.tables.len(), "table", "tables"),
        counted(indexes, "index", "indexes"),
        counted(model.entities.len(), "entity", "entities"),
        counted(model.patterns.len(), "access pattern", "access patterns"),
        counted(model.samples.len(), "sample", "samples"),
    ];
    parts.join(", ")
}

fn report(file: &ModelFile) -> Tree {
    let (name, diagnostics) = match &file.document {
        Ok(document) => (Tree::String(document.model.name.clone()), &[] as &[_]),
        Err(diagnostics) => (Tree::Null, diagnostics.as_slice()),
    };
    object([
        ("file", Tree::String(file.source.name().to_owned())),
        ("model", name),
        ("consistent", Tree::Bool(file.document.is_ok())),
        ("diagnostics", render_json(diagnostics, &file.source)),
    ])
}
