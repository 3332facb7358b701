//! Runs a test: tables and items, then step after step until one fails.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use monotable_model::document::{
    Expectation, ExpectedRow, ExpectedUnits, Model, ModelTest, Pattern, TestStep,
};
use monotable_plan::cost::Load;
use monotable_plan::plan;
use monotable_plan::run::{Run, parameters_of, read_arguments};
use monotable_remote::encode_item;
use monotable_seed::items_of_samples;
use serde_json::json;

use super::comparison::{DifferenceLine, FoundRow, RowOrder, compare};
use super::in_process::InProcess;
use crate::commands::model::player::{Paging, Played, Player, Refusal, Service};

/// Units are compared to a thousandth: they are sums of halves and whole numbers.
const UNITS_DIFFERENCE_MAX: f64 = 0.001;

/// What came of a test.
pub(super) struct TestOutcome {
    pub(super) name: String,
    /// The steps that were run. The last one is the only one that can have failed.
    pub(super) steps: Vec<StepOutcome>,
}

/// What came of a step.
pub(super) struct StepOutcome {
    pub(super) pattern: String,
    pub(super) consumed: Load,
    pub(super) failures: Vec<Failure>,
}

/// What was not as expected.
#[derive(Debug)]
pub(super) enum Failure {
    /// The pattern could not be run.
    NotRun { reason: String },
    /// It was to be refused.
    NotRefused,
    /// A condition was not met, and that was not expected.
    Refused(Refusal),
    /// Other rows came.
    Rows { lines: Vec<DifferenceLine> },
    /// It consumed something else.
    Units { kind: &'static str, expected: f64, found: f64 },
}

/// Runs tests of a model.
pub(super) struct Trial<'a> {
    pub(super) model: &'a Model,
    /// The model file, for messages.
    pub(super) file: &'a Path,
}

impl TestOutcome {
    pub(super) fn has_passed(&self) -> bool {
        self.steps.iter().all(|step| step.failures.is_empty())
    }
}

impl Trial<'_> {
    /// Runs a test on a database of its own.
    pub(super) async fn run(&self, test: &ModelTest) -> Result<TestOutcome> {
        let database = InProcess::open(&self.model.tables).await?;
        let name = &test.name;
        self.write_samples(&database, test).await.with_context(|| format!("test {name:?}"))?;
        let mut steps = Vec::new();
        for step in &test.steps {
            let outcome = self.run_step(&database, step).await;
            let has_failed = !outcome.failures.is_empty();
            steps.push(outcome);
            if has_failed {
                break;
            }
        }
        database.close().await?;
        Ok(TestOutcome { name: name.clone(), steps })
    }

    async fn write_samples(&self, database: &InProcess, test: &ModelTest) -> Result<()> {
        let samples = test.samples.as_ref().unwrap_or(&self.model.samples);
        for item in items_of_samples(self.model, samples)? {
            let body = json!({ "TableName": item.table, "Item": encode_item(&item.item) });
            let written = database.call("PutItem", &body).await;
            written.with_context(|| format!("a sample of {} is refused", item.entity))?;
        }
        Ok(())
    }

    async fn run_step(&self, database: &InProcess, step: &TestStep) -> StepOutcome {
        let mut outcome = StepOutcome {
            pattern: step.pattern.clone(),
            consumed: Load::default(),
            failures: Vec::new(),
        };
        match self.play(database, step).await {
            Ok((pattern, played)) => {
                outcome.consumed = played.consumed();
                outcome.failures.extend(self.judge(step, pattern, played));
                let units = step.units.unwrap_or_default();
                outcome.failures.extend(judge_units(units, outcome.consumed));
            }
            Err(error) => outcome.failures.push(Failure::NotRun { reason: format!("{error:#}") }),
        }
        outcome
    }

    async fn play(&self, database: &InProcess, step: &TestStep) -> Result<(&Pattern, Played)> {
        let name = &step.pattern;
        let pattern = self.model.pattern(name);
        let pattern = pattern.with_context(|| format!("there is no access pattern {name:?}"))?;
        let parameters = parameters_of(self.model, pattern);
        let values = read_arguments(&parameters, &[], &step.arguments).map_err(|errors| {
            let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
            anyhow!("{}", reasons.join("; "))
        })?;
        let plan = plan(self.model, pattern);
        let mut run = Run::new(self.model, &plan, values);
        let player = Player { service: database, file: self.file, paging: Paging::default() };
        let played = player.play(&mut run).await?;
        if played.requests.is_empty() {
            anyhow::bail!("it makes no requests of items, so there is nothing to test");
        }
        Ok((pattern, played))
    }

    fn judge(&self, step: &TestStep, pattern: &Pattern, mut played: Played) -> Option<Failure> {
        let refusal = played.take_refusal();
        match (&step.expected, refusal) {
            (Expectation::Refused, Some(_)) | (Expectation::Done, None) => None,
            (Expectation::Refused, None) => Some(Failure::NotRefused),
            (Expectation::Done | Expectation::Rows(_), Some(refusal)) => {
                Some(Failure::Refused(refusal))
            }
            (Expectation::Rows(expected), None) => self.judge_rows(expected, pattern, &played),
        }
    }

    fn judge_rows(
        &self,
        expected: &[ExpectedRow],
        pattern: &Pattern,
        played: &Played,
    ) -> Option<Failure> {
        let found: Vec<FoundRow> =
            played.rows.iter().map(|row| FoundRow::new(self.model, pattern, row)).collect();
        let order = if played.is_unordered { RowOrder::Any } else { RowOrder::AsExpected };
        compare(expected, &found, order).map(|lines| Failure::Rows { lines })
    }
}

/// The units that are not as expected.
fn judge_units(expected: ExpectedUnits, found: Load) -> Vec<Failure> {
    let sides = [("read", expected.read, found.read), ("write", expected.write, found.write)];
    let failure = |(kind, expected, found): (&'static str, Option<f64>, f64)| {
        let expected = expected.filter(|units| (units - found).abs() > UNITS_DIFFERENCE_MAX)?;
        Some(Failure::Units { kind, expected, found })
    };
    sides.into_iter().filter_map(failure).collect()
}
