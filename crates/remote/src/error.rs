//! What can go wrong between a client and an endpoint.

use std::path::PathBuf;

use serde_json::Value;

/// Why a call has no answer, or not one that helps.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not an address that can be called.
    #[error("{text:?} is not an address such as http://127.0.0.1:8000")]
    InvalidAddress {
        /// What was given.
        text: String,
    },
    /// The profile that `AWS_PROFILE` names has no keys.
    #[error(
        "there are no keys of the profile {profile:?} in ~/.aws/credentials; for other kinds of \
         profiles: eval \"$(aws configure export-credentials --profile {profile} --format env)\""
    )]
    NoProfile {
        /// The profile.
        profile: String,
    },
    /// What `AWS_CA_BUNDLE` names holds no certificates.
    #[error("AWS_CA_BUNDLE names {}, which cannot be used: {reason}", path.display())]
    InvalidBundle {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody answers there.
    #[error("{address} does not answer: {reason}")]
    Unreachable {
        /// Who was called.
        address: String,
        /// What happened instead.
        reason: String,
    },
    /// The endpoint answered with an error.
    #[error("{operation} was refused: {code}: {message}")]
    Refused {
        /// What was asked for.
        operation: String,
        /// The HTTP status.
        status: u16,
        /// The error's name without its namespace.
        code: String,
        /// The error's text.
        message: String,
        /// The whole answer, for what only some errors have: `CancellationReasons`, `Item`.
        body: Box<Value>,
    },
    /// The answer lacks something it must have.
    #[error("the answer to {operation} has no {member}")]
    Malformed {
        /// What was asked for.
        operation: &'static str,
        /// What is missing.
        member: &'static str,
    },
    /// The JSON is not that of an item or value.
    #[error("not an item: {reason}")]
    InvalidItem {
        /// What is wrong with it.
        reason: String,
    },
}

impl Error {
    /// Whether the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Error::Unreachable { .. } => true,
            Error::Refused { status, code, .. } => *status >= 500 || is_throttle(code),
            Error::InvalidAddress { .. }
            | Error::NoProfile { .. }
            | Error::InvalidBundle { .. }
            | Error::Malformed { .. }
            | Error::InvalidItem { .. } => false,
        }
    }

    /// Whether the endpoint answered with the error of this name.
    pub fn is_refusal(&self, name: &str) -> bool {
        matches!(self, Error::Refused { code, .. } if code == name)
    }

    pub(crate) fn invalid_item(reason: &dyn std::error::Error) -> Error {
        Error::InvalidItem { reason: reason.to_string() }
    }
}

fn is_throttle(code: &str) -> bool {
    matches!(
        code,
        "ThrottlingException"
            | "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
            | "LimitExceededException"
    )
}

/// The cause that says most: HTTP clients wrap it in several that say less.
pub fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
