//! Names of rules and of thresholds.

use super::Findings;
use crate::diagnostic::Place;
use crate::lint::{THRESHOLDS, rule, rules};

pub(super) fn check(findings: &mut Findings<'_>) {
    let model = findings.model;
    let place = Place::root().member("lint");
    for (name, _) in &model.lint.thresholds {
        threshold_name(findings, name, &place.member("thresholds").member(name));
    }
    for (code, _) in &model.lint.severity {
        rule_code(findings, code, &place.member("severity").member(code));
    }
    for (index, allowance) in model.allow.iter().enumerate() {
        let place = Place::root().member("allow").index(index);
        rule_code(findings, &allowance.rule, &place.member("rule"));
    }
}

fn threshold_name(findings: &mut Findings<'_>, name: &str, place: &Place) {
    let names = || THRESHOLDS.iter().map(|threshold| threshold.name);
    if !names().any(|known| known == name) {
        let message = format!("there is no threshold {name}");
        findings.unknown("unknown-threshold", place, message, name, names());
    }
}

fn rule_code(findings: &mut Findings<'_>, code: &str, place: &Place) {
    if rule(code).is_none() {
        let message = format!("there is no rule {code}");
        findings.unknown("unknown-rule", place, message, code, rules().map(|rule| rule.code));
    }
}
