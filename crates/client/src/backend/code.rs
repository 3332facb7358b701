//! What DynamoDB's error codes mean to a caller.

use super::{BackendError, ErrorKind};

/// The code of an error for a request that was not answered at all.
const NO_ANSWER: &str = "NoAnswer";

impl ErrorKind {
    /// Returns what a caller can do about an error with this code, as far as the code alone says
    /// it.
    pub fn of_code(code: &str) -> ErrorKind {
        match code {
            "ConditionalCheckFailedException" => ErrorKind::ConditionFailed { item: None },
            "TransactionCanceledException" => {
                ErrorKind::TransactionCancelled { reasons: Vec::new() }
            }
            "TransactionConflictException" | "TransactionInProgressException" => {
                ErrorKind::Conflict
            }
            "ProvisionedThroughputExceededException"
            | "ThrottlingException"
            | "RequestLimitExceeded" => ErrorKind::Throttled,
            "ValidationException" | "SerializationException" => ErrorKind::Validation,
            "ResourceNotFoundException" | "TableNotFoundException" => ErrorKind::NotFound,
            "ResourceInUseException" | "TableInUseException" => ErrorKind::InUse,
            "InternalServerError" | "ServiceUnavailableException" | NO_ANSWER => {
                ErrorKind::Unavailable
            }
            _ => ErrorKind::Other,
        }
    }
}

impl BackendError {
    /// An error of the service.
    pub fn of_service(code: &str, message: &str) -> BackendError {
        let kind = ErrorKind::of_code(code);
        BackendError { kind, code: code.to_owned(), message: message.to_owned() }
    }

    /// The request was not answered; whether a write happened is unknown.
    pub fn unanswered(reason: &str) -> BackendError {
        BackendError::of_service(NO_ANSWER, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_sent_again_is_told_from_what_is_wrong() {
        for (code, kind) in [
            ("ThrottlingException", ErrorKind::Throttled),
            ("TransactionConflictException", ErrorKind::Conflict),
            ("ValidationException", ErrorKind::Validation),
            ("ResourceNotFoundException", ErrorKind::NotFound),
            ("ItemCollectionSizeLimitExceededException", ErrorKind::Other),
        ] {
            assert_eq!(ErrorKind::of_code(code), kind, "{code}");
        }
    }

    #[test]
    fn a_request_without_an_answer_may_have_been_carried_out() {
        assert_eq!(BackendError::unanswered("closed").kind, ErrorKind::Unavailable);
    }
}
