//! What can go wrong, and the status that each has over HTTP.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use example_web::failure::{self, Failure};
use monotable::db::TransactError;
use monotable::{Entity, Error, WriteError};

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub enum AppError {
    /// There is none of what the request names.
    Missing(Thing),
    /// There is one already.
    Exists(Thing),
    /// The user is in as many organizations as can be.
    TooManyOrganizations,
    /// It failed for a reason that any request can have.
    Failed(Failure),
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
            AppError::Missing(_) => StatusCode::NOT_FOUND,
            AppError::Exists(_) | AppError::TooManyOrganizations => StatusCode::CONFLICT,
            AppError::Failed(failure) => failure.status(),
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
        failure::refusal(self.status(), error, &message)
    }
}
