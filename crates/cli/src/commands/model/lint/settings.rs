//! How to judge: what the model says, and what the command says instead.

use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use monotable_lint::{Judgement, THRESHOLDS};
use monotable_model::diagnostic::nearest;
use monotable_model::document::{Model, Profile};

use super::rule_list;

/// How to judge.
#[derive(Debug, Args)]
pub(super) struct SettingArguments {
    /// The kind of design, instead of what the model says: single-table or multi-table
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    profile: Option<Profile>,

    /// Where a mistake begins, such as filter-hit-rate=0.5; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    threshold: Vec<ThresholdSetting>,

    /// Check only this rule; can be repeated
    #[arg(long, value_name = "RULE")]
    only: Vec<String>,
}

#[derive(Debug, Clone)]
struct ThresholdSetting {
    name: String,
    value: f64,
}

impl FromStr for ThresholdSetting {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<ThresholdSetting> {
        let (name, value) = text.split_once('=').ok_or_else(|| anyhow!("expected NAME=VALUE"))?;
        let value: f64 = value.parse().map_err(|_| anyhow!("{value} is not a number"))?;
        if value < 0.0 || !value.is_finite() {
            bail!("{value} is below zero, or no number");
        }
        if THRESHOLDS.iter().any(|threshold| threshold.name == name) {
            return Ok(ThresholdSetting { name: name.to_owned(), value });
        }
        let names = THRESHOLDS.iter().map(|threshold| threshold.name);
        let known: Vec<&str> = names.clone().collect();
        match nearest(name, names) {
            Some(meant) => bail!("there is no threshold {name}; did you mean {meant}?"),
            None => bail!("there is no threshold {name}; there are {}", known.join(", ")),
        }
    }
}

fn profile(name: &str) -> Result<Profile> {
    let known = Profile::ALL.map(Profile::name);
    Profile::from_name(name).ok_or_else(|| anyhow!("expected {}", known.join(" or ")))
}

impl SettingArguments {
    /// What the model says, but for what was given.
    pub(super) fn judgement(&self, model: &Model) -> Result<Judgement> {
        let mut judgement = Judgement::of(model);
        judgement.profile = self.profile.unwrap_or(judgement.profile);
        for setting in &self.threshold {
            judgement.thresholds.set(&setting.name, setting.value);
        }
        for code in &self.only {
            judgement.only.push(rule_list::named(code)?.code);
        }
        Ok(judgement)
    }
}
