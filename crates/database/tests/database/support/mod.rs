//! What the tests share: engines that can be reopened, a clock that is moved by hand, and short
//! ways to write tables, items and expressions.

pub(crate) mod clock;
pub(crate) mod contents;
pub(crate) mod expression;
pub(crate) mod harness;
pub(crate) mod ids;
pub(crate) mod json;
pub(crate) mod stepped_engine;
pub(crate) mod store;
pub(crate) mod table;
