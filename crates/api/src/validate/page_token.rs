//! Page tokens of lists that are always empty: any token is invalid.

use crate::error::ApiError;

/// Refuses a token, if there is one.
pub(crate) fn refuse(token: &Option<String>) -> Result<(), ApiError> {
    match token {
        None => Ok(()),
        Some(token) => {
            Err(ApiError::invalid_request(format!("Provided nextToken is invalid: {token}")))
        }
    }
}
