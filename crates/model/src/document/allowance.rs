//! Findings that the author knows of and accepts.

use crate::diagnostic::Place;

/// A finding that is not to be reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The rule.
    pub rule: String,
    /// Where it may fire; everywhere by default. What lies inside the place counts too.
    pub at: Option<Place>,
    /// Why it is right here.
    pub reason: String,
}
