//! Running all rules, and setting aside what the model accepts.

use super::evidence::{Evidence, sample_items};
use super::rules::rules;
use super::{Profile, Subject, Thresholds};
use crate::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};
use crate::diagnostic::Diagnostic;
use crate::document::{Allowance, Model};
use crate::plan::plan_all;

/// How to judge.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judgement {
    /// How the design is meant.
    pub profile: Profile,
    /// Where mistakes begin.
    pub thresholds: Thresholds,
}

/// What the linter found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// The mistakes, rule by rule.
    pub findings: Vec<Diagnostic>,
    /// Those that the model accepts.
    pub accepted: Vec<Accepted>,
}

/// A finding that the model accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    /// The finding.
    pub finding: Diagnostic,
    /// Why it is right here.
    pub reason: String,
}

/// Runs all rules on a model and on what else is known.
pub fn lint(model: &Model, evidence: Evidence<'_>, judgement: &Judgement) -> Report {
    let subject = subject(model, evidence, judgement);
    let mut report = Report::default();
    for finding in rules().flat_map(|rule| (rule.check)(&subject)) {
        match allowance(model, &finding) {
            Some(allowance) => {
                report.accepted.push(Accepted { finding, reason: allowance.reason.clone() });
            }
            None => report.findings.push(finding),
        }
    }
    report
}

fn subject<'a>(model: &'a Model, evidence: Evidence<'a>, judgement: &'a Judgement) -> Subject<'a> {
    let has_data = evidence.items.is_some();
    Subject {
        model,
        plans: plan_all(model),
        estimate: Estimate::of(model, &Settings::new(prices(model))),
        items: evidence.items.unwrap_or_else(|| sample_items(model)),
        has_data,
        requests: evidence.requests,
        before: evidence.before,
        profile: judgement.profile,
        thresholds: &judgement.thresholds,
    }
}

/// The prices of the model's region or, if those are not known, of the first.
fn prices(model: &Model) -> crate::cost::Prices {
    let region = model.workload.region.as_deref().and_then(prices_of);
    region.or_else(|| prices_of(DEFAULT_REGION)).expect("the default region has prices")
}

/// What the model says to accept the finding, if it does.
fn allowance<'m>(model: &'m Model, finding: &Diagnostic) -> Option<&'m Allowance> {
    let is_meant = |allowance: &&Allowance| {
        let place = allowance.at.as_ref();
        allowance.rule == finding.code && place.is_none_or(|at| finding.place.is_within(at))
    };
    model.allow.iter().find(is_meant)
}
