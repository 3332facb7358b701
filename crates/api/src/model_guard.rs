//! Looks at the items that writes make, and refuses those that do not fit their model, if asked to.

use std::sync::Arc;

use bytes::Bytes;
use monotable_database::schema::TableSchema;
use monotable_database::{Consequence, ItemGuard, ItemKey, Judgement, Objection};
use monotable_observe::{CheckMode, Misfit, MisfitOutcome, Observer};

use crate::gate::{called, key_bytes};

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
    fn judge(&self, schema: &TableSchema, key: &ItemKey, item: &Bytes) -> Judgement {
        let Some(key) = key_bytes(schema, key, item) else { return Judgement::Fits };
        let Err(misfit) = self.observer.check(called(schema), key, item) else {
            return Judgement::Fits;
        };
        let objection: Objection = Arc::new(misfit);
        match self.observer.mode() {
            CheckMode::Reject => Judgement::Refused(objection),
            CheckMode::Warn | CheckMode::Off => Judgement::Tolerated(objection),
        }
    }

    fn note(&self, schema: &TableSchema, objection: &Objection, consequence: Consequence) {
        let became = match consequence {
            Consequence::Written => MisfitOutcome::Written,
            Consequence::Refused => MisfitOutcome::Refused,
        };
        if let Some(misfit) = objection.downcast_ref::<Misfit>() {
            self.observer.note_misfit(called(schema), misfit, became);
        }
    }
}
