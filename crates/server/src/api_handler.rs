//! The API as a [`Handler`].

use std::error::Error;
use std::sync::Arc;

use monotable_api::{Api, ApiError};
use monotable_faults::FaultPlan;
use monotable_storage::Engine;

use crate::handler::{Answer, Handler};

impl<E: Engine> Handler for Api<E> {
    async fn call(&self, target: &str, body: &[u8]) -> Answer {
        match Api::call(self, target, body).await {
            Ok(body) => Answer { status: 200, body },
            Err(error) => Answer::from(error),
        }
    }

    async fn catch_up(&self) {
        if let Err(error) = Api::catch_up(self).await {
            tracing::error!(%error, "work that became due with the clock could not be done");
        }
    }

    fn faults(&self) -> Arc<FaultPlan> {
        Api::faults(self)
    }

    fn set_faults(&self, plan: FaultPlan) {
        Api::set_faults(self, plan);
    }

    fn failed(&self, cause: &(dyn Error + 'static)) -> Answer {
        Answer::from(ApiError::internal(cause))
    }
}

impl From<ApiError> for Answer {
    fn from(error: ApiError) -> Answer {
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
