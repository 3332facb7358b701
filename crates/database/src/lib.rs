//! What DynamoDB means, on a storage engine.
//!
//! This crate takes checked requests and answers with typed outcomes; it knows no HTTP, no JSON and
//! no AWS wording.
//!
//! ```text
//! what is stored
//!   home, schema, attached_policy   whose tables these are, and what a table is
//!   keyspace                        where everything lies: a file for each family of keys
//!   later_attributes                what a later version has written, kept as it was
//!   key, key_value, index_key       checked keys, as bytes
//! calls on items
//!   database                        the engine, its tables and the work in the background
//!   get, page, projection           reads by key; Query and Scan, and the parts that they return
//!   selection                       the range of keys that a page is read from
//!   history                         what was there a moment ago, for reads that are to be stale
//!   write, transact                 the one path of all writes, and many of them at once
//!   fence                           the version of the table that a write stands on
//!   index, any_index, key_changes   how indexes follow the items
//!   item_guard                      a user's say in what may be written
//!   vector                          vector indexes and their search
//!   stream                          the changes of a table, in order
//!   capacity, partitions            what calls consume, and how AWS would cut a table
//!   off_worker                      large calls, off the workers of the runtime
//! calls on tables
//!   catalogue                       what a change means, as a function of what is stored
//!   alteration                      carries it out, in one storage transaction
//!   status                          where tables and indexes stand while that takes its time
//!   table, table_cache              one version of a table, and what a process remembers of them
//!   ttl, insights                   settings of a table that have calls of their own
//! work in the background
//!   lease                           which server does a job
//!   settlement                      what is left to do after a change of a table
//!   backfill, purge                 fills new indexes, and removes the data of deleted ones
//!   sweep, swept_mark               removes expired items, and knows how far it is
//!   lag                             how far behind all of it is
//! for tests and operators
//!   clock, manual_clock             time and ids come from outside
//!   rewind                          all tables as they were, or empty
//!   check                           whether everything in a closed store belongs together
//! ```
//!
//! [`schema`] and `keyspace` are the ones to read first, then [`write`](Write) and
//! [`page`](PageRequest).

pub mod capacity;
pub mod check;
pub mod off_worker;
pub mod schema;
pub mod stream;

mod alteration;
mod any_index;
mod attached_policy;
mod backfill;
mod catalogue;
mod clock;
mod database;
mod error;
mod fence;
mod get;
mod history;
mod home;
mod index;
mod index_key;
mod insights;
mod item_guard;
mod key;
mod key_changes;
mod key_value;
mod keyspace;
mod lag;
mod later_attributes;
mod lease;
mod manual_clock;
mod page;
mod partitions;
mod projection;
mod purge;
mod rewind;
mod selection;
mod settlement;
mod status;
mod sweep;
mod swept_mark;
mod table;
mod table_cache;
mod transact;
mod ttl;
mod vector;
mod write;

pub use attached_policy::AttachedPolicy;
pub use catalogue::{
    DescribedTable, IndexDefinition, IndexSettingsChange, TableChange, TableDefinition,
    TableStatistics,
};
pub use clock::{Clock, Ids};
pub use database::{Database, DatabaseOptions};
pub use error::{
    CorruptRecord, KeyError, KeyProblem, KeyRole, OpenError, ReadError, RewindError, SchemaChanged,
    TableError, TimeToLiveError, TransactError, WriteError,
};
pub use get::{Got, Lookup};
pub use home::Home;
pub use insights::{Insights, InsightsChange, InsightsMode};
pub use item_guard::{Consequence, ItemGuard, Judgement, Objection};
pub use key::{ItemKey, check_index_keys, has_only_keys, index_partition_hash};
pub use key_value::{KeySource, KeyValue};
pub use lag::{ExpiryLag, Lags, StreamLag};
pub use later_attributes::LaterAttributes;
pub use lease::{LeaseStatus, LeasedJob, leases};
pub use manual_clock::{ClockMovedBack, ManualClock};
pub use page::{Output, Page, PageRequest};
pub use partitions::{
    PARTITION_READ_UNITS_MAX, PARTITION_WRITE_UNITS_MAX, on_demand_partition_count, partition_count,
};
pub use projection::project;
pub use rewind::{Rewind, SAVED_BYTES_MAX, SAVED_COUNT_MAX, SavedTables};
pub use selection::{KeySelection, SortCondition, Span, StartKey};
pub use status::{
    IndexState, IndexTransition, IndexTransitionKind, TableStatus, Transition, TransitionKind,
    Undertaking,
};
pub use table::Table;
pub use transact::{ReplayedItem, RequestToken, TransactOutcome, TransactWrite};
pub use ttl::TimeToLiveChange;
pub use vector::{
    VectorMatch, VectorOptions, VectorProblem, VectorSearch, VectorStatistics, read_numbers,
};
pub use write::{Write, WriteKind, WriteOutcome, WriteRefusal};
