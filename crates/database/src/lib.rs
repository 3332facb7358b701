//! What DynamoDB means, on a storage engine.
//!
//! This crate takes checked requests and answers with typed outcomes; it knows no HTTP, no JSON and
//! no AWS wording. Reading order: [`schema`] says what a table is, `keyspace` where everything
//! lies, [`write`](Write) is the one path of all writes, [`page`](PageRequest) that of Query and
//! Scan, and `catalog` creates, changes and deletes tables.

pub mod capacity;
pub mod check;
pub mod off_worker;
pub mod schema;
pub mod stream;

mod alteration;
mod any_index;
mod attached_policy;
mod backfill;
mod catalog;
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
pub use catalog::{
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
