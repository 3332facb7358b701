//! A call that was answered, as it is counted.

use std::time::Duration;

use monotable_api::Code;
use monotable_api::observation::Observation;
use monotable_database::capacity::HalfUnits;
use monotable_observe::{Outcome, Refused};

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

    /// How it ended, for those who compare calls with models.
    pub(crate) fn outcome(&self) -> Outcome {
        let items = self.observation.items.unwrap_or_default();
        let consumed = self.observation.tables().map(|table| table.consumed.total());
        let refused = match (self.status, self.observation.error) {
            (..400, _) => Refused::No,
            (_, Some(Code::ProvisionedThroughputExceeded | Code::Throttling)) => Refused::Throttled,
            (_, Some(Code::RequestLimitExceeded)) => Refused::Throttled,
            (_, Some(_) | None) => Refused::Otherwise,
        };
        Outcome {
            halves: consumed.sum::<HalfUnits>().halves(),
            items,
            evaluated: self.observation.evaluated.unwrap_or(items),
            duration: self.duration,
            refused,
        }
    }

    /// What it consumed, on all tables and indexes.
    pub(crate) fn units(&self) -> f64 {
        self.observation.tables().map(|table| table.consumed.total()).sum::<HalfUnits>().units()
    }
}
