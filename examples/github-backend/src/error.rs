//! What can go wrong, and the status that each has over HTTP.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use monotable::backend::ErrorKind;
use monotable::db::TransactError;
use monotable::{Entity, Error, WriteError};
use serde::Serialize;

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub enum AppError {
    /// There is none of what the request names.
    Missing(Thing),
    /// There is one already.
    Exists(Thing),
    /// The user is in as many organizations as can be.
    TooManyOrganizations,
    /// The request makes no sense.
    Invalid(String),
    /// The cursor is not one that this service made for this list.
    BadCursor,
    /// The database is busy or away; the request may be sent again.
    Unavailable,
    /// A mistake of this service. The reason is in its log.
    Internal,
}

/// What a request can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// A user or an organization.
    Account,
    /// An organization.
    Organization,
    /// A user.
    User,
    /// A place in an organization.
    Membership,
    /// A repository.
    Repository,
    /// A star of a repository.
    Star,
    /// An issue.
    Issue,
    /// A pull request.
    PullRequest,
    /// A comment.
    Comment,
    /// A reaction.
    Reaction,
}

/// The body of a refused request.
#[derive(Serialize)]
struct Body {
    error: &'static str,
    message: String,
}

impl Thing {
    fn noun(self) -> &'static str {
        match self {
            Thing::Account => "account",
            Thing::Organization => "organization",
            Thing::User => "user",
            Thing::Membership => "membership",
            Thing::Repository => "repository",
            Thing::Star => "star",
            Thing::Issue => "issue",
            Thing::PullRequest => "pull request",
            Thing::Comment => "comment",
            Thing::Reaction => "reaction",
        }
    }
}

impl AppError {
    /// A mistake of this service, which is written to the log.
    pub fn internal(reason: impl std::fmt::Display) -> AppError {
        tracing::error!(%reason, "a request failed");
        AppError::Internal
    }

    fn status(&self) -> StatusCode {
        match self {
            AppError::Missing(_) => StatusCode::NOT_FOUND,
            AppError::Exists(_) | AppError::TooManyOrganizations => StatusCode::CONFLICT,
            AppError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            AppError::BadCursor => StatusCode::BAD_REQUEST,
            AppError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            AppError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A word for programs and a sentence for people.
    fn wording(&self) -> (&'static str, String) {
        match self {
            AppError::Missing(thing) => ("missing", format!("there is no such {}", thing.noun())),
            AppError::Exists(thing) => ("exists", format!("the {} exists", thing.noun())),
            AppError::TooManyOrganizations => {
                ("too-many-organizations", "the user is in too many organizations".into())
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

/// A refusal is what its step said.
impl From<TransactError<AppError>> for AppError {
    fn from(error: TransactError<AppError>) -> AppError {
        match error {
            TransactError::Refused(refusal) => {
                let unnamed = || AppError::internal(format!("step {} was refused", refusal.at));
                refusal.error.unwrap_or_else(unnamed)
            }
            TransactError::Failed(error) => error.into(),
            error => AppError::internal(error),
        }
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
