//! What came of a model: how many steps passed, and what the others got.

use std::fmt;
use std::ops::AddAssign;

/// Steps counted by their outcome.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Steps whose result was as expected.
    pub passed: u64,
    /// Steps whose result was not.
    pub failed: u64,
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
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.model, self.tally)?;
        self.failures.iter().try_for_each(|failure| write!(f, "\n{failure}"))
    }
}
