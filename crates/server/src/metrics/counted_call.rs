//! A call that was answered, as it is counted.

use std::time::Duration;

use monotable_api::Code;
use monotable_api::observation::{AttributedStatement, Attributions, EndedStatement, Observation};
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

    /// Counts it in the model of its table, if there is one. The statements of a call are counted
    /// one by one, and share its time.
    pub(crate) fn count_in_models(&self) {
        match &self.observation.attributions {
            Attributions::None => {}
            Attributions::Whole(attribution) => attribution.count(&self.outcome()),
            Attributions::Statements(statements) => {
                let share = u32::try_from(statements.len()).unwrap_or(1).max(1);
                for AttributedStatement { attribution, ended } in statements {
                    if let Some(ended) = ended {
                        attribution.count(&outcome_of(ended, self.duration / share));
                    }
                }
            }
        }
    }

    /// How it ended, for those who compare calls with models.
    fn outcome(&self) -> Outcome {
        let items = self.observation.items.unwrap_or_default();
        let consumed = self.observation.tables().map(|table| table.consumed.total());
        Outcome {
            halves: consumed.sum::<HalfUnits>().halves(),
            items,
            evaluated: self.observation.evaluated.unwrap_or(items),
            duration: self.duration,
            refused: match (self.status, self.observation.is_throttled) {
                (..400, _) => Refused::No,
                // A transaction says so in the reasons of its cancellation.
                (_, true) => Refused::Throttled,
                (_, false) => refused(self.observation.error),
            },
            is_replay: self.observation.is_replay,
        }
    }

    /// What it consumed, on all tables and indexes.
    pub(crate) fn units(&self) -> f64 {
        self.observation.tables().map(|table| table.consumed.total()).sum::<HalfUnits>().units()
    }
}

fn outcome_of(ended: &EndedStatement, duration: Duration) -> Outcome {
    Outcome {
        halves: ended.units.halves(),
        items: ended.items,
        evaluated: ended.items,
        duration,
        refused: if ended.error.is_some() { refused(ended.error) } else { Refused::No },
        is_replay: false,
    }
}

/// How a call was refused with this code.
fn refused(error: Option<Code>) -> Refused {
    match error {
        Some(
            Code::ProvisionedThroughputExceeded | Code::Throttling | Code::RequestLimitExceeded,
        ) => Refused::Throttled,
        Some(_) | None => Refused::Otherwise,
    }
}
