//! What the example services have in common.
//!
//! - [`backend`] chooses the database,
//! - [`ksuid`] makes ids that sort by time,
//! - [`failure`] has what can go wrong in any service, and its status over HTTP,
//! - [`secret`] is what cursors are sealed with,
//! - [`call`] calls a service without a socket, for its tests.

pub mod backend;
pub mod call;
pub mod failure;
pub mod ksuid;
pub mod secret;
