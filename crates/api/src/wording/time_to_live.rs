//! Why the items of a table expire as before.

use monotable_database::TimeToLiveError;

use crate::error::ApiError;

/// The answer when a change fails in the database.
pub(crate) fn word(error: TimeToLiveError) -> ApiError {
    match error {
        TimeToLiveError::AlreadyEnabled => ApiError::validation("TimeToLive is already enabled"),
        TimeToLiveError::AlreadyDisabled => ApiError::validation("TimeToLive is already disabled"),
        TimeToLiveError::OtherAttribute { current } => ApiError::validation(format!(
            "TimeToLive is active on a different AttributeName: current AttributeName is {current}"
        )),
        TimeToLiveError::TooSoon => ApiError::validation(
            "Time to live has been modified multiple times within a fixed interval",
        ),
        TimeToLiveError::SchemaChanged => ApiError::out_of_date(),
        TimeToLiveError::Storage(error) => error.into(),
        other => ApiError::internal(&other),
    }
}
