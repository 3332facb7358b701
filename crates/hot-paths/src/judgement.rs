//! What the language server does after a keystroke, on the largest of the examples.
//!
//! The bound: an editor shows the first diagnostics within 100 ms of a keystroke. That is a time of
//! a clock; what is counted here is the work, reading, planning and linting, in which the bound
//! would be lost. At a billion instructions a second, which no machine of a developer stays below,
//! it is a hundred million instructions for one judgement.

use anyhow::{Context, Result, ensure};
use monotable_lint::{Evidence, Judgement, lint, read};
use monotable_model::document::Format;
use monotable_plan::diagnose;

use crate::repeat;

/// The model that takes the longest to judge.
const MODEL: &str = "github-migrations";

/// A judgement takes thousands of times as long as a request: one is made for so many calls, and
/// the figure is this part of it.
const CALLS_EACH: usize = 20;

/// Reads a model, plans its patterns, and lints it.
pub(crate) fn judge(iterations: u64) -> Result<()> {
    let text = monotable_model_fixture::example(MODEL).text;
    repeat::batches(iterations, |numbers| {
        numbers.step_by(CALLS_EACH).try_for_each(|_| diagnostics(&text))
    })
}

fn diagnostics(text: &str) -> Result<()> {
    let document = read(text, Format::Toml).ok().context("the example is no model")?;
    let mut found = diagnose(&document.model);
    let evidence = Evidence { items: None, requests: &[], recording: None, before: None };
    let report = lint(&document.model, evidence, &Judgement::of(&document.model));
    found.extend(report.findings);
    document.places.locate(&mut found);
    ensure!(found.iter().all(|one| one.span.is_some()), "a finding has no place");
    Ok(())
}
