//! Callers that go away in the middle of a change of a table: the change has happened whole or not
//! at all, in memory and in the store alike, and both say so after a restart too.

mod abandoned;
mod change;
mod contents;
mod stream_enabling;
mod whole_or_not;
mod writes_after;

/// Runs a scenario on both engines.
macro_rules! on_both_engines {
    ($scenario:ident) => {
        mod $scenario {
            #[test]
            fn in_memory() {
                super::$scenario::<$crate::support::store::MemoryStore>();
            }

            #[test]
            fn on_disk() {
                super::$scenario::<$crate::support::store::LocalStore>();
            }
        }
    };
}
use on_both_engines;
