//! The status of tables and indexes while a change is under way.
//!
//! A change takes effect in one transaction. On AWS it takes a while, and clients see that. A
//! database with a delay notes in the record until when a change is reported as under way, so that
//! a status is a function of the record and the time: it survives restarts, and all servers of a
//! store agree on it. Without a delay nothing is noted, and a table is at rest as soon as the
//! change is answered.

use crate::any_index::AnyIndex;
use crate::schema::{IndexSchema, IndexStatus, TableSchema, VectorIndexSchema};

/// What a change of a table is about, while it is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undertaking {
    /// What it may read and write.
    Throughput,
    /// How it is paid for.
    Billing,
    /// Its stream.
    Stream,
    /// The class of its storage.
    Class,
}

/// What happens to a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransitionKind {
    /// It is being created.
    Creation,
    /// It is being changed.
    Change(Undertaking),
    /// It is being deleted.
    Deletion,
}

/// A change of a table that is reported as under way until some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// What happens.
    pub kind: TransitionKind,
    /// When it is over, in milliseconds since 1970.
    pub until_millis: u64,
}

/// What happens to an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexTransitionKind {
    /// It is being added to a table.
    Creation,
    /// Its settings are being changed.
    Change,
    /// It is being removed.
    Removal,
}

/// A change of an index that is reported as under way until some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexTransition {
    /// What happens.
    pub kind: IndexTransitionKind,
    /// Until when a new index waits for its resources; it is filled from then on.
    pub allocated_millis: u64,
    /// When it is over, in milliseconds since 1970.
    pub settled_millis: u64,
}

impl IndexTransition {
    /// An index that is added at this time. Its two phases take the delay each.
    pub(crate) fn creation(now_millis: u64, delay_millis: u64) -> IndexTransition {
        let allocated_millis = now_millis.saturating_add(delay_millis);
        let settled_millis = allocated_millis.saturating_add(delay_millis);
        IndexTransition { kind: IndexTransitionKind::Creation, allocated_millis, settled_millis }
    }

    /// Another change of an index that begins at this time.
    pub(crate) fn of(
        kind: IndexTransitionKind,
        now_millis: u64,
        delay_millis: u64,
    ) -> IndexTransition {
        let settled_millis = now_millis.saturating_add(delay_millis);
        IndexTransition { kind, allocated_millis: now_millis, settled_millis }
    }
}

/// Where a table stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableStatus {
    /// It does not take calls on items yet.
    Creating,
    /// A change is under way.
    Updating,
    /// It takes no more calls.
    Deleting,
    /// It is at rest.
    Active,
}

/// Where an index stands, as clients see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexState {
    /// It cannot be read yet.
    Creating {
        /// Whether it is being filled; it waits for its resources before that.
        is_backfilling: bool,
    },
    /// Its settings are being changed.
    Updating,
    /// It is being removed.
    Deleting,
    /// It is at rest.
    Active,
}

impl TableSchema {
    /// What happens to the table at this time, apart from its indexes.
    pub fn transition_at(&self, now_millis: u64) -> Option<TransitionKind> {
        let transition = self.transition?;
        match transition.kind {
            TransitionKind::Deletion => Some(TransitionKind::Deletion),
            kind @ (TransitionKind::Creation | TransitionKind::Change(_)) => {
                (now_millis < transition.until_millis).then_some(kind)
            }
        }
    }

    /// Where the table stands at this time. One that waits for the resources of an index, or whose
    /// index is being removed, is being updated.
    pub fn status_at(&self, now_millis: u64) -> TableStatus {
        match self.transition_at(now_millis) {
            Some(TransitionKind::Creation) => TableStatus::Creating,
            Some(TransitionKind::Deletion) => TableStatus::Deleting,
            Some(TransitionKind::Change(_)) => TableStatus::Updating,
            None => self.status_by_indexes(now_millis),
        }
    }

    fn status_by_indexes(&self, now_millis: u64) -> TableStatus {
        let holds_up = |index: AnyIndex<'_>| match index.state_at(now_millis) {
            IndexState::Deleting | IndexState::Creating { is_backfilling: false } => true,
            IndexState::Creating { is_backfilling: true }
            | IndexState::Updating
            | IndexState::Active => false,
        };
        if self.every_index().any(holds_up) { TableStatus::Updating } else { TableStatus::Active }
    }

    /// Returns whether calls on items are accepted. The clock is read only if anything depends on
    /// it.
    pub fn takes_items(&self, now_millis: impl FnOnce() -> u64) -> bool {
        let Some(transition) = self.transition else { return true };
        match transition.kind {
            TransitionKind::Creation => now_millis() >= transition.until_millis,
            TransitionKind::Change(_) => true,
            TransitionKind::Deletion => false,
        }
    }

    /// Returns whether the table was deleted and the time to show that is over. What is left of it
    /// goes in the background.
    pub(crate) fn is_gone(&self, now_millis: impl FnOnce() -> u64) -> bool {
        let deletion = self.transition.filter(|it| it.kind == TransitionKind::Deletion);
        deletion.is_some_and(|deletion| now_millis() >= deletion.until_millis)
    }

    /// Returns whether every index is at rest, of whichever kind.
    pub fn has_indexes_at_rest(&self, now_millis: u64) -> bool {
        self.every_index().all(|index| index.state_at(now_millis) == IndexState::Active)
    }

    /// The name of the index that is being created, of whichever kind.
    pub fn creating_index(&self, now_millis: u64) -> Option<&str> {
        let is_creating = |index: &AnyIndex<'_>| {
            matches!(index.state_at(now_millis), IndexState::Creating { .. })
        };
        self.every_index().find(is_creating).map(AnyIndex::name)
    }
}

impl IndexSchema {
    /// Where the index stands at this time.
    pub fn state_at(&self, now_millis: u64) -> IndexState {
        state(self.status, self.transition, now_millis)
    }
}

impl VectorIndexSchema {
    /// Where the index stands at this time.
    pub fn state_at(&self, now_millis: u64) -> IndexState {
        state(self.status, self.transition, now_millis)
    }
}

impl AnyIndex<'_> {
    fn state_at(self, now_millis: u64) -> IndexState {
        state(self.status(), self.transition(), now_millis)
    }

    /// When the entries of an index that is being removed may be deleted, if it must be reported
    /// until then.
    pub(crate) fn shown_until_millis(self) -> Option<u64> {
        let removal = self.transition().filter(|it| it.kind == IndexTransitionKind::Removal);
        removal.map(|removal| removal.settled_millis)
    }
}

fn state(status: IndexStatus, transition: Option<IndexTransition>, now_millis: u64) -> IndexState {
    let transition = transition.filter(|it| now_millis < it.settled_millis);
    let is_backfilling = transition.is_none_or(|it| now_millis >= it.allocated_millis);
    match (status, transition.map(|it| it.kind)) {
        (IndexStatus::Deleting, _) => IndexState::Deleting,
        (IndexStatus::Creating, _) | (IndexStatus::Active, Some(IndexTransitionKind::Creation)) => {
            IndexState::Creating { is_backfilling }
        }
        (IndexStatus::Active, Some(IndexTransitionKind::Change)) => IndexState::Updating,
        (IndexStatus::Active, Some(IndexTransitionKind::Removal) | None) => IndexState::Active,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::testing::{index, schema};

    fn with_transition(kind: TransitionKind) -> TableSchema {
        TableSchema { transition: Some(Transition { kind, until_millis: 100 }), ..schema("t") }
    }

    #[test]
    fn a_status_ends_with_its_time_but_a_deletion_does_not() {
        let change = TransitionKind::Change(Undertaking::Stream);
        for (kind, during, after) in [
            (TransitionKind::Creation, TableStatus::Creating, TableStatus::Active),
            (change, TableStatus::Updating, TableStatus::Active),
            (TransitionKind::Deletion, TableStatus::Deleting, TableStatus::Deleting),
        ] {
            let table = with_transition(kind);
            assert_eq!((table.status_at(99), table.status_at(100)), (during, after));
        }
    }

    #[test]
    fn only_a_deletion_whose_time_is_over_makes_a_table_gone() {
        let deleted = with_transition(TransitionKind::Deletion);
        assert!(!deleted.is_gone(|| 99) && deleted.is_gone(|| 100));
        assert!(!with_transition(TransitionKind::Creation).is_gone(|| 100));
        assert!(!schema("t").is_gone(|| unreachable!("nothing depends on the time")));
    }

    #[test]
    fn items_are_taken_from_the_end_of_the_creation_to_the_deletion() {
        let created = with_transition(TransitionKind::Creation);
        assert!(!created.takes_items(|| 99) && created.takes_items(|| 100));
        assert!(!with_transition(TransitionKind::Deletion).takes_items(|| 0));
        assert!(with_transition(TransitionKind::Change(Undertaking::Class)).takes_items(|| 0));
    }

    /// Parity Suite and AWS's guide: creating an index has two phases, and the table is `UPDATING`
    /// in the first one only.
    #[test]
    fn a_new_index_waits_for_its_resources_and_is_filled_then() {
        let transition = Some(IndexTransition::creation(0, 50));
        let indexes = vec![IndexSchema { transition, ..index("i", IndexStatus::Active) }];
        let table = TableSchema { indexes, ..schema("t") };
        let states: Vec<_> = [49, 50, 99, 100]
            .map(|now| (table.indexes[0].state_at(now), table.status_at(now)))
            .into();
        assert_eq!(
            states,
            [
                (IndexState::Creating { is_backfilling: false }, TableStatus::Updating),
                (IndexState::Creating { is_backfilling: true }, TableStatus::Active),
                (IndexState::Creating { is_backfilling: true }, TableStatus::Active),
                (IndexState::Active, TableStatus::Active),
            ]
        );
    }

    #[test]
    fn an_index_that_is_not_filled_is_created_however_late_it_is() {
        let transition = Some(IndexTransition::creation(0, 50));
        let index = IndexSchema { transition, ..index("i", IndexStatus::Creating) };
        assert_eq!(index.state_at(1_000), IndexState::Creating { is_backfilling: true });
    }
}
