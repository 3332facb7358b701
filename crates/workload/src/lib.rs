//! Random DynamoDB requests, decided by a seed: for whoever wants to see how an endpoint answers
//! them.
//!
//! - [`random`] makes choices,
//! - [`history`] makes requests on a few tables that are mostly valid, one after the other,
//! - [`expression`] writes expressions by their grammar, `statement` statements of PartiQL, and
//!   `legacy` the parameters from before expressions,
//! - [`value`] makes attribute values,
//! - [`mutation`] spoils requests: other types, sizes, depths, members, and bytes that are no JSON,
//! - [`seeds`] has valid requests of every action, from the file `seeds.json`,
//! - [`harvest`] remembers what answers name that later requests need, such as shard iterators.
//!
//! Requests are plain JSON. Nothing here knows how an endpoint works.

pub mod expression;
pub mod harvest;
pub mod history;
mod legacy;
pub mod mutation;
pub mod random;
pub mod seeds;
mod statement;
pub mod value;

use serde_json::Value;

/// A request to an endpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name of the action, such as `PutItem`.
    pub action: String,
    /// The request.
    pub request: Value,
}

impl Call {
    /// A call of an action.
    pub fn new(action: &str, request: Value) -> Call {
        Call { action: action.to_owned(), request }
    }
}
