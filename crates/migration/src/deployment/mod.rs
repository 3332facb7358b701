//! Deployment: from the tables of a model to tables on an endpoint.
//!
//! [`create_table`] is the request that makes a table. What the service says about a table that is
//! there is read by
//! `exchange::read_description` into the form that the model has, so that [`changes`] compares two
//! tables of one kind. It gives the requests that lead from one to the other, in an order that the
//! service accepts: it takes one index at a time, for example, and a stream has to be off before it
//! can show something else.
//!
//! What the service cannot change, keys and local indexes, is an [`Obstacle`] that says what to do
//! instead.

mod change;
mod definition;
mod obstacle;

pub use change::{Change, Sign, changes};
pub use definition::create_table;
pub use obstacle::Obstacle;
