//! The code of `docs/guide/cookbook`: a module for each page, on databases in this process.

#![expect(unreachable_pub, reason = "tables and entities are public where they are used")]

mod counters;
mod filters;
mod hierarchy;
mod idempotency;
mod many_to_many;
mod migration;
mod one_to_many;
mod optimistic_locks;
mod paging;
mod permissions;
mod reference_counts;
mod sequences;
mod sharding;
mod singletons;
mod sorting;
mod sparse_index;
mod summaries;
mod time_buckets;
mod ttl;
mod uniqueness;
mod version_history;

/// What the tests end with where a step fails.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A time, as text has it.
fn time(text: &str) -> monotable::Timestamp {
    text.parse().expect("a time")
}
