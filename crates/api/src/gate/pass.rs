//! What a call was let in with.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use monotable_database::capacity::Consumed;
use monotable_database::schema::{IndexId, IndexKind};
use monotable_database::{Clock, Write, WriteOutcome, index_partition_hash};
use monotable_item::stored::ItemView;
use monotable_observe::FittingMembers;

use super::contention::Hold;
use super::disturbance::{Failure, Staleness};
use crate::error::ApiError;
use crate::throughput::{MeteredPart, Throughput};

/// What a call was let in with; usually nothing.
pub(crate) struct Pass<'g> {
    admission: Option<Box<Admission<'g>>>,
    fitting: FittingMembers,
}

/// What is still to happen to a call.
pub(super) struct Admission<'g> {
    pub(super) throughput: Option<&'g Throughput>,
    /// What was taken for each member in advance; none at all if capacity is not enforced.
    pub(super) claims: Vec<Option<Claim>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) refused: Vec<bool>,
    pub(super) stale: Staleness,
    pub(super) after: Option<Failure>,
    /// The items that others can meet until the call has ended.
    pub(super) hold: Option<Hold<'g>>,
}

/// Units that were taken in advance.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) place: MeteredPart,
    pub(super) units: f64,
}

/// What a member has consumed.
pub(crate) struct Spent<'a> {
    /// Its position.
    member: usize,
    consumed: &'a Consumed,
    /// The item as it is then or was, which says where the entries of indexes lie.
    item: Option<&'a Bytes>,
}

impl<'a> Spent<'a> {
    /// What a read has consumed.
    pub(crate) fn read(member: usize, consumed: &'a Consumed) -> Spent<'a> {
        Spent { member, consumed, item: None }
    }

    /// What a write has consumed.
    pub(crate) fn write(member: usize, outcome: &'a WriteOutcome) -> Spent<'a> {
        Spent::transacted(member, &outcome.consumed, outcome)
    }

    /// What a write in a transaction has consumed, which is more than the write alone.
    pub(crate) fn transacted(
        member: usize,
        consumed: &'a Consumed,
        outcome: &'a WriteOutcome,
    ) -> Spent<'a> {
        let item = outcome.new.as_ref().or(outcome.old.as_ref());
        Spent { member, consumed, item }
    }
}

impl<'g> Pass<'g> {
    /// Returns the pass of a call that no limit or fault applies to.
    pub(super) fn free(fitting: FittingMembers) -> Pass<'g> {
        Pass { admission: None, fitting }
    }

    pub(super) fn new(admission: Admission<'g>, fitting: FittingMembers) -> Pass<'g> {
        Pass { admission: Some(Box::new(admission)), fitting }
    }

    /// Whether nothing happens to the call.
    pub(crate) fn is_free(&self) -> bool {
        self.admission.is_none()
    }

    /// Approves a write whose item fits its model, so that nobody looks at it again.
    pub(crate) fn approve(&self, member: usize, write: &mut Write) {
        if self.fitting.has(member) {
            write.approve();
        }
    }

    /// Whether a member of a batch is left for the client to send again.
    pub(crate) fn is_refused(&self, member: usize) -> bool {
        let refused = self.admission.as_ref().map(|admission| &admission.refused);
        refused.and_then(|refused| refused.get(member)).copied().unwrap_or(false)
    }

    /// How long ago a member is read, if it is to be stale.
    pub(crate) fn stale_age(&self, member: usize) -> Option<Duration> {
        let stale = &self.admission.as_ref()?.stale;
        stale.members.contains(&member).then_some(stale.age)
    }

    /// Counts what the call has consumed. Its answer may be lost all the same.
    pub(crate) fn leave<'a>(self, spent: impl FnOnce() -> Vec<Spent<'a>>) -> Result<(), ApiError> {
        match self.admission {
            None => Ok(()),
            Some(admission) => admission.leave(spent()),
        }
    }
}

impl Admission<'_> {
    fn leave(self, spent: Vec<Spent<'_>>) -> Result<(), ApiError> {
        if let Some(throughput) = self.throughput {
            for spent in spent {
                self.charge(throughput, &spent);
            }
        }
        drop(self.hold);
        match self.after {
            None => Ok(()),
            Some(failure) => Err(super::fail(failure)),
        }
    }

    /// Takes what a member has consumed more than was taken in advance.
    fn charge(&self, throughput: &Throughput, spent: &Spent<'_>) {
        let Some(Some(claim)) = self.claims.get(spent.member) else { return };
        let now_millis = self.clock.now_millis();
        let mut own_units = spent.consumed.table.units();
        for (index, units) in &spent.consumed.indexes {
            match claim.place.of_index(*index, spent.item) {
                Some(place) if place.index != claim.place.index => {
                    throughput.take(&place, units.units(), now_millis);
                }
                Some(_) | None => own_units += units.units(),
            }
        }
        throughput.take(&claim.place, own_units - claim.units, now_millis);
    }
}

impl MeteredPart {
    /// Where the entry of an item in a global index is counted; none if the index is a local one.
    fn of_index(&self, index: IndexId, item: Option<&Bytes>) -> Option<MeteredPart> {
        let index = self.schema.index_by_id(index).filter(|it| it.kind == IndexKind::Global)?;
        let item = item.and_then(|item| ItemView::new(item).ok());
        let hash = item.and_then(|item| index_partition_hash(index, &item));
        let schema = self.schema.clone();
        Some(MeteredPart { schema, index: Some(index.id), flow: self.flow, hash })
    }
}
