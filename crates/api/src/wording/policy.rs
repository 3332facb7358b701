//! Why a document is no policy of a table or stream.

use monotable_policy::{PolicyError, Problem, RESOURCE_POLICY_BYTES_MAX};

use crate::error::ApiError;

/// The answer to a document that is no policy. Where the service's words are not known, what
/// follows its beginning is ours.
pub(crate) fn word(error: &PolicyError) -> ApiError {
    match error {
        PolicyError::TooLarge { .. } => ApiError::parameter(format!(
            "Maximum policy size of {RESOURCE_POLICY_BYTES_MAX} bytes exceeded"
        )),
        PolicyError::NotJson { .. } => invalid_document("This policy contains invalid Json"),
        PolicyError::Invalid { problem: Problem::NoStatements, .. } => {
            invalid_document("Could not parse the policy: Statement is empty!")
        }
        PolicyError::Invalid { problem: Problem::SidTwice { .. }, .. } => {
            invalid_document("The Statement Ids in the policy are not unique")
        }
        PolicyError::Invalid { problem: Problem::Missing { name }, .. } => {
            // Of two members that exclude each other the first one is asked for.
            let name = name.split_once(' ').map_or(*name, |(first, _)| first);
            invalid_document(&format!("Missing required field {name}"))
        }
        other => invalid_document(&other.to_string()),
    }
}

/// The answer to a document with something wrong in it.
pub(crate) fn invalid_document(detail: &str) -> ApiError {
    ApiError::parameter(format!("Invalid policy document: {detail}"))
}

/// The answer to whoever would shut themselves out.
pub(crate) fn locks_out_caller() -> ApiError {
    ApiError::access_denied(
        "The new resource policy will not allow you to update the resource policy in the future."
            .to_owned(),
    )
}

/// The answer to whoever asks for the policy of another account's table.
pub(crate) fn not_the_owner() -> ApiError {
    ApiError::validation(
        "This action is only supported by accounts that match the resource owner\u{2019}s account.",
    )
}
