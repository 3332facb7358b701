//! Follows the streams of tables and hands their records on.
//!
//! This crate is a client of the public API, so it works against every endpoint that speaks it.
//! In reading order:
//!
//! 1. `stream` says which stream a table has and which shards that has.
//! 2. [`Follower`] runs a [`ShardConsumer`] on every shard: parents before their children, shards
//!    that have nothing to do with each other at the same time.
//! 3. [`ShardReader`] reads one shard in order, and finds its place again when an iterator has
//!    expired.
//! 4. [`LambdaRecord`] is a change in the form that AWS Lambda functions receive; a [`Pattern`]
//!    chooses records in the syntax of Lambda's filter criteria.
//! 5. [`Trigger`] hands batches to a [`Destination`]: its consumer is the `deliverer`. `delivery`
//!    says when to try again, to split and to give up; `checkpoint` keeps what has been delivered
//!    in a table, so that a trigger that was killed goes on where it was; what was given up goes to
//!    the `dead_letters`.
//!
//! **At least once.** A checkpoint is written after the destination has taken a batch, never
//! before. Whenever the process ends, the worst that can happen is that the last batch of a shard
//! comes again.
//!
//! ```text
//! trigger ─► follow ─► reader ─► record       its shards, and the changes in each
//!              │ on stream and request        what the endpoint is asked
//!              ▼
//!            deliverer ─► filter ─► queue      the records that are wanted, in batches
//!              ▼
//!            delivery ─► destination           a URL or a command takes them
//!              ├─► checkpoint                  how far they were taken
//!              └─► dead_letters                what was given up
//! ```

mod checkpoint;
mod dead_letters;
mod deliverer;
mod delivery;
mod destination;
mod error;
mod filter;
mod follow;
mod queue;
mod reader;
mod record;
mod request;
mod stream;
mod trigger;

pub use destination::Destination;
pub use error::Error;
pub use filter::{Pattern, PatternError};
pub use follow::{Follower, Origin, ShardConsumer, ShardEnd, Stop};
pub use reader::{Page, Position, ShardReader};
pub use record::{LambdaRecord, batch_event};
pub use stream::{Shard, StreamArn, find_stream};
pub use trigger::{RetryPolicy, StartAt, Trigger, TriggerOptions};
