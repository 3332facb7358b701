//! How the linter is to judge a model.

use crate::lint::{Level, Profile};

/// What a model says about its own linting. A command can say otherwise.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LintSettings {
    /// How the design is meant.
    pub profile: Option<Profile>,
    /// Where mistakes begin, by the name of the threshold.
    pub thresholds: Vec<(String, f64)>,
    /// How bad the mistakes of rules are, by the code of the rule.
    pub severity: Vec<(String, Level)>,
}
