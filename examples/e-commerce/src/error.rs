//! What can go wrong, and the status that each has over HTTP.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use monotable::backend::ErrorKind;
use monotable::{Entity, Error, WriteError};
use serde::Serialize;

use crate::schema::Status;

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub enum AppError {
    /// There is no customer of this name.
    NoCustomer,
    /// The customer has no address of this name.
    NoAddress,
    /// There is no such order.
    NoOrder,
    /// Another customer has the name.
    UsernameTaken,
    /// Another customer has the e-mail address.
    EmailTaken,
    /// The customer has another e-mail address than the request says.
    EmailChanged,
    /// The customer has as many addresses as can be.
    TooManyAddresses,
    /// Two items of the order are the same, or its id exists.
    OrderExists,
    /// The order cannot get this status.
    StatusRefused {
        /// The status that it has.
        current: Status,
    },
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
struct Body {
    error: &'static str,
    message: String,
}

impl AppError {
    /// A mistake of this service, which is written to the log.
    pub fn internal(reason: impl std::fmt::Display) -> AppError {
        tracing::error!(%reason, "a request failed");
        AppError::Internal
    }

    fn status(&self) -> StatusCode {
        match self {
            AppError::NoCustomer | AppError::NoAddress | AppError::NoOrder => StatusCode::NOT_FOUND,
            AppError::UsernameTaken
            | AppError::EmailTaken
            | AppError::EmailChanged
            | AppError::TooManyAddresses
            | AppError::OrderExists
            | AppError::StatusRefused { .. } => StatusCode::CONFLICT,
            AppError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            AppError::BadCursor => StatusCode::BAD_REQUEST,
            AppError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            AppError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A word for programs and a sentence for people.
    fn wording(&self) -> (&'static str, String) {
        match self {
            AppError::NoCustomer => ("no-customer", "there is no such customer".into()),
            AppError::NoAddress => ("no-address", "the customer has no such address".into()),
            AppError::NoOrder => ("no-order", "there is no such order".into()),
            AppError::UsernameTaken => ("username-taken", "the name is taken".into()),
            AppError::EmailTaken => ("email-taken", "the e-mail address is taken".into()),
            AppError::EmailChanged => {
                ("email-changed", "the customer has another e-mail address".into())
            }
            AppError::TooManyAddresses => {
                ("too-many-addresses", "remove an address before you add one".into())
            }
            AppError::OrderExists => {
                ("order-exists", "each item of an order is listed once".into())
            }
            AppError::StatusRefused { current } => {
                ("status-refused", format!("the order is {current:?}"))
            }
            AppError::Invalid(message) => ("invalid", message.clone()),
            AppError::BadCursor => ("bad-cursor", "begin again without `after`".into()),
            AppError::Unavailable => ("unavailable", "try again".into()),
            AppError::Internal => ("internal", "something went wrong here".into()),
        }
    }
}

/// What the client reports that no operation has a meaning of its own for.
impl From<Error> for AppError {
    fn from(error: Error) -> AppError {
        match &error {
            Error::Key { .. } | Error::KeyTooLong { .. } | Error::Transaction(_) => {
                AppError::Invalid(error.to_string())
            }
            Error::Cursor(_) => AppError::BadCursor,
            Error::Backend(backend) => match backend.kind {
                ErrorKind::Throttled | ErrorKind::Conflict | ErrorKind::Unavailable => {
                    AppError::Unavailable
                }
                _ => AppError::internal(error),
            },
            _ => AppError::internal(error),
        }
    }
}

impl<E: Entity> From<WriteError<E>> for AppError {
    fn from(error: WriteError<E>) -> AppError {
        Error::from(error).into()
    }
}

impl From<anyhow::Error> for AppError {
    fn from(error: anyhow::Error) -> AppError {
        AppError::internal(error)
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let (error, message) = self.wording();
        (self.status(), Json(Body { error, message })).into_response()
    }
}
