//! The test-suite that every engine must pass.
//!
//! An engine's crate runs all of it with one line in a test module:
//!
//! ```text
//! monotable_storage::engine_tests!(|| (MemoryEngine::new(), ()));
//! ```
//!
//! The expression opens an empty engine, together with whatever must outlive it, such as its
//! temporary directory. It is called once per script, per generated case and per test.
//!
//! - [`scripts`]: golden scripts under `testscripts/`, one fact each;
//! - [`model`]: generated histories, compared with a `BTreeMap`;
//! - [`concurrency`]: many tasks on few keys;
//! - [`long_keys`]: keys as long as keys may be;
//! - [`placed_entries`]: logs as copies of stores write them.
//!
//! For the layers above, [`contended`] and [`lossy`] have engines that behave as badly as the
//! contract allows, around any engine. [`delegation`] has what such an engine leaves to the one
//! inside of it.

pub mod concurrency;
pub mod contended;
pub mod delegation;
pub mod long_keys;
pub mod lossy;
pub mod model;
pub mod placed_entries;
pub mod scripts;

use bytes::Bytes;

use crate::{Batch, Decision, Direction, Engine, Key, KeyRange, Reads, Result, Snapshot, Wants};

/// Commits a batch that depends on nothing.
pub async fn commit<E: Engine>(engine: &E, batch: &Batch) -> Result<()> {
    engine.transact(Wants::nothing(), |_: &Reads| Decision::Commit(batch.clone(), ())).await
}

/// Reads a whole range into a list.
pub async fn entries<S: Snapshot>(
    snapshot: &S,
    range: &KeyRange,
    direction: Direction,
) -> Result<Vec<(Key, Vec<u8>)>> {
    let mut entries = Vec::new();
    let visit = |key: &[u8], value: bytes::Bytes| {
        entries.push((key.to_vec(), value.to_vec()));
        std::ops::ControlFlow::Continue(())
    };
    snapshot.visit(range, direction, usize::MAX, visit).await?;
    Ok(entries)
}

/// Reads entries of a log into a list.
pub async fn log_entries<S: Snapshot>(
    snapshot: &S,
    log: &[u8],
    direction: Direction,
    limit: usize,
) -> Result<Vec<(u64, Bytes)>> {
    let mut entries = Vec::new();
    let visit = |position: u64, value: Bytes| {
        entries.push((position, value));
        if entries.len() < limit {
            std::ops::ControlFlow::Continue(())
        } else {
            std::ops::ControlFlow::Break(())
        }
    };
    snapshot.visit_log(log, 0..=u64::MAX, direction, limit, visit).await?;
    Ok(entries)
}

/// Makes the tests of the suite for one engine; see [`testing`](crate::testing).
#[macro_export]
macro_rules! engine_tests {
    ($open:expr) => {
        #[test]
        fn every_script_gives_its_recorded_output() {
            $crate::testing::scripts::run_all($open);
        }

        #[test]
        fn generated_histories_agree_with_a_btree_map() {
            $crate::testing::model::check_generated_histories($open);
        }

        #[test]
        fn concurrent_increments_lose_nothing() {
            $crate::testing::concurrency::increments_lose_nothing($open);
        }

        #[test]
        fn transfers_keep_the_sum_in_every_snapshot() {
            $crate::testing::concurrency::transfers_keep_the_sum($open);
        }

        #[test]
        fn a_polling_reader_sees_appends_in_commit_order() {
            $crate::testing::concurrency::appends_are_seen_in_commit_order($open);
        }

        #[test]
        fn concurrent_additions_sum_up_and_match_the_items_they_count() {
            $crate::testing::concurrency::additions_sum_up($open);
        }

        #[test]
        fn shared_keys_stand_still_while_their_holders_commit() {
            $crate::testing::concurrency::shared_keys_stand_still($open);
        }

        #[test]
        fn long_keys_are_told_apart_by_their_last_byte() {
            $crate::testing::long_keys::are_told_apart($open);
        }

        #[test]
        fn placed_entries_keep_their_positions_and_later_ones_come_after_them() {
            $crate::testing::placed_entries::keep_their_positions($open);
        }

        #[test]
        fn a_dropped_transaction_is_settled_before_the_next_one_reads() {
            $crate::testing::concurrency::dropped_transactions_are_settled($open);
        }
    };
}
