//! Looks at the items that writes make, and refuses those that do not fit their model, if asked to.

use std::sync::Arc;

use bytes::Bytes;
use monotable_database::schema::TableSchema;
use monotable_database::{ItemGuard, Objection};
use monotable_observe::{CalledTable, CheckMode, Observer};

/// See the module.
#[derive(Debug)]
pub(crate) struct ModelGuard {
    observer: Arc<Observer>,
}

impl ModelGuard {
    /// The guard of an observer; none if there is nothing to look at.
    pub(crate) fn of(observer: &Arc<Observer>) -> Option<ModelGuard> {
        let is_needed = observer.is_active() && observer.mode() != CheckMode::Off;
        is_needed.then(|| ModelGuard { observer: observer.clone() })
    }
}

impl ItemGuard for ModelGuard {
    fn check(&self, schema: &TableSchema, item: &Bytes) -> Result<(), Objection> {
        let table = CalledTable { id: schema.id.0, name: &schema.name };
        self.observer.check(table, item).map_err(|misfit| Arc::new(misfit) as Objection)
    }
}
