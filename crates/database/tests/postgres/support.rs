//! What these tests share with those of `tests/database`.
#![expect(dead_code, reason = "other tests use the rest")]

#[path = "../database/support/clock.rs"]
pub(crate) mod clock;
#[path = "../database/support/contents.rs"]
pub(crate) mod contents;
#[path = "../database/support/expression.rs"]
pub(crate) mod expression;
#[path = "../database/support/ids.rs"]
pub(crate) mod ids;
#[path = "../database/support/json.rs"]
pub(crate) mod json;
#[path = "../database/support/table.rs"]
pub(crate) mod table;
