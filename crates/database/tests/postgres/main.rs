//! Three databases on one PostgreSQL, as three servers have them.
//!
//! What can go wrong between servers at any moment is played with seeds in `tests/database/shared`.
//! Here the same parts run on the real engine, with tasks and connections that really are
//! concurrent, and the check of whole stores has the last word.

mod catalogue;
mod expiry;
mod fleet;
mod streams;
mod support;
mod tokens;
