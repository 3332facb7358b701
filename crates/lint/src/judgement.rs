//! How to judge: the profile, the thresholds, and how bad the mistakes of each rule are.

use std::collections::BTreeMap;

use monotable_model::diagnostic::Severity;
use monotable_model::document::{Level, Model, Profile};

use super::rules::rule;
use super::{Rule, Thresholds};

/// How to judge.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judgement {
    /// How the design is meant.
    pub profile: Profile,
    /// Where mistakes begin.
    pub thresholds: Thresholds,
    /// What becomes of the findings of rules.
    pub levels: Levels,
    /// The only rules that are asked; all, if there are none.
    pub only: Vec<&'static str>,
}

/// The levels that were set, by rule.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Levels {
    set: BTreeMap<&'static str, Level>,
}

impl Judgement {
    /// As the model says. Names that mean nothing were reported when it was read.
    pub fn of(model: &Model) -> Judgement {
        let mut judgement =
            Judgement { profile: model.lint.profile.unwrap_or_default(), ..Judgement::default() };
        for (name, value) in &model.lint.thresholds {
            judgement.thresholds.set(name, *value);
        }
        for (code, level) in &model.lint.severity {
            judgement.levels.set(code, *level);
        }
        judgement
    }

    /// Whether a rule is asked.
    pub fn asks(&self, rule: &Rule) -> bool {
        let is_wanted = self.only.is_empty() || self.only.contains(&rule.code);
        is_wanted && self.levels.get(rule.code) != Some(Level::Off)
    }
}

impl Levels {
    /// Sets the level of a rule. Whether there is one of this code.
    pub fn set(&mut self, code: &str, level: Level) -> bool {
        let found = rule(code);
        if let Some(rule) = found {
            self.set.insert(rule.code, level);
        }
        found.is_some()
    }

    /// The level of a rule, if one was set.
    pub fn get(&self, code: &str) -> Option<Level> {
        self.set.get(code).copied()
    }

    /// How bad a finding of a rule is that is of its own this bad.
    pub(super) fn severity(&self, code: &str, own: Severity) -> Severity {
        match self.get(code) {
            Some(Level::Report(severity)) => severity,
            Some(Level::Off) | None => own,
        }
    }
}
