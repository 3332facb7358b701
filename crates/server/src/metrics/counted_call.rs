//! A call that was answered, as it is counted.

use std::time::Duration;

use monotable_api::observation::Observation;
use monotable_database::capacity::HalfUnits;

use super::Operation;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedCall<'a> {
    pub(crate) operation: Operation,
    pub(crate) observation: &'a Observation,
    pub(crate) status: u16,
    /// From the moment at which the whole request was there, to that at which its answer was.
    pub(crate) duration: Duration,
    pub(crate) request_bytes: usize,
    pub(crate) response_bytes: usize,
}

impl CountedCall<'_> {
    /// What a call is counted as whose client was gone before it was answered. No client sees it.
    pub(crate) const ABANDONED_STATUS: u16 = 499;

    /// Why it was refused, if it was.
    pub(crate) fn error(&self) -> Option<&'static str> {
        match (self.status, self.observation.error) {
            (..400, _) => None,
            (_, Some(code)) => Some(code.name()),
            (CountedCall::ABANDONED_STATUS, None) => Some("_abandoned"),
            (_, None) => Some("_unknown"),
        }
    }

    /// Whether what it consumed was for writing.
    pub(crate) fn writes(&self) -> bool {
        self.operation.writes() && !self.observation.is_replay
    }

    /// What it consumed, on all tables and indexes.
    pub(crate) fn units(&self) -> f64 {
        self.observation.tables().map(|table| table.consumed.total()).sum::<HalfUnits>().units()
    }
}
