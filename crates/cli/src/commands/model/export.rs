//! `monotable model export`: a model in the format of another tool.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use monotable_exchange::TargetFormat;
use monotable_model::document::Tree;

use super::file::ModelFile;
use super::notes;
use super::rendering::{self, Output, OutputArguments, object};
use crate::outcome::Outcome;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  The tables for CloudFormation, Terraform or the CDK:
      monotable model export shop.toml --to cloudformation > template.yaml
      monotable model export shop.toml --to terraform --file tables.tf
      monotable model export shop.toml --to cdk-json --file tables.json

  The tables, entities and sample data for NoSQL Workbench:
      monotable model export shop.toml --to workbench --file shop-workbench.json

  Code: a typed module for the AWS SDK in TypeScript or Python, with a function for each access
  pattern; ElectroDB's entities; types and key functions in Rust:
      monotable model export shop.toml --to typescript --file src/shop.ts
      monotable model export shop.toml --to python --file shop.py
      monotable model export shop.toml --to electrodb --file shop-electrodb.ts
      monotable model export shop.toml --to rust --file src/shop.rs

  A table by the AWS CLI:
      monotable model export shop.toml --to create-table --file table.json
      aws dynamodb create-table --cli-input-json file://table.json

The file goes to standard output, unless --file names one. What the format cannot say is listed on
standard error.";

/// Write a model in the format of another tool
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Export {
    /// The model file
    model: PathBuf,

    /// The format
    #[arg(long, value_enum)]
    to: ExportFormat,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArguments,
}

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// A template in YAML with the tables
    Cloudformation,
    /// The same in JSON
    CloudformationJson,
    /// Resources of the AWS provider, in HCL
    Terraform,
    /// Properties for the CDK's CfnTable and CfnGlobalTable, by construct
    CdkJson,
    /// NoSQL Workbench: tables, facets and sample data
    Workbench,
    /// A schema of OneTable 1.1
    Onetable,
    /// A JSON Schema (2020-12) of the items of each entity
    JsonSchema,
    /// ElectroDB's entities and services, in TypeScript
    Electrodb,
    /// Entities and a function for each access pattern, in Rust for the typed client
    Rust,
    /// A typed module on the AWS SDK's document client, in TypeScript
    Typescript,
    /// A typed module on boto3, in Python
    Python,
    /// The parameters of CreateTable
    CreateTable,
    /// schema.json of AWS's MCP server for DynamoDB
    SchemaJson,
}

impl ExportFormat {
    fn format(self) -> TargetFormat {
        match self {
            ExportFormat::Cloudformation => TargetFormat::CloudFormation,
            ExportFormat::CloudformationJson => TargetFormat::CloudFormationJson,
            ExportFormat::Terraform => TargetFormat::Terraform,
            ExportFormat::CdkJson => TargetFormat::CdkJson,
            ExportFormat::Workbench => TargetFormat::Workbench,
            ExportFormat::Onetable => TargetFormat::OneTable,
            ExportFormat::JsonSchema => TargetFormat::JsonSchema,
            ExportFormat::Electrodb => TargetFormat::ElectroDb,
            ExportFormat::Rust => TargetFormat::Rust,
            ExportFormat::Typescript => TargetFormat::TypeScript,
            ExportFormat::Python => TargetFormat::Python,
            ExportFormat::CreateTable => TargetFormat::CreateTable,
            ExportFormat::SchemaJson => TargetFormat::SchemaJson,
        }
    }
}

/// Writes the file, and lists what it cannot say.
pub(super) fn run(arguments: &Export) -> Result<Outcome> {
    let (source, document) = ModelFile::open(&arguments.model)?.into_document()?;
    let format = arguments.to.format();
    let exported = monotable_exchange::export(&document.model, format);
    if let Some(path) = &arguments.file {
        std::fs::write(path, &exported.text)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    match arguments.output.output {
        Output::Text => {
            if arguments.file.is_none() {
                output::line(exported.text.trim_end())?;
            }
            notes::print(source.name(), &exported.notes)?;
        }
        Output::Json => {
            let file = arguments.file.as_ref().map(|path| path.display().to_string());
            let text = arguments.file.is_none().then_some(exported.text);
            rendering::json(&object([
                ("format", Tree::String(format.name().to_owned())),
                ("file", file.map_or(Tree::Null, Tree::String)),
                ("text", text.map_or(Tree::Null, Tree::String)),
                ("notes", notes::tree(&exported.notes)),
            ]))?;
        }
    }
    Ok(Outcome::Done)
}
