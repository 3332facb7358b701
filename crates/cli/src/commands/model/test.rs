//! `monotable model test`: do access patterns bring what the model expects?

mod comparison;
mod in_process;
mod report;
mod text;
mod trial;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use monotable_model::diagnostic::nearest;
use monotable_model::document::{Model, ModelTest};

use self::trial::{TestOutcome, Trial};
use super::file::ModelFile;
use super::rendering::{Output, OutputArguments};
use crate::outcome::Outcome;
use crate::output;

const EXAMPLES: &str = "Examples:
  Run all tests of a model:
      monotable model test shop.toml

  Only those with a word in their names:
      monotable model test shop.toml order

  For a program, as JSON:
      monotable model test shop.toml --output json

A test stands in the model. It runs access patterns one after the other, on the model's samples or
on items of its own, and says what must come of each:

      [[tests.\"the newest order comes first\".steps]]
      pattern = \"orders of a customer\"
      with = { customer = \"alex\" }
      expect = [{ Order = { number = 3 } }, { Order = { number = 2 } }]

      [[tests.\"an order is placed once\".steps]]
      pattern = \"place order\"
      with = { customer = \"alex\", number = 3 }
      expect = \"refused\"

Rows need only have the attributes that are named. Those of queries come in this order, those of
scans and batches in any. Without expect, the pattern has to be carried out. units = { read = 0.5 }
holds a step to what it consumes.

The database is in this process, in memory and new for each test: no server is needed, and nothing
is kept. Exits with 0 if all tests pass, with 1 if one fails, and with 2 if they cannot be run.";

/// Run the tests of a model, without a server
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Test {
    /// The model file
    file: PathBuf,

    /// Only run tests whose names have this in them; all without it
    name: Option<String>,

    #[command(flatten)]
    output: OutputArguments,
}

/// Runs the tests, and prints what came of each.
pub(super) fn run(arguments: &Test) -> Result<Outcome> {
    let (_, document) = ModelFile::open(&arguments.file)?.into_document()?;
    let tests = arguments.choose(&document.model)?;
    let trial = Trial { model: &document.model, file: &arguments.file };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut outcomes: Vec<TestOutcome> = Vec::new();
    for test in tests {
        let outcome = runtime.block_on(trial.run(test))?;
        if arguments.output.output == Output::Text {
            text::print(&outcome)?;
        }
        outcomes.push(outcome);
    }
    match arguments.output.output {
        Output::Text => text::print_summary(&outcomes)?,
        Output::Json => output::line(&format!("{:#}", report::report(&outcomes)))?,
    }
    let have_passed = outcomes.iter().all(TestOutcome::has_passed);
    Ok(if have_passed { Outcome::Done } else { Outcome::Negative })
}

impl Test {
    /// The tests that are meant, of which there is at least one.
    fn choose<'m>(&self, model: &'m Model) -> Result<Vec<&'m ModelTest>> {
        let file = self.file.display();
        if model.tests.is_empty() {
            bail!("{file} has no tests; --help shows what one looks like");
        }
        let Some(wanted) = &self.name else { return Ok(model.tests.iter().collect()) };
        let is_meant = |test: &&ModelTest| test.name.contains(wanted.as_str());
        let tests: Vec<&ModelTest> = model.tests.iter().filter(is_meant).collect();
        if tests.is_empty() {
            let names = || model.tests.iter().map(|test| test.name.as_str());
            match nearest(wanted, names()) {
                Some(meant) => bail!("{file} has no test {wanted:?}, did you mean {meant:?}?"),
                None => bail!(
                    "{file} has no test with {wanted:?} in its name; there are {}",
                    names().collect::<Vec<_>>().join(", ")
                ),
            }
        }
        Ok(tests)
    }
}
