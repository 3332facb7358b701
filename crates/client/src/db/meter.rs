//! Counting the units that requests consume.

use std::sync::{Arc, Mutex, PoisonError};

/// What the requests of a handle consumed. See [`Db::metered`](super::Db::metered).
#[derive(Debug, Clone, Default)]
pub struct Meter {
    units: Arc<Mutex<Units>>,
}

/// Read and write units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Units {
    /// Read units.
    pub read: f64,
    /// Write units.
    pub write: f64,
}

impl Meter {
    /// What was consumed so far.
    pub fn units(&self) -> Units {
        *self.units.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add_read(&self, units: f64) {
        self.units.lock().unwrap_or_else(PoisonError::into_inner).read += units;
    }

    pub(crate) fn add_write(&self, units: f64) {
        self.units.lock().unwrap_or_else(PoisonError::into_inner).write += units;
    }
}

/// Asserts what the requests of a block cost: read units, write units, or both.
///
/// Inside of the block, the name of the handle is one that counts; the units are those that the
/// database reports. What is not named is not asserted.
///
/// ```
/// use monotable::assert_cost;
/// use monotable::prelude::*;
/// use monotable_embedded::Embedded;
///
/// #[derive(Table)]
/// #[table(pk = "pk", sk = "sk", entities(Post))]
/// pub struct Blog;
///
/// #[derive(Entity)]
/// #[entity(table = Blog)]
/// #[key(by_slug: pk = "POST#{slug}", sk = "POST")]
/// pub struct Post {
///     pub slug: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// let db = Blog::open("blog", Embedded::in_memory());
/// db.create_table().await?;
/// assert_cost!(db, 1.0 WCU, { db.upsert(&Post { slug: "a".to_owned() }).await? });
/// let post = assert_cost!(db, 0.5 RCU, { db.get(Post::by_slug("a")).await? });
/// assert_cost!(db, 1.0 RCU, 0.0 WCU, { db.get(Post::by_slug("a")).consistent().await? });
/// # assert!(post.is_some());
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! assert_cost {
    ($db:ident, $read:literal RCU, $write:literal WCU, $block:block) => {
        $crate::assert_cost!(@ $db, $block, (read $read) (write $write))
    };
    ($db:ident, $units:literal RCU, $block:block) => {
        $crate::assert_cost!(@ $db, $block, (read $units))
    };
    ($db:ident, $units:literal WCU, $block:block) => {
        $crate::assert_cost!(@ $db, $block, (write $units))
    };
    (@ $db:ident, $block:block, $( ($side:ident $units:literal) )+) => {{
        let ($db, meter) = $db.metered();
        let outcome = $block;
        let cost = meter.units();
        $(
            assert!(
                cost.$side == $units as f64,
                "the block was to cost {} {} units; it costs {} read and {} write units",
                $units, stringify!($side), cost.read, cost.write
            );
        )+
        outcome
    }};
}
