//! Requests to checks to database calls to responses, in DynamoDB's words.
//!
//! This is the only crate that knows AWS's error names and texts. A request comes in through
//! [`Api::call`] as JSON, or from the same process as a shape of `protocol` through a method of its
//! own, such as [`Api::get_item`]. The file of its operation reads as the list of checks in
//! DynamoDB's order, the database call, and the response.
//!
//! ```text
//! a call comes in
//!   dispatch        from the name of an operation to its code
//!   direct          calls from the same process, without JSON
//!   context         what every operation needs: the database, and who and where we are
//!   session         one call: the database, and who asks it
//!   room            how much memory calls may take
//! it is let through
//!   authorization   whether the caller may do what it asks for
//!   policy_holder   the tables and streams whose policies have a say in that
//!   gate            where calls fail on purpose, for those who test applications
//!   throughput      capacity as AWS limits it
//! it is checked and carried out
//!   operations      a file for each operation
//!   validate        the checks, each a small function with one error
//!   legacy          parameters from before expressions, as the expressions that say the same
//!   partiql         statements as lookups, pages and writes
//!   model_guard     refuses the items that do not fit their model, if asked to
//! it names things
//!   resource_name   ARNs of tables and indexes
//!   table_part      ARNs below that of a table: its backups, exports and imports
//!   stream          streams, shards and positions in them
//! it is answered
//!   render          outcomes as responses
//!   wording, error  DynamoDB's texts and codes for what the crates below report as data
//!   observation     what the call was about, for logs, metrics and traces
//! ```

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
