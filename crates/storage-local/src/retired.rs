//! What the tree no longer needs, until it can be let go of without its lock.
//!
//! The tree forgets its old states with its lock held, for readers too. Whoever lets go of a state last removes the files of its tables
//! and frees its memtables, which takes tens of milliseconds for each. So whoever makes a state old keeps a hold
//! on what it alone has, until the tree has forgotten it, and is the last.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

/// Things to let go of.
#[derive(Debug, Default)]
pub(crate) struct Retired {
    things: Mutex<Vec<Thing>>,
}

#[derive(Debug)]
struct Thing {
    /// The tree has forgotten it when it has forgotten all states before this moment.
    retired_at: u64,
    _thing: Box<dyn Any + Send>,
}

impl Retired {
    /// Keeps a thing that the states from this moment on do not have.
    pub(crate) fn push(&self, retired_at: u64, thing: impl Any + Send) {
        let thing = Thing { retired_at, _thing: Box::new(thing) };
        self.things.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }

    /// Lets go of what only states before this moment have.
    pub(crate) fn release_before(&self, moment: u64) {
        let released: Vec<Thing> = {
            let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
            things.extract_if(.., |thing| thing.retired_at <= moment).collect()
        };
        // Takes its time, and nobody waits for it.
        drop(released);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_thing_is_kept_until_the_moments_that_need_it_are_over() {
        let (retired, thing) = (Retired::default(), Arc::new(()));
        retired.push(5, thing.clone());
        retired.push(9, thing.clone());
        retired.release_before(4);
        assert_eq!(Arc::strong_count(&thing), 3);
        retired.release_before(5);
        assert_eq!(Arc::strong_count(&thing), 2);
        retired.release_before(100);
        assert_eq!(Arc::strong_count(&thing), 1);
    }
}
