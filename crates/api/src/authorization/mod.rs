//! Whether a caller may do what it asks for.
//!
//! An operation states its [`Wish`]es, one for each action and resource that it is about, before it
//! asks the database for anything but the tables: an action, a resource, and the parts of the
//! request that conditions of policies can be about. [`Session`](crate::session::Session) asks the
//! policies of the caller. Where no credentials are configured everybody may do everything, and no
//! wish is even made.
//!
//! - [`wish`] is what an operation states,
//! - [`facts`] answers what conditions ask about it.

mod facts;
mod wish;

pub(crate) use facts::WishFacts;
pub(crate) use wish::{Leading, Named, Wish};
