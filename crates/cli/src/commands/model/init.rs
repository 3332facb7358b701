//! `monotable model init`: a model to begin with.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use monotable_model::document::{Comments, Format, read, write_with_comments};

use crate::outcome::Outcome;
use crate::output;

/// The model that every design begins as.
const STARTER: &str = include_str!("starter.toml");

const EXAMPLES: &str = "\
Examples:
  A commented model of customers and orders, to be changed into yours:
      monotable model init shop.toml

  The same in YAML:
      monotable model init shop.yaml

Then: monotable model check shop.toml";

/// Begin a model file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Init {
    /// The file to write: .toml, .yaml or .json
    file: PathBuf,
}

/// Writes the starter, unless the file exists.
pub(super) fn run(arguments: &Init) -> Result<Outcome> {
    let path = arguments.file.as_path();
    let text = starter(Format::detect(&path.display().to_string(), ""))?;
    create(path, &text)?;
    let name = path.display();
    output::line(&format!("{name} is a model. See what it says: monotable model check {name}"))?;
    Ok(Outcome::Done)
}

/// The starter in a format.
fn starter(format: Format) -> Result<String> {
    let document =
        read(STARTER, Format::Toml).map_err(|_| anyhow!("the starter is not a model"))?;
    let comments = Comments::of(STARTER, &document.places);
    Ok(write_with_comments(&document.model, format, &comments))
}

fn create(path: &Path, text: &str) -> Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file {
        Ok(mut file) => file.write_all(text.as_bytes()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} exists; give the name of a new file", path.display())
        }
        Err(error) => Err(error),
    }
    .with_context(|| format!("cannot write {}", path.display()))
}
