//! What can go wrong in any service, and the answer to a request that was not carried out.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use monotable::Error;
use monotable::backend::ErrorKind;
use serde::Serialize;

/// Why a request failed, whatever it was about.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// The request makes no sense.
    Invalid(String),
    /// The cursor is not one that this service made for this list.
    BadCursor,
    /// The database is busy or away; the request may be sent again.
    Unavailable,
    /// A mistake of this service. The reason is in its log.
    Internal,
}

/// The body of a refused request.
#[derive(Serialize)]
struct Body<'a> {
    error: &'a str,
    message: &'a str,
}

impl Failure {
    /// A mistake of this service, which is written to the log.
    pub fn internal(reason: impl std::fmt::Display) -> Failure {
        tracing::error!(%reason, "a request failed");
        Failure::Internal
    }

    /// The status over HTTP.
    pub fn status(&self) -> StatusCode {
        match self {
            Failure::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Failure::BadCursor => StatusCode::BAD_REQUEST,
            Failure::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A word for programs and a sentence for people.
    pub fn wording(&self) -> (&'static str, String) {
        match self {
            Failure::Invalid(message) => ("invalid", message.clone()),
            Failure::BadCursor => ("bad-cursor", "begin again without `after`".into()),
            Failure::Unavailable => ("unavailable", "try again".into()),
            Failure::Internal => ("internal", "something went wrong here".into()),
        }
    }
}

/// What the client reports that no operation has a meaning of its own for.
impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match &error {
            Error::Key { .. } | Error::KeyTooLong { .. } | Error::Transaction(_) => {
                Failure::Invalid(error.to_string())
            }
            Error::Cursor(_) => Failure::BadCursor,
            Error::Backend(backend) => match backend.kind {
                ErrorKind::Throttled | ErrorKind::Conflict | ErrorKind::Unavailable => {
                    Failure::Unavailable
                }
                _ => Failure::internal(error),
            },
            _ => Failure::internal(error),
        }
    }
}

/// The answer to a request that was not carried out: a word for programs, a sentence for people.
pub fn refusal(status: StatusCode, error: &str, message: &str) -> Response {
    (status, Json(Body { error, message })).into_response()
}
