//! What every operation needs: the database, and who and where we are.

use std::sync::{Arc, Mutex, PoisonError};

use monotable_database::{
    Database, Home, Lags, Rewind, RewindError, SavedTables, VectorStatistics,
};
use monotable_faults::FaultPlan;
use monotable_observe::Observer;
use monotable_storage::Engine;

use crate::gate::{Gate, Imitation};
use crate::model_guard::ModelGuard;

/// The API on a database.
pub struct Api<E: Engine> {
    pub(crate) database: Arc<Database<E>>,
    /// Where calls belong that name no account.
    pub(crate) home: Home,
    pub(crate) gate: Gate,
    pub(crate) observer: Arc<Observer>,
    /// Held while the guard is changed, so that whoever changes it last has seen all models.
    guard_change: Mutex<()>,
}

impl<E: Engine> Api<E> {
    /// The API on this database. Calls that name no account are about the tables of this home.
    pub fn new(database: Arc<Database<E>>, home: Home) -> Api<E> {
        Api {
            database,
            home,
            gate: Gate::default(),
            observer: Arc::default(),
            guard_change: Mutex::default(),
        }
    }

    /// The same API, with calls seen by an observer.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<Observer>) -> Api<E> {
        self.observer = observer;
        self.man_guard();
        self
    }

    /// Sees what calls are in the models that it has loaded.
    pub fn observer(&self) -> &Arc<Observer> {
        &self.observer
    }

    /// Has writes looked at as long as there is a model. To be called when models have changed.
    pub fn man_guard(&self) {
        let _change = self.guard_change.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = ModelGuard::of(&self.observer);
        self.database.set_item_guard(guard.map(|guard| Arc::new(guard) as _));
    }

    /// The same API, with calls refused that AWS would refuse.
    #[must_use]
    pub fn imitating(mut self, imitation: Imitation) -> Api<E> {
        self.gate = Gate::new(imitation);
        self
    }

    /// The faults that are in force.
    pub fn faults(&self) -> Arc<FaultPlan> {
        self.gate.plan()
    }

    /// Lets calls fail by these faults, and by no others, from here on.
    pub fn set_faults(&self, plan: FaultPlan) {
        self.database.keep_history(plan.age_max());
        self.gate.set_plan(Arc::new(plan));
    }

    /// Does what has become due by the database's clock: see [`Database::catch_up`].
    pub async fn catch_up(&self) -> Result<(), monotable_storage::Error> {
        self.database.catch_up().await
    }

    /// Takes all tables back to what they were, or to nothing: see [`Database::rewind`].
    pub async fn rewind(&self, to: Rewind) -> Result<(), RewindError> {
        self.database.rewind(to).await
    }

    /// Keeps all tables as they are under a name: see [`Database::save_tables`].
    pub async fn save_tables(&self, name: &str) -> Result<(), RewindError> {
        self.database.save_tables(name).await
    }

    /// What is kept of tables, by name.
    pub fn saved_tables(&self) -> Vec<Arc<SavedTables>> {
        self.database.saved_tables()
    }

    /// Forgets what is kept under a name; returns whether there was anything.
    pub fn forget_saved(&self, name: &str) -> bool {
        self.database.forget_saved(name)
    }

    /// How far the background work of the database is behind: see [`Database::lags`].
    pub async fn lags(&self) -> Result<Lags, monotable_storage::Error> {
        self.database.lags().await
    }

    /// How vectors were searched so far: see [`Database::vector_statistics`].
    pub fn vector_statistics(&self) -> VectorStatistics {
        self.database.vector_statistics()
    }
}
