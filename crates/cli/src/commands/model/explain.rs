//! `monotable model explain`: which entity is this key, and what are its parts?

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_model::document::{Explanation, Tree, explain, inline_tree, value_tree};
use monotable_model::template::{Meaning, ReadPart, Reading};

use super::file::ModelFile;
use super::rendering::{self, Output, OutputArguments, object};
use crate::outcome::Outcome;
use crate::output::{self, Style};

const EXAMPLES: &str = "Examples:
  Which entity is this key, and what does it say?
      monotable model explain shop.toml 'ORDER#000017'

  The same for a program, as JSON:
      monotable model explain shop.toml 'ORDER#000017' --output json

All entities that can have the key are listed, in the table and in its indexes. A key of a number
attribute is given in decimal, one of a binary attribute as base64. Exits with 1 if no entity has
such a key.";

/// Show which entity a key belongs to, and what its parts are
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Explain {
    /// The model file
    file: PathBuf,

    /// The value of a partition key or sort key, of the table or of an index
    key: String,

    #[command(flatten)]
    output: OutputArguments,
}

/// Prints every way to understand the key.
pub(super) fn run(arguments: &Explain) -> Result<Outcome> {
    let (_, document) = ModelFile::open(&arguments.file)?.into_document()?;
    let explanations = explain(&document.model, &arguments.key);
    match arguments.output.output {
        Output::Text if explanations.is_empty() => {
            output::line(&format!("no entity has a key like {}", arguments.key))?;
        }
        Output::Text => print_text(&explanations)?,
        Output::Json => {
            let candidates = explanations.iter().map(candidate).collect();
            rendering::json(&object([
                ("key", Tree::String(arguments.key.clone())),
                ("candidates", Tree::List(candidates)),
            ]))?;
        }
    }
    Ok(if explanations.is_empty() { Outcome::Negative } else { Outcome::Done })
}

fn print_text(explanations: &[Explanation<'_>]) -> std::io::Result<()> {
    for explanation in explanations {
        let place = match explanation.index {
            Some(index) => format!("index {index} of table {}", explanation.table),
            None => format!("table {}", explanation.table),
        };
        let side = explanation.side.name();
        let name = output::styled(Style::Strong, &explanation.entity.name);
        output::line(&format!("{name}: {side} key {} of {place}", explanation.attribute))?;
        output::line(&format!("    {}", explanation.template))?;
        for (number, reading) in explanation.readings.iter().enumerate() {
            if explanation.readings.len() > 1 {
                output::line(&format!("    reading {}:", number + 1))?;
            }
            for part in reading.parts() {
                output::line(&format!("    {}", part_line(part)))?;
            }
        }
    }
    Ok(())
}

fn part_line(part: &ReadPart) -> String {
    match &part.meaning {
        Meaning::Attribute { path, value, lossless: true } => {
            format!("{path} = {}", inline_tree(&value_tree(value)))
        }
        Meaning::Attribute { path, value, lossless: false } => {
            format!("{path} = {} (as far as the key tells)", inline_tree(&value_tree(value)))
        }
        Meaning::Hash { path } => format!("{path} by its hash {}", part.text),
        Meaning::Shard(number) => format!("shard {number}"),
    }
}

fn candidate(explanation: &Explanation<'_>) -> Tree {
    let text = |text: &str| Tree::String(text.to_owned());
    object([
        ("entity", text(&explanation.entity.name)),
        ("table", text(explanation.table)),
        ("index", explanation.index.map_or(Tree::Null, text)),
        ("attribute", text(explanation.attribute)),
        ("side", text(explanation.side.name())),
        ("template", Tree::String(explanation.template.to_string())),
        ("readings", Tree::List(explanation.readings.iter().map(reading).collect())),
    ])
}

fn reading(reading: &Reading) -> Tree {
    let part = |part: &ReadPart| match &part.meaning {
        Meaning::Attribute { path, value, lossless } => object([
            ("attribute", Tree::String(path.to_string())),
            ("value", value_tree(value)),
            ("exact", Tree::Bool(*lossless)),
        ]),
        Meaning::Hash { path } => object([
            ("attribute", Tree::String(path.to_string())),
            ("hash", Tree::String(part.text.clone())),
        ]),
        Meaning::Shard(number) => object([("shard", Tree::Number(number.to_string()))]),
    };
    Tree::List(reading.parts().iter().map(part).collect())
}
