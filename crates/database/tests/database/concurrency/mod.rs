//! Many tasks at once, on several threads: no write is lost, no snapshot shows half of one, and
//! schema changes under load leave nothing wrong behind.

mod cancelled_writes;
mod counters;
mod expiry;
mod index_changes;
mod set_additions;
mod snapshots;
mod table_creation;
mod table_deletion;
mod transfers;
pub(crate) mod world;

/// Runs a scenario on both engines.
macro_rules! on_both_engines {
    ($scenario:ident) => {
        mod $scenario {
            #[test]
            fn in_memory() {
                $crate::concurrency::world::run::<$crate::support::store::MemoryStore, _, _>(
                    super::$scenario,
                );
            }

            #[test]
            fn in_memory_with_every_decision_made_twice() {
                $crate::concurrency::world::run::<$crate::support::store::ContendedStore, _, _>(
                    super::$scenario,
                );
            }

            #[test]
            fn on_disk() {
                $crate::concurrency::world::run::<$crate::support::store::LocalStore, _, _>(
                    super::$scenario,
                );
            }
        }
    };
}
pub(crate) use on_both_engines;
