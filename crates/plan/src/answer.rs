//! The plan of a pattern.

use super::reason::{Reason, Rejection};
use super::request_plan::PlannedRequest;

/// How an access pattern is answered, or why it is not.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The pattern.
    pub pattern: String,
    /// The requests, in order. There are none if nothing serves the pattern, or if it makes no
    /// requests of items at all: expiry, streams, administration.
    pub steps: Vec<PlannedRequest>,
    /// What the chosen table or index cannot do in its key, so that a filter has to.
    pub shortfalls: Vec<Shortfall>,
    /// Why nothing serves the pattern, or one of its steps.
    pub unserved: Vec<Unserved>,
}

/// What a request cannot say in its key condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    /// The pattern, which may be a step of the one that was planned.
    pub pattern: String,
    /// Why.
    pub reason: Reason,
}

/// A pattern, or a step or action of one, that nothing serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unserved {
    /// The pattern, which may be a step of the one that was planned.
    pub pattern: String,
    /// Each candidate and its reasons.
    pub rejections: Vec<Rejection>,
    /// The candidate that comes nearest, in words.
    pub suggestion: Option<String>,
}

impl Plan {
    pub(super) fn empty(pattern: &str) -> Plan {
        Plan {
            pattern: pattern.to_owned(),
            steps: Vec::new(),
            shortfalls: Vec::new(),
            unserved: Vec::new(),
        }
    }

    /// Returns whether every part of the pattern is served.
    pub fn is_served(&self) -> bool {
        self.unserved.is_empty()
    }

    /// How many requests one run takes, if that does not depend on values or rows.
    pub fn requests(&self) -> Option<u64> {
        self.steps.iter().try_fold(0u64, |total, step| total.checked_add(step.requests()?))
    }
}

impl Unserved {
    pub(super) fn new(pattern: &str, rejections: Vec<Rejection>) -> Unserved {
        let suggestion = nearest(&rejections).map(|rejection| {
            let remedies: Vec<String> = rejection.reasons.iter().map(Reason::remedy).collect();
            format!("{} would serve it if {}", rejection.target, remedies.join(", and "))
        });
        Unserved { pattern: pattern.to_owned(), rejections, suggestion }
    }
}

/// The rejection that comes nearest; of several, the first.
fn nearest(rejections: &[Rejection]) -> Option<&Rejection> {
    let distance =
        |rejection: &&Rejection| rejection.reasons.iter().map(Reason::distance).sum::<usize>();
    rejections.iter().min_by_key(distance)
}
