//! The settings of a database.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use monotable_api::Imitation;
use monotable_database::{Database, DatabaseOptions};
use monotable_faults::FaultPlan;
use monotable_storage::MemoryEngine;
use monotable_storage_local::{self as storage_local, LocalEngine};
use tokio::task::{spawn_blocking, unconstrained};

use crate::background;
use crate::clock::TimeSource;
use crate::embedded::{Embedded, Settings};
use crate::error::OpenError;
use crate::store::Store;
use crate::system::SystemIds;

/// The account to which calls belong, as names of resources say it.
const ACCOUNT: &str = "000000000000";

/// When a write to a database in a directory is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// When it is on disk.
    #[default]
    Sync,
    /// When the operating system has it. It is on disk within this time. A crash of the process
    /// loses nothing; a power cut loses what was acknowledged in that time.
    Interval(Duration),
}

/// Configures a database and opens it.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use monotable_embedded::Embedded;
///
/// let new_year = UNIX_EPOCH + Duration::from_secs(1_767_225_600);
/// let embedded = Embedded::builder().clock_at(new_year).region("eu-central-1").in_memory();
/// assert_eq!(embedded.clock().now(), new_year);
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct EmbeddedBuilder {
    /// Where the clock of the database starts, if it has one of its own.
    clock_start: Option<SystemTime>,
    region: String,
    durability: Durability,
    database: DatabaseOptions,
    imitation: Imitation,
    fault_seed: u64,
}

impl EmbeddedBuilder {
    pub(crate) fn new() -> EmbeddedBuilder {
        EmbeddedBuilder {
            clock_start: None,
            region: "us-east-1".to_owned(),
            durability: Durability::default(),
            database: DatabaseOptions::default(),
            imitation: Imitation::default(),
            fault_seed: 0,
        }
    }

    /// Gives the database a clock of its own, which stands still at this time until it is moved:
    /// see [`Embedded::clock`].
    pub fn clock_at(mut self, time: SystemTime) -> EmbeddedBuilder {
        self.clock_start = Some(time);
        self
    }

    /// Sets the region in the names of resources; the default is `us-east-1`.
    pub fn region(mut self, region: &str) -> EmbeddedBuilder {
        self.region = region.replace('\0', "");
        self
    }

    /// Sets when a write is acknowledged. It matters only for a database in a directory.
    pub fn durability(mut self, durability: Durability) -> EmbeddedBuilder {
        self.durability = durability;
        self
    }

    /// Sets how often expired items are looked for; the default is every second.
    pub fn ttl_interval(mut self, interval: Duration) -> EmbeddedBuilder {
        self.database.ttl_interval = interval;
        self
    }

    /// Sets how long changes of tables and indexes are shown as under way, which on AWS takes some
    /// seconds. By default they are done when the call returns.
    ///
    /// With [`clock_at`](EmbeddedBuilder::clock_at) it is that clock by which they come to an end,
    /// and nobody waits for a clock that stands still: `create_table` of the typed client fails
    /// with [`TableUnusable`](monotable::Error::TableUnusable), and the table can be used once the
    /// clock was moved.
    pub fn control_plane_delay(mut self, delay: Duration) -> EmbeddedBuilder {
        self.database.control_plane_delay = delay;
        self
    }

    /// Throttles calls that exceed the capacity of a table, an index or a partition, as AWS does.
    pub fn enforce_capacity(mut self) -> EmbeddedBuilder {
        self.imitation.enforces_capacity = true;
        self
    }

    /// Refuses calls that collide with a transaction on an item, as AWS does, instead of waiting.
    pub fn transaction_conflicts(mut self) -> EmbeddedBuilder {
        self.imitation.has_transaction_conflicts = true;
        self
    }

    /// Sets the seed of random [faults](Embedded::faults): the same seed and the same calls give
    /// the same failures.
    pub fn fault_seed(mut self, seed: u64) -> EmbeddedBuilder {
        self.fault_seed = seed;
        self
    }

    /// Opens an empty database in memory, which is dropped with the last clone of the [`Embedded`].
    pub fn in_memory(self) -> Embedded {
        let time = self.time_source();
        let store = Store::Memory(MemoryEngine::new());
        let _entered = background::runtime().enter();
        let open = Database::open(store, time.clock(), Arc::new(SystemIds), self.database);
        // There is nothing to read and nobody to wait for, whoever polls it.
        let database = match pin!(unconstrained(open)).poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(database) => database.expect("an empty store in memory is not damaged"),
            Poll::Pending => unreachable!("an empty store in memory waits for nothing"),
        };
        self.embedded(database, time)
    }

    /// Opens the database in a directory, or creates one if the directory is empty or missing.
    pub async fn at(self, directory: impl AsRef<Path>) -> Result<Embedded, OpenError> {
        let directory = directory.as_ref().to_owned();
        // Whoever gives up waiting leaves nothing half open: what is opened is dropped, and closes.
        let opening = background::runtime().spawn(self.open_directory(directory));
        opening.await.unwrap_or_else(|failed| std::panic::resume_unwind(failed.into_panic()))
    }

    async fn open_directory(self, directory: PathBuf) -> Result<Embedded, OpenError> {
        let options = storage_local::Options {
            durability: match self.durability {
                Durability::Sync => storage_local::Durability::Sync,
                Durability::Interval(time) => storage_local::Durability::Interval(time),
            },
            ..storage_local::Options::default()
        };
        let path = directory.clone();
        let engine = spawn_blocking(move || LocalEngine::open(&path, &options)).await;
        let engine = engine.unwrap_or_else(|failed| {
            std::panic::resume_unwind(failed.into_panic());
        });
        let engine = engine.map_err(|error| OpenError::of_directory(&directory, error))?;
        let (time, ids) = (self.time_source(), Arc::new(SystemIds));
        let database = Database::open(Store::Local(engine), time.clock(), ids, self.database).await;
        Ok(self.embedded(database.map_err(|error| OpenError::unusable(&directory, error))?, time))
    }

    fn time_source(&self) -> TimeSource {
        self.clock_start.map_or(TimeSource::System, TimeSource::manual)
    }

    fn embedded(self, database: Arc<Database<Store>>, time: TimeSource) -> Embedded {
        let settings = Settings {
            home: monotable_database::Home::new(ACCOUNT, &self.region),
            time,
            imitation: self.imitation,
            faults: FaultPlan::new(self.fault_seed, Vec::new()).unwrap_or_default(),
        };
        Embedded::new(database, settings)
    }
}
