//! How the linter is to judge a model.

use crate::diagnostic::Severity;

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

/// What becomes of the findings of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// They are this bad.
    Report(Severity),
    /// They are left out.
    Off,
}

/// How a design is meant: some mistakes are none in another style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Many entities in one table, with overloaded keys.
    #[default]
    SingleTable,
    /// A table for each entity.
    MultiTable,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 2] = [Profile::SingleTable, Profile::MultiTable];

    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::SingleTable => "single-table",
            Profile::MultiTable => "multi-table",
        }
    }

    /// The profile of this name.
    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }
}
