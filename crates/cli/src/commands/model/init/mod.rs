//! `monotable model init`: a model to begin with, or one of what there is already.

mod foreign_file;
mod live_table;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use monotable_model::document::{Comments, Format, Model, Tree, read, write, write_with_comments};

use super::notes;
use super::rendering::{self, Output, OutputArguments, counted, object};
use crate::endpoint::EndpointArguments;
use crate::outcome::Outcome;
use crate::output;

/// The model that every design begins as.
const STARTER: &str = include_str!("../starter.toml");

/// How a source begins that is a table.
const TABLE_SCHEME: &str = "dynamodb://";

const EXAMPLES: &str = "\
Examples:
  A commented model of customers and orders, to be changed into yours:
      monotable model init shop.toml

  The same in YAML:
      monotable model init shop.yaml

  A model of what another tool has: NoSQL Workbench, OneTable, schema.json of AWS's MCP server,
  CloudFormation in YAML or JSON, the parameters of CreateTable, the answer of DescribeTable:
      monotable model init shop.toml --from workbench.json
      monotable model init shop.toml --from template.yaml

  Entities of ElectroDB, in TypeScript, JavaScript or JSON, with the keys that it builds:
      monotable model init shop.toml --from src/entities.ts

  Tables of Terraform, as they are written or as they are deployed, and of the CDK:
      monotable model init shop.toml --from tables.tf
      terraform show -json > shop.json; monotable model init shop.toml --from shop.json
      monotable model init shop.toml --from cdk.out/ShopStack.template.json

  A model of a live table: its entities and key templates are found from a sample of its items:
      monotable model init shop.toml --from dynamodb://Shop
      monotable model init shop.toml --from dynamodb://Shop --sample 5000 \\
          --endpoint https://dynamodb.eu-west-2.amazonaws.com

What could not be carried over, and what is a guess, is said on standard error.
Then: monotable model check shop.toml";

/// Create a model file: from scratch, from a table or from another tool's file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Init {
    /// The file to write: .toml, .yaml or .json
    file: PathBuf,

    /// What to create the model from: a file, or dynamodb:// and the name of a table
    #[arg(long, value_name = "SOURCE")]
    from: Option<String>,

    /// The format of the file, if it cannot be detected: workbench, onetable, schema-json,
    /// cloudformation, create-table, terraform, electrodb
    #[arg(long, value_name = "FORMAT", requires = "from")]
    from_format: Option<String>,

    /// How many items of a table to look at
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, requires = "from")]
    sample: usize,

    #[command(flatten)]
    endpoint: EndpointArguments,

    #[command(flatten)]
    output: OutputArguments,
}

/// Writes the starter or an import, unless the file exists.
pub(super) fn run(arguments: &Init) -> Result<Outcome> {
    let path = arguments.file.as_path();
    ensure!(!path.exists(), "{} exists; give the name of a new file", path.display());
    let format = Format::detect(&path.display().to_string(), "");
    match &arguments.from {
        None => begin(arguments, path, format),
        Some(source) => import(arguments, source, path, format),
    }
}

fn begin(arguments: &Init, path: &Path, format: Format) -> Result<Outcome> {
    create(path, &starter(format)?)?;
    let name = path.display().to_string();
    match arguments.output.output {
        Output::Text => output::line(&format!(
            "{name} is a model. See what it says: monotable model check {name}"
        ))?,
        Output::Json => rendering::json(&object([("file", Tree::String(name))]))?,
    }
    Ok(Outcome::Done)
}

fn import(arguments: &Init, source: &str, path: &Path, format: Format) -> Result<Outcome> {
    let (model, notes) = match source.strip_prefix(TABLE_SCHEME) {
        Some(table) => live_table::import(table, arguments.sample, &arguments.endpoint)?,
        None => foreign_file::import(source, arguments.from_format.as_deref())?,
    };
    create(path, &write(&model, format))?;
    let name = path.display().to_string();
    match arguments.output.output {
        Output::Text => {
            notes::print(source, &notes)?;
            output::line(&format!("{name} is a model with {}", summary(&model)))?;
            output::line(&format!("See what it says: monotable model check {name}"))?;
        }
        Output::Json => rendering::json(&object([
            ("file", Tree::String(name)),
            ("model", Tree::String(model.name.clone())),
            ("notes", notes::tree(&notes)),
        ]))?,
    }
    Ok(Outcome::Done)
}

fn summary(model: &Model) -> String {
    let parts = [
        counted(model.tables.len(), "table", "tables"),
        counted(model.entities.len(), "entity", "entities"),
        counted(model.samples.len(), "sample", "samples"),
    ];
    parts.join(", ")
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
