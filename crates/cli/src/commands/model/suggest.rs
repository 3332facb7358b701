//! `monotable model suggest`: the fewest index keys that would serve what nothing serves.

use std::io;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use monotable_model::document::Tree;
use monotable_plan::{IndexToName, SuggestedIndex, Suggestion, suggest};

use super::file::ModelFile;
use super::rendering::{self, object};
use crate::line_fit;
use crate::outcome::Outcome;
use crate::output::{self, Style, styled};

const EXAMPLES: &str = "Examples:
  Which index keys would serve the queries that nothing serves?
      monotable model suggest shop.toml

  Only the lines to paste into the model, and the same for a program:
      monotable model suggest shop.toml --output toml
      monotable model suggest shop.toml --output json

Existing indexes are used as far as their entities leave room in them, so that one index serves
many patterns. Exits with 0 if nothing is needed, and with 1 if something is.";

/// Suggest index keys for access patterns that nothing serves
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Suggest {
    /// The model file
    file: PathBuf,

    /// How to print
    #[arg(long, value_enum, default_value_t = Output::Text)]
    output: Output,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Text,
    /// For programs: JSON with stable members
    Json,
    /// Lines for the model file
    Toml,
}

/// Prints what is suggested.
pub(super) fn run(arguments: &Suggest) -> Result<Outcome> {
    let (_, document) = ModelFile::open(&arguments.file)?.into_document()?;
    let suggestion = suggest(&document.model);
    match arguments.output {
        Output::Text => print_text(&suggestion)?,
        Output::Json => rendering::json(&report(&suggestion))?,
        Output::Toml => output::line(toml(&suggestion).trim_end())?,
    }
    Ok(if is_needed(&suggestion) { Outcome::Negative } else { Outcome::Done })
}

fn is_needed(suggestion: &Suggestion) -> bool {
    let Suggestion { indexes, to_name, unsolved, .. } = suggestion;
    !(indexes.is_empty() && to_name.is_empty() && unsolved.is_empty())
}

fn print_text(suggestion: &Suggestion) -> io::Result<()> {
    if !is_needed(suggestion) {
        return output::line("nothing is needed: every query is served");
    }
    for index in &suggestion.indexes {
        print_index(index)?;
    }
    for pattern in &suggestion.serves {
        line_fit::print(&format!("serves {}", strong(pattern)))?;
    }
    for IndexToName { pattern, index, when } in &suggestion.to_name {
        line_fit::print(&format!(
            "name the index in {}, index = {index:?}, if it wants only items with {when}",
            strong(pattern)
        ))?;
    }
    for pattern in &suggestion.unsolved {
        let failure = styled(Style::Failure, "no index key serves");
        line_fit::print(&format!(
            "{failure} {}: monotable model check says what is in the way",
            strong(pattern)
        ))?;
    }
    if suggestion.indexes.is_empty() {
        return Ok(());
    }
    line_fit::print(if suggestion.is_minimal {
        "fewer indexes do not do"
    } else {
        "fewer indexes may do; there are too many patterns to try all ways"
    })?;
    output::line(&format!("\n{}", toml(suggestion).trim_end()))
}

/// The name of a pattern, between quotes.
fn strong(pattern: &str) -> String {
    styled(Style::Strong, &format!("{pattern:?}"))
}

fn print_index(index: &SuggestedIndex) -> io::Result<()> {
    let SuggestedIndex { table, name, partition_key, sort_key, .. } = index;
    let line = if index.is_new {
        let added = styled(Style::Added, &format!("add the index {name}"));
        format!("{added} to {table}, with the key {partition_key} and {sort_key}")
    } else {
        let changed = styled(Style::Changed, &format!("use the index {name}"));
        format!("{changed} of {table} for more entities")
    };
    line_fit::print(&line)?;
    for keys in &index.keys {
        line_fit::print(&format!("  {}: {} and {}", keys.entity, keys.partition, keys.sort))?;
    }
    Ok(())
}

/// The members to add, as TOML that stands on its own.
fn toml(suggestion: &Suggestion) -> String {
    let mut text = String::new();
    for index in suggestion.indexes.iter().filter(|index| index.is_new) {
        let SuggestedIndex { table, name, partition_key, sort_key, .. } = index;
        text += &format!("[tables.{}.global_indexes.{}]\n", key(table), key(name));
        text += &format!("partition_key = {partition_key:?}\nsort_key = {sort_key:?}\n\n");
    }
    for index in &suggestion.indexes {
        for keys in &index.keys {
            let (partition, sort) = (keys.partition.to_string(), keys.sort.to_string());
            text += &format!("[entities.{}.indexes.{}]\n", key(&keys.entity), key(&index.name));
            text += &format!("partition = {partition:?}\nsort = {sort:?}\n\n");
        }
    }
    text
}

/// A name as TOML has it in a header.
fn key(name: &str) -> String {
    let is_bare = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}

fn report(suggestion: &Suggestion) -> Tree {
    let texts = |all: &[String]| Tree::List(all.iter().cloned().map(Tree::String).collect());
    object([
        ("indexes", Tree::List(suggestion.indexes.iter().map(index_report).collect())),
        ("serves", texts(&suggestion.serves)),
        ("to_name", Tree::List(suggestion.to_name.iter().map(name_report).collect())),
        ("unsolved", texts(&suggestion.unsolved)),
        ("minimal", Tree::Bool(suggestion.is_minimal)),
    ])
}

fn name_report(to_name: &IndexToName) -> Tree {
    let text = |text: &str| Tree::String(text.to_owned());
    let IndexToName { pattern, index, when } = to_name;
    object([("pattern", text(pattern)), ("index", text(index)), ("when", text(when))])
}

fn index_report(index: &SuggestedIndex) -> Tree {
    let text = |text: &str| Tree::String(text.to_owned());
    let keys = index.keys.iter().map(|keys| {
        object([
            ("entity", text(&keys.entity)),
            ("partition", text(&keys.partition.to_string())),
            ("sort", text(&keys.sort.to_string())),
        ])
    });
    object([
        ("table", text(&index.table)),
        ("name", text(&index.name)),
        ("new", Tree::Bool(index.is_new)),
        ("partition_key", text(&index.partition_key)),
        ("sort_key", text(&index.sort_key)),
        ("keys", Tree::List(keys.collect())),
    ])
}
