//! What came of a model: how many steps passed, and what the others got.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// Steps counted by their outcome.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Steps whose result was as expected.
    pub passed: u64,
    /// Steps whose result was not.
    pub failed: u64,
    /// Steps that need what the server does not serve yet, by what they need.
    pub needs: BTreeMap<&'static str, u64>,
}

/// The replay of one model.
#[derive(Debug)]
pub struct Report {
    /// The model's name.
    pub model: String,
    /// Its steps, counted.
    pub tally: Tally,
    /// A paragraph for each step that failed.
    pub failures: Vec<String>,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        for (need, count) in other.needs {
            *self.needs.entry(need).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        self.needs.iter().try_for_each(|(need, count)| write!(f, ", {count} need {need}"))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.model, self.tally)?;
        self.failures.iter().try_for_each(|failure| write!(f, "\n{failure}"))
    }
}
