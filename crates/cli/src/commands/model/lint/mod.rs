//! `monotable model lint`: design mistakes, each with why, where and what to do instead.

mod evidence;
mod fixing;
mod live_table;
mod printing;
mod rule_list;
mod settings;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use monotable_lint::{Evidence, FindingGroup, Report, grouped, lint};
use monotable_model::diagnostic::{Diagnostic, Severity, SourceFile};
use monotable_model::document::{Document, Model};

pub(super) use self::evidence::{LIVE, exported, live};
use super::file::ModelFile;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  Which mistakes does the design have?
      monotable model lint shop.toml

  Mend what has one right answer, such as the width of a number whose maximum is declared, or a
  misspelt name. Comments and everything else stay as they are:
      monotable model lint shop.toml --fix

  Each finding in full. Three or more that say the same of different things are one otherwise:
      monotable model lint shop.toml --all

  Why is that a mistake, and what to do instead? Which rules are there?
      monotable model lint --explain unpadded-number
      monotable model lint --rules

  With what a table holds, with requests that were recorded, and with the model as it was before:
      monotable model lint shop.toml --data export.json
      monotable model lint shop.toml --data dynamodb://Shop --endpoint http://127.0.0.1:8000
      monotable model lint shop.toml --requests requests.jsonl
      monotable model lint shop.toml --before shop-old.toml

  In a pipeline: fail on warnings too, and show findings beside the code:
      monotable model lint shop.toml --deny warnings
      monotable model lint shop.toml --output sarif > lint.sarif

A finding that is right here is accepted in the model, with the reason:
      [[allow]]
      rule = \"unpadded-number\"
      at = \"entities.Version\"
      reason = \"a document has at most nine versions\"

Profile, thresholds and severities can stand in the model as well:
      [lint]
      profile = \"multi-table\"
      thresholds = { filter-hit-rate = 0.5 }
      severity = { space-in-key = \"off\", unpadded-number = \"error\" }

Exits with 0 if there is no error, and with 1 if there is one, or a warning with --deny warnings.";

/// Find design mistakes, with why, where and what to do instead
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Lint {
    /// The model file
    #[arg(required_unless_present_any = ["rules", "explain"])]
    file: Option<PathBuf>,

    #[command(flatten)]
    settings: settings::SettingArguments,

    #[command(flatten)]
    evidence: evidence::EvidenceArguments,

    /// Exit with 1 for warnings too
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Denied>,

    /// Mend the file where there is one right answer, and show what is left
    #[arg(long, conflicts_with_all = ["rules", "explain"])]
    fix: bool,

    /// Show every finding in full, also where three or more say the same of different things
    #[arg(long)]
    all: bool,

    /// Also list the findings that the model accepts
    #[arg(long)]
    accepted: bool,

    /// List the rules
    #[arg(long, conflicts_with = "explain")]
    rules: bool,

    /// Explain why something is a mistake: the page of a rule
    #[arg(long, value_name = "RULE")]
    explain: Option<String>,

    /// How to print
    #[arg(long, value_enum, default_value_t = LintOutput::Text)]
    output: LintOutput,
}

/// What ends a command with 1 besides errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// Warnings
    Warnings,
}

/// How to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LintOutput {
    /// For people
    Text,
    /// For programs: JSON with stable members
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
}

/// Prints the findings, the rules, or the page of one.
pub(super) fn run(arguments: &Lint) -> Result<Outcome> {
    if let Some(code) = &arguments.explain {
        return rule_list::explain(code);
    }
    if arguments.rules {
        return rule_list::print(arguments.output);
    }
    let path = arguments.file.as_ref().context("a model file is needed")?;
    if arguments.fix {
        fixing::fix(path, |document| judge(arguments, document))?;
    }
    let (source, document) = ModelFile::open(path)?.into_document()?;
    let report = judge(arguments, &document)?;
    print(arguments, &document.model, &report, &source)?;
    Ok(arguments.outcome(&report))
}

fn judge(arguments: &Lint, document: &Document) -> Result<Report> {
    let judgement = arguments.settings.judgement(&document.model)?;
    let known = arguments.evidence.read(&document.model)?;
    let evidence = Evidence {
        items: known.items,
        requests: &known.requests,
        recording: known.recording,
        before: known.before.as_ref(),
    };
    let mut report = lint(&document.model, evidence, &judgement);
    report.locate(&document.places);
    Ok(report)
}

fn print(arguments: &Lint, model: &Model, report: &Report, source: &SourceFile) -> Result<()> {
    let shown = if arguments.accepted { report.clone() } else { without_accepted(report) };
    match arguments.output {
        LintOutput::Text => {
            let groups = arguments.groups(model, &shown.findings);
            printing::text(&groups, &shown, source)?;
            printing::summary(report, source)?;
        }
        LintOutput::Json => printing::json(report, source)?,
        LintOutput::Sarif => printing::sarif(&shown, source)?,
    }
    Ok(())
}

fn without_accepted(report: &Report) -> Report {
    Report { accepted: Vec::new(), ..report.clone() }
}

impl Lint {
    /// What is shown of findings: each, or one for those that say the same.
    fn groups(&self, model: &Model, findings: &[Diagnostic]) -> Vec<FindingGroup> {
        if !self.all {
            return grouped(model, findings);
        }
        let alone = |first: &Diagnostic| FindingGroup { first: first.clone(), others: Vec::new() };
        findings.iter().map(alone).collect()
    }

    fn outcome(&self, report: &Report) -> Outcome {
        let denied = match self.deny {
            Some(Denied::Warnings) => report.count(Severity::Warning),
            None => 0,
        };
        if report.count(Severity::Error) + denied > 0 { Outcome::Negative } else { Outcome::Done }
    }
}
