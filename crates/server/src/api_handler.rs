//! The API as a [`Handler`].

use std::error::Error;
use std::sync::Arc;

use monotable_api::{Api, ApiError, observation};
use monotable_database::{Lags, Rewind, RewindError, SavedTables, VectorStatistics};
use monotable_faults::FaultPlan;
use monotable_identity::{AuthenticationError, Caller};
use monotable_observe::Observer;
use monotable_storage::Engine;

use crate::handler::{Answer, Handler};

impl<E: Engine> Handler for Api<E> {
    async fn call(&self, caller: &Caller, target: &str, body: &[u8]) -> Answer {
        match Api::call(self, caller, target, body).await {
            Ok(body) => Answer { status: 200, body },
            Err(error) => Answer::from(error),
        }
    }

    fn refuse(&self, error: &AuthenticationError) -> Answer {
        Answer::from(ApiError::unauthenticated(error))
    }

    async fn catch_up(&self) {
        if let Err(error) = Api::catch_up(self).await {
            tracing::error!(%error, "work that became due with the clock could not be done");
        }
    }

    async fn rewind(&self, to: Rewind) -> Result<(), RewindError> {
        Api::rewind(self, to).await
    }

    async fn save_tables(&self, name: &str) -> Result<(), RewindError> {
        Api::save_tables(self, name).await
    }

    fn saved_tables(&self) -> Vec<Arc<SavedTables>> {
        Api::saved_tables(self)
    }

    fn forget_saved(&self, name: &str) -> bool {
        Api::forget_saved(self, name)
    }

    async fn lags(&self) -> Lags {
        Api::lags(self).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "how far the background is behind cannot be told");
            Lags::default()
        })
    }

    fn vector_statistics(&self) -> VectorStatistics {
        Api::vector_statistics(self)
    }

    #[inline]
    fn room_bytes(&self, target: &str, body_bytes: usize) -> usize {
        monotable_api::room_bytes(target, body_bytes)
    }

    #[inline]
    fn asks_for_host(&self, target: &str) -> bool {
        monotable_api::asks_for_host(target)
    }

    fn busy(&self) -> Answer {
        Answer::from(ApiError::busy())
    }

    fn faults(&self) -> Arc<FaultPlan> {
        Api::faults(self)
    }

    fn set_faults(&self, plan: FaultPlan) {
        Api::set_faults(self, plan);
    }

    fn observer(&self) -> Option<&Observer> {
        Some(Api::observer(self))
    }

    fn models_changed(&self) {
        Api::man_guard(self);
    }

    fn failed(&self, cause: &(dyn Error + 'static)) -> Answer {
        Answer::from(ApiError::internal(cause))
    }
}

impl From<ApiError> for Answer {
    fn from(error: ApiError) -> Answer {
        observation::note_error(error.code());
        if error.is_unanswered() {
            return Answer::none();
        }
        Answer { status: error.status(), body: error.into_body() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_of_a_busy_server_is_told_to_come_back() {
        let answer = Answer::from(ApiError::busy());
        assert_eq!(answer.status, 503);
        let body = String::from_utf8(answer.body).unwrap();
        assert_eq!(
            body,
            r#"{"__type":"com.amazon.coral.service#ServiceUnavailableException","message":"The service is currently unavailable or busy."}"#
        );
    }

    #[test]
    fn a_call_that_broke_down_is_an_internal_server_error() {
        let cause = std::io::Error::other("what only the log may say");
        let answer = Answer::from(ApiError::internal(&cause));
        assert_eq!(answer.status, 500);
        let body = String::from_utf8(answer.body).unwrap();
        assert_eq!(
            body,
            r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"}"#
        );
    }
}
