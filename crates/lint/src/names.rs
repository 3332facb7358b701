//! The names of rules and of thresholds that a model uses: does each of them exist?
//!
//! The model document does not know the rules. A file is read through [`read`], which checks these
//! names as the reader of the document checks all others. What arguments the access patterns of
//! tests take is checked there as well: that is known to the planner alone.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Document, Format, Model, read_with};
use monotable_plan::run::check_tests;

use super::{THRESHOLDS, rule, rules};

/// Reads a document as [`monotable_model::document::read`] does, names of rules and of thresholds
/// and the arguments of tests included.
pub fn read(text: &str, format: Format) -> Result<Document, Vec<Diagnostic>> {
    read_with(text, format, check)
}

/// Reads as much of a document as can be, as [`monotable_model::document::read_partly`] does, and
/// checks what [`read`] checks.
pub fn read_partly(text: &str, format: Format) -> (Option<Document>, Vec<Diagnostic>) {
    monotable_model::document::read_partly(text, format, check)
}

fn check(model: &Model) -> Vec<Diagnostic> {
    let mut diagnostics = check_names(model);
    diagnostics.extend(check_tests(model));
    diagnostics
}

/// Reports the names of rules and of thresholds in a model that refer to nothing.
pub fn check_names(model: &Model) -> Vec<Diagnostic> {
    let lint = Place::root().member("lint");
    let (thresholds, severities) = (lint.member("thresholds"), lint.member("severity"));
    let of_thresholds = model.lint.thresholds.iter();
    let of_thresholds =
        of_thresholds.filter_map(|(name, _)| threshold_name(name, thresholds.member(name)));
    let of_severities = model.lint.severity.iter();
    let of_severities =
        of_severities.filter_map(|(code, _)| rule_code(code, severities.member(code)));
    let of_allowances = model.allow.iter().enumerate().filter_map(|(index, allowance)| {
        let place = Place::root().member("allow").index(index).member("rule");
        rule_code(&allowance.rule, place)
    });
    of_thresholds.chain(of_severities).chain(of_allowances).collect()
}

fn threshold_name(name: &str, place: Place) -> Option<Diagnostic> {
    let names = || THRESHOLDS.iter().map(|threshold| threshold.name);
    if names().any(|known| known == name) {
        return None;
    }
    let message = format!("there is no threshold {name}");
    Some(Diagnostic::error("unknown-threshold", place, message).with_nearest(name, names()))
}

fn rule_code(code: &str, place: Place) -> Option<Diagnostic> {
    if rule(code).is_some() {
        return None;
    }
    let message = format!("there is no rule {code}");
    let codes = rules().map(|rule| rule.code);
    Some(Diagnostic::error("unknown-rule", place, message).with_nearest(code, codes))
}
