//! A DynamoDB-compatible database in your own process.
//!
//! An [`Embedded`] is all of Monotable except its HTTP server: the same checks with the same
//! messages, indexes, transactions, streams, expiry. It has no port and no files unless asked for,
//! so each test can have a database of its own.
//!
//! There are three ways to use it:
//!
//! - **The typed client**: `Shop::open("shop", Embedded::in_memory())`. An [`Embedded`] is a
//!   [`Backend`](monotable::backend::Backend), and requests reach the database as values, without
//!   HTTP and JSON.
//! - **The AWS SDK** (feature `sdk`, on by default): [`Embedded::sdk_client`] is a client of the
//!   official SDK whose requests are answered in process. Paginators, waiters and retries work as
//!   they do on AWS.
//! - **Durable use in applications**: [`Embedded::at`] keeps the data in a directory.
//!
//! ```
//! # #[cfg(feature = "sdk")]
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! use monotable_embedded::Embedded;
//!
//! let client = Embedded::in_memory().sdk_client();
//! let tables = client.list_tables().send().await?;
//! assert!(tables.table_names().is_empty());
//! # Ok::<(), aws_sdk_dynamodb::Error>(())
//! # }).unwrap();
//! ```
//!
//! # Time and failures
//!
//! A database whose clock was [set](EmbeddedBuilder::clock_at) stands still until
//! [moved](Clock::advance): a test of what takes a week takes no time. [Faults](Embedded::faults)
//! make calls fail as AWS does, by one line such as `throttle rate=0.1 operation=PutItem`.
//!
//! # Threads
//!
//! A database works on the thread that calls it. Its background work (expiry, index builds, removal
//! of deleted data) runs on one thread that all databases of a process share, so a database can
//! outlive the runtime that it was opened on and be called from any executor.
//!
//! # Inside
//!
//! ```text
//! builder ─► embedded ─► store, the engine in memory or on disk
//!               ▲    └─► background, the thread that all databases share
//!               ├── backend   the typed client's way in, as values
//!               └── sdk       the AWS SDK's way in, in the place of HTTP
//! system is the clock and the randomness of the machine; clock and faults are for tests
//! ```

mod backend;
mod background;
mod builder;
mod clock;
mod embedded;
mod error;
mod faults;
#[cfg(feature = "sdk")]
mod sdk;
mod store;
mod system;

pub use builder::{Durability, EmbeddedBuilder};
pub use clock::Clock;
pub use embedded::Embedded;
pub use error::{ClockError, OpenError, StoreError};
pub use faults::{FaultReport, Faults};
pub use monotable_faults::FaultError;
