//! Requests to checks to database calls to responses, in DynamoDB's words.
//!
//! This is the only crate that knows AWS's error names and texts. A request comes in through
//! [`Api::call`] as JSON, or from the same process as a shape of `protocol` through a method of its
//! own, such as [`Api::get_item`]; its operation's file under `operations` reads as the list of
//! checks in DynamoDB's order, the database call, and the response. `validate` holds the checks,
//! `wording` the texts for what the crates below report as data, `render` turns outcomes into
//! responses, `legacy` reads the parameters from before expressions, `partiql` turns statements
//! into reads and writes, `stream` names streams, shards and places in them, and `table_part`
//! backups, exports and imports. What a call was about is noted in an [`observation`]. `gate` lets
//! calls fail for those who test applications, and `throughput` limits them as AWS does.

mod authorization;
mod context;
mod direct;
mod dispatch;
mod error;
mod gate;
mod legacy;
mod model_guard;
pub mod observation;
mod operations;
mod partiql;
mod policy_holder;
mod render;
mod resource_name;
mod room;
mod session;
mod stream;
mod table_part;
mod throughput;
mod validate;
mod wording;

pub use context::Api;
pub use dispatch::{asks_for_host, targets};
pub use error::{ApiError, Code};
pub use gate::Imitation;
pub use room::room_bytes;
