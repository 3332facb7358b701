//! DynamoDB's texts for what the crates below report as data.

pub(crate) mod authentication;
pub(crate) mod authorization;
pub(crate) mod decode;
pub(crate) mod expression;
pub(crate) mod hash_order;
pub(crate) mod key;
pub(crate) mod partiql;
pub(crate) mod policy;
pub(crate) mod table;
pub(crate) mod throttling;
pub(crate) mod time_to_live;
pub(crate) mod value;
pub(crate) mod write;
