//! A database in this process.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use monotable_api::{Api, Imitation};
use monotable_database::{Database, Home};
use monotable_faults::FaultPlan;

use crate::background;
use crate::builder::EmbeddedBuilder;
use crate::clock::{Clock, TimeSource};
use crate::error::{OpenError, StoreError};
use crate::faults::Faults;
use crate::store::Store;

/// A DynamoDB-compatible database in this process.
///
/// Clones are cheap and share the database. It is closed when the last of them is dropped, along
/// with the clients that were created from it.
#[derive(Clone)]
pub struct Embedded {
    inner: Arc<Inner>,
}

struct Inner {
    api: Api<Store>,
    database: Arc<Database<Store>>,
    home: Home,
    time: TimeSource,
    /// Held by whoever changes the faults.
    fault_change: Mutex<()>,
    #[cfg(feature = "sdk")]
    request_ids: crate::sdk::RequestIds,
}

/// The settings of a database besides its store.
pub(crate) struct Settings {
    pub(crate) home: Home,
    pub(crate) time: TimeSource,
    pub(crate) imitation: Imitation,
    pub(crate) faults: FaultPlan,
}

impl Embedded {
    /// Opens an empty database in memory, which is dropped with its last clone.
    pub fn in_memory() -> Embedded {
        Embedded::builder().in_memory()
    }

    /// Opens the database in a directory, or creates one if the directory is empty or missing.
    /// Every acknowledged write is on disk.
    pub async fn at(directory: impl AsRef<Path>) -> Result<Embedded, OpenError> {
        Embedded::builder().at(directory).await
    }

    /// Returns a builder, to configure a database before it is opened.
    pub fn builder() -> EmbeddedBuilder {
        EmbeddedBuilder::new()
    }

    pub(crate) fn new(database: Arc<Database<Store>>, settings: Settings) -> Embedded {
        let Settings { home, time, imitation, faults } = settings;
        let api = Api::new(database.clone(), home.clone()).imitating(imitation);
        api.set_faults(faults);
        Embedded {
            inner: Arc::new(Inner {
                api,
                database,
                home,
                time,
                fault_change: Mutex::default(),
                #[cfg(feature = "sdk")]
                request_ids: crate::sdk::RequestIds::default(),
            }),
        }
    }

    /// Returns the clock of the database. It can be moved if the database was opened with
    /// [`EmbeddedBuilder::clock_at`].
    pub fn clock(&self) -> Clock<'_> {
        Clock::of(self)
    }

    /// Returns the faults of the database: calls that fail on purpose, to see how an application
    /// copes.
    ///
    /// ```
    /// # let embedded = monotable_embedded::Embedded::in_memory();
    /// embedded.faults().add("throttle first=2 operation=PutItem")?;
    /// # Ok::<(), monotable_embedded::FaultError>(())
    /// ```
    pub fn faults(&self) -> Faults<'_> {
        Faults::of(self)
    }

    /// Closes the database for all clones, and waits until everything is on disk and the directory
    /// is released. Later calls fail.
    pub async fn close(&self) -> Result<(), StoreError> {
        let database = self.inner.database.clone();
        // Goes on even if nobody waits for it any more.
        let closing = background::runtime().spawn(async move { database.close().await });
        let closed = closing.await;
        let closed = closed.unwrap_or_else(|it| std::panic::resume_unwind(it.into_panic()));
        Ok(closed?)
    }

    pub(crate) fn api(&self) -> &Api<Store> {
        &self.inner.api
    }

    pub(crate) fn time_source(&self) -> &TimeSource {
        &self.inner.time
    }

    /// Whose tables calls are about.
    #[cfg(feature = "sdk")]
    pub(crate) fn home(&self) -> &Home {
        &self.inner.home
    }

    #[cfg(feature = "sdk")]
    pub(crate) fn request_ids(&self) -> &crate::sdk::RequestIds {
        &self.inner.request_ids
    }

    /// Keeps others from changing the faults.
    pub(crate) fn fault_change(&self) -> MutexGuard<'_, ()> {
        self.inner.fault_change.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { home, time, .. } = &*self.inner;
        f.debug_struct("Embedded").field("home", home).field("time", time).finish_non_exhaustive()
    }
}

/// The background works for a database that somebody has. When nobody has, it must end.
impl Drop for Inner {
    fn drop(&mut self) {
        let database = self.database.clone();
        background::runtime().spawn(async move {
            if let Err(error) = database.close().await {
                tracing::error!(%error, "a database that nobody uses could not be closed");
            }
        });
    }
}
