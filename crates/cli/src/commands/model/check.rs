//! `monotable model check`: is the model consistent, and what serves each of its access patterns?

use std::io;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use monotable_model::diagnostic::{Diagnostic, Severity, render_json};
use monotable_model::document::{Model, Tree};
use monotable_plan::{Plan, diagnose_plans, plan_all};

use super::file::ModelFile;
use super::rendering::{self, Output, OutputArguments, counted, object};
use crate::line_fit;
use crate::outcome::Outcome;
use crate::output::{self, Style, styled};

const EXAMPLES: &str = "\
Examples:
  Is every name that is used there, and which table or index serves each access pattern, with
  which key condition? Every mistake is shown at its line:
      monotable model check shop.toml

  The same for a program, as JSON:
      monotable model check shop.toml --output json

Exits with 0 if the model is consistent and every access pattern is served, and with 1 if not.";

/// Check whether a model is consistent, and show what serves each access pattern
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Check {
    /// The model file
    file: PathBuf,

    #[command(flatten)]
    output: OutputArguments,
}

/// Prints what is wrong, or how each access pattern is served.
pub(super) fn run(arguments: &Check) -> Result<Outcome> {
    let file = ModelFile::open(&arguments.file)?;
    let plans = match &file.document {
        Ok(document) => plan_all(&document.model),
        Err(_) => Vec::new(),
    };
    let findings = findings(&file, &plans);
    match arguments.output.output {
        Output::Text => print_text(&file, &plans, &findings)?,
        Output::Json => rendering::json(&report(&file, &plans, &findings))?,
    }
    Ok(if has_errors(&findings) { Outcome::Negative } else { Outcome::Done })
}

/// What is wrong with the document or, if nothing is, what the planner finds.
fn findings(file: &ModelFile, plans: &[Plan]) -> Vec<Diagnostic> {
    match &file.document {
        Ok(document) => {
            let mut findings = diagnose_plans(plans);
            document.places.locate(&mut findings);
            findings
        }
        Err(diagnostics) => diagnostics.clone(),
    }
}

fn has_errors(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

fn print_text(file: &ModelFile, plans: &[Plan], findings: &[Diagnostic]) -> io::Result<()> {
    let name = file.source.name();
    rendering::text(&mut io::stdout(), findings, &file.source)?;
    let Ok(document) = &file.document else {
        let mistakes = counted(findings.len(), "mistake", "mistakes");
        return output::line(&format!("{name}: {mistakes}"));
    };
    line_fit::print(&format!("{name}: consistent, with {}", summary(&document.model)))?;
    plans.iter().try_for_each(print_plan)
}

fn print_plan(plan: &Plan) -> io::Result<()> {
    let style = if plan.is_served() { Style::Strong } else { Style::Failure };
    output::line(&format!("  {}", styled(style, &plan.pattern)))?;
    plan.lines().iter().try_for_each(|line| line_fit::print(&format!("    {line}")))
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

fn report(file: &ModelFile, plans: &[Plan], findings: &[Diagnostic]) -> Tree {
    let name = match &file.document {
        Ok(document) => Tree::String(document.model.name.clone()),
        Err(_) => Tree::Null,
    };
    object([
        ("file", Tree::String(file.source.name().to_owned())),
        ("model", name),
        ("consistent", Tree::Bool(file.document.is_ok())),
        ("patterns", Tree::List(plans.iter().map(plan_report).collect())),
        ("diagnostics", render_json(findings, &file.source)),
    ])
}

fn plan_report(plan: &Plan) -> Tree {
    object([
        ("pattern", Tree::String(plan.pattern.clone())),
        ("served", Tree::Bool(plan.is_served())),
        ("plan", Tree::List(plan.lines().into_iter().map(Tree::String).collect())),
    ])
}
