//! Running all rules, and setting aside what the model accepts.

use std::collections::BTreeMap;

use monotable_model::diagnostic::{Diagnostic, Severity};
use monotable_model::document::{Allowance, Model, Places};
use monotable_model::recognition::{Recognition, Recognizer};
use monotable_plan::cost::{DEFAULT_REGION, Estimate, Settings, prices_of};
use monotable_plan::plan_all;

use super::evidence::{Evidence, StoredItem, sample_items};
use super::request_origin::RequestOrigins;
use super::rule::{Basis, Check, Rule, Unused};
use super::rules::rules;
use super::{Judgement, Subject};

/// What the linter found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// The mistakes, rule by rule until [`Report::locate`] puts them into the order of the file.
    pub findings: Vec<Diagnostic>,
    /// Those that the model accepts.
    pub accepted: Vec<Accepted>,
    /// Which recorded requests findings are about.
    pub origins: RequestOrigins,
}

/// A finding that the model accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    /// The finding.
    pub finding: Diagnostic,
    /// Why it is right here.
    pub reason: String,
}

impl Report {
    /// Gives every finding its place in the file, and puts them into the order of the file. What is
    /// not in the file, such as a recorded request, comes last.
    pub fn locate(&mut self, places: &Places) {
        places.locate(&mut self.findings);
        self.findings.sort_by_key(start);
        for accepted in &mut self.accepted {
            places.locate(std::slice::from_mut(&mut accepted.finding));
        }
        self.accepted.sort_by_key(|accepted| start(&accepted.finding));
    }

    /// How many findings are this bad.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

fn start(finding: &Diagnostic) -> usize {
    finding.span.map_or(usize::MAX, |span| span.start)
}

/// Runs all rules on a model and on what else is known.
pub fn lint(model: &Model, evidence: Evidence<'_>, judgement: &Judgement) -> Report {
    let mut run =
        Run { model, judgement, used: vec![false; model.allow.len()], report: Report::default() };
    run.report.origins.recording.clone_from(&evidence.recording);
    let subject = subject(model, evidence, judgement);
    for rule in rules().filter(|rule| judgement.asks(rule)) {
        if let Check::Subject(check) = rule.check {
            run.take(check(&subject));
        }
    }
    let found = std::mem::take(&mut run.report.findings);
    run.report.findings = run.report.origins.settle(found, subject.requests);
    let unused = run.unused();
    for rule in rules().filter(|rule| judgement.asks(rule)) {
        if let Check::Allowances(check) = rule.check {
            run.take(check(&unused));
        }
    }
    run.report
}

/// A run of the linter: what it found, and which allowances it met.
struct Run<'a> {
    model: &'a Model,
    judgement: &'a Judgement,
    used: Vec<bool>,
    report: Report,
}

impl<'a> Run<'a> {
    fn take(&mut self, findings: Vec<Diagnostic>) {
        for mut finding in findings {
            finding.severity = self.judgement.levels.severity(finding.code, finding.severity);
            match self.accept(&finding) {
                Some(reason) => self.report.accepted.push(Accepted { finding, reason }),
                None => self.report.findings.push(finding),
            }
        }
    }

    /// The reason why the model accepts a finding, if it does.
    fn accept(&mut self, finding: &Diagnostic) -> Option<String> {
        let is_meant = |allowance: &Allowance| {
            let place = allowance.at.as_ref();
            allowance.rule == finding.code && place.is_none_or(|at| finding.place.is_within(at))
        };
        let mut reason = None;
        for (allowance, used) in self.model.allow.iter().zip(&mut self.used) {
            if is_meant(allowance) {
                *used = true;
                reason.get_or_insert_with(|| allowance.reason.clone());
            }
        }
        reason
    }

    /// The allowances of rules that were asked and had all that they need, and that accepted
    /// nothing.
    fn unused(&self) -> Vec<Unused<'a>> {
        let was_asked = |rule: &&Rule| self.judgement.asks(rule) && rule.basis == Basis::Model;
        let asked: Vec<&str> = rules().filter(was_asked).map(|rule| rule.code).collect();
        let allowances = self.model.allow.iter().zip(&self.used).enumerate();
        allowances
            .filter(|(_, (allowance, used))| !**used && asked.contains(&allowance.rule.as_str()))
            .map(|(index, (allowance, _))| Unused { index, allowance })
            .collect()
    }
}

fn subject<'a>(model: &'a Model, evidence: Evidence<'a>, judgement: &'a Judgement) -> Subject<'a> {
    let has_data = evidence.items.is_some();
    let items = evidence.items.unwrap_or_else(|| sample_items(model));
    Subject {
        model,
        plans: plan_all(model),
        estimate: Estimate::of(model, &Settings::new(prices(model))),
        recognitions: recognitions(model, &items),
        items,
        has_data,
        requests: evidence.requests,
        before: evidence.before,
        profile: judgement.profile,
        thresholds: &judgement.thresholds,
    }
}

fn recognitions<'m>(model: &'m Model, items: &[StoredItem]) -> Vec<Recognition<'m>> {
    let recognizers: BTreeMap<&str, Recognizer<'m>> =
        model.tables.iter().map(|one| (one.name.as_str(), Recognizer::new(model, one))).collect();
    let recognised = items.iter().map(|stored| {
        let recognizer = recognizers.get(stored.table.as_str());
        recognizer.map_or(Recognition::Unknown, |recognizer| recognizer.recognise(&stored.item))
    });
    recognised.collect()
}

/// The prices of the model's region or, if those are not known, of the first.
fn prices(model: &Model) -> monotable_plan::cost::Prices {
    let region = model.workload.region.as_deref().and_then(prices_of);
    region.or_else(|| prices_of(DEFAULT_REGION)).expect("the default region has prices")
}
