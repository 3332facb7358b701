//! The seam between HTTP and the API.

use std::error::Error;
use std::future::{Future, ready};
use std::sync::Arc;

use hyper::StatusCode;
use monotable_database::{Lags, Rewind, RewindError, SavedTables, VectorStatistics};
use monotable_faults::FaultPlan;
use monotable_identity::{AuthenticationError, Caller};
use monotable_observe::Observer;

/// What a call is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The JSON text.
    pub body: Vec<u8>,
}

/// The status of an answer that is none: the connection is closed.
const NO_ANSWER: u16 = 444;

impl Answer {
    /// No answer: the connection is closed instead.
    pub fn none() -> Answer {
        Answer { status: NO_ANSWER, body: Vec::new() }
    }
}

/// Whether an answer with this status is none.
pub(crate) fn is_none(status: StatusCode) -> bool {
    status.as_u16() == NO_ANSWER
}

/// Answers calls. The HTTP layer has checked the method, the media type and the limits; the rest is
/// for the handler to judge.
pub trait Handler: Send + Sync + 'static {
    /// Answers one call: who sends it, the value of its `X-Amz-Target` header, empty if there is
    /// none, and its body.
    ///
    /// The future is dropped when the connection is found to be broken.
    fn call(
        &self,
        caller: &Caller,
        target: &str,
        body: &[u8],
    ) -> impl Future<Output = Answer> + Send;

    /// What a client sees whose call is nobody's.
    fn refuse(&self, error: &AuthenticationError) -> Answer;

    /// Does the work that has become due. It is called after the database's clock was moved.
    fn catch_up(&self) -> impl Future<Output = ()> + Send;

    /// Takes all tables back to what they were, or to nothing.
    fn rewind(&self, to: Rewind) -> impl Future<Output = Result<(), RewindError>> + Send {
        drop(to);
        ready(Ok(()))
    }

    /// Keeps all tables as they are under a name.
    fn save_tables(&self, _name: &str) -> impl Future<Output = Result<(), RewindError>> + Send {
        ready(Ok(()))
    }

    /// What is kept of tables, by name.
    fn saved_tables(&self) -> Vec<Arc<SavedTables>> {
        Vec::new()
    }

    /// Forgets what is kept under a name; returns whether there was anything.
    fn forget_saved(&self, _name: &str) -> bool {
        false
    }

    /// How far the work in the background is behind, for the metrics.
    fn lags(&self) -> impl Future<Output = Lags> + Send {
        ready(Lags::default())
    }

    /// How vectors were searched, for the metrics.
    fn vector_statistics(&self) -> VectorStatistics {
        VectorStatistics::default()
    }

    /// How much memory a call may take besides its body, for its work and its answer; 0 if that is
    /// as little as that of most calls.
    fn room_bytes(&self, _target: &str, _body_bytes: usize) -> usize {
        0
    }

    /// Whether an operation asks for the name that the server was called by.
    fn asks_for_host(&self, _target: &str) -> bool {
        false
    }

    /// What a client sees that has to come back later, because the server is busy with others.
    fn busy(&self) -> Answer;

    /// The faults that calls fail by.
    fn faults(&self) -> Arc<FaultPlan> {
        Arc::default()
    }

    /// Lets calls fail by these faults, and by no others, from here on.
    fn set_faults(&self, plan: FaultPlan) {
        drop(plan);
    }

    /// Who sees what calls are in the models that are loaded, if anybody does.
    fn observer(&self) -> Option<&Observer> {
        None
    }

    /// Takes note that the models of the observer have changed.
    fn models_changed(&self) {}

    /// What a client sees when a call broke down; `cause` is for the log.
    fn failed(&self, cause: &(dyn Error + 'static)) -> Answer;
}
