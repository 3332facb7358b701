//! What can go wrong, and the status that each has over HTTP.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use example_web::failure::{self, Failure};
use monotable::{Entity, Error, WriteError};

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
    /// It failed for a reason that any request can have.
    Failed(Failure),
}

impl AppError {
    /// The request makes no sense.
    pub fn invalid(message: impl Into<String>) -> AppError {
        AppError::Failed(Failure::Invalid(message.into()))
    }

    /// A mistake of this service, which is written to the log.
    pub fn internal(reason: impl std::fmt::Display) -> AppError {
        AppError::Failed(Failure::internal(reason))
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
            AppError::Failed(failure) => failure.status(),
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
            AppError::Failed(failure) => failure.wording(),
        }
    }
}

impl From<Failure> for AppError {
    fn from(failure: Failure) -> AppError {
        AppError::Failed(failure)
    }
}

impl From<Error> for AppError {
    fn from(error: Error) -> AppError {
        AppError::Failed(error.into())
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
        failure::refusal(self.status(), error, &message)
    }
}
