//! Errors as clients see them: the one place with AWS's codes, texts and statuses.

use bytes::Bytes;
use monotable_database::off_worker;
use monotable_identity::AuthenticationError;
use monotable_item::stored::CorruptItem;
use monotable_protocol::error_response::{CancellationReason, ErrorResponse, ThrottlingReason};
use monotable_protocol::{Encode, ResponseItem, encode_json};
use monotable_storage::ErrorKind as StorageErrorKind;

use crate::wording;

/// What the text of an error starts with where a request was refused by the newer validation layer.
const ENVELOPE: &str = "1 validation error detected: ";

/// An answer that is an error.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    code: Code,
    message: Option<String>,
    item: Option<ResponseItem>,
    reasons: Option<Vec<CancellationReason>>,
    throttling_reasons: Option<Vec<ThrottlingReason>>,
    /// Whether the connection is closed instead of answering.
    is_unanswered: bool,
    /// Whether the older validation layer answers, which envelopes nothing.
    is_of_older_layer: bool,
    /// Whether a table has changed since the request was checked against it, so that it is to be
    /// checked again.
    is_out_of_date: bool,
}

/// The codes of errors. Their full names and the spelling of their text's member differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The request is not valid.
    Validation,
    /// The body is not of the operation's shape.
    Serialization,
    /// There is no such operation.
    UnknownOperation,
    /// There is no such table or index.
    ResourceNotFound,
    /// There is no such table, of the actions on backups and exports.
    TableNotFound,
    /// There is no such backup.
    BackupNotFound,
    /// There is no such export.
    ExportNotFound,
    /// There is no such import.
    ImportNotFound,
    /// There is no such global table.
    GlobalTableNotFound,
    /// The table is not backed up.
    ContinuousBackupsUnavailable,
    /// The table cannot be recovered to a point in time.
    PointInTimeRecoveryUnavailable,
    /// The time of an export makes no sense.
    InvalidExportTime,
    /// The table exists, or is being changed.
    ResourceInUse,
    /// A limit is reached.
    LimitExceeded,
    /// A condition does not hold.
    ConditionalCheckFailed,
    /// A transaction did not happen.
    TransactionCanceled,
    /// A token was used for another request.
    IdempotentParameterMismatch,
    /// An item collection is full.
    ItemCollectionSizeLimitExceeded,
    /// A shard iterator is too old.
    ExpiredIterator,
    /// A place in a shard is one whose records have been removed.
    TrimmedDataAccess,
    /// The item to insert is there.
    DuplicateItem,
    /// A transaction is under way on the item.
    TransactionConflict,
    /// A table or stream has no policy, or another revision of it.
    PolicyNotFound,
    /// Policies do not allow it.
    AccessDenied,
    /// The request is not signed.
    MissingAuthenticationToken,
    /// The signature lacks a part, or a part makes no sense.
    IncompleteSignature,
    /// The signature is wrong, or not for here and now.
    InvalidSignature,
    /// The key or its token is not known.
    UnrecognizedClient,
    /// The key counts no more.
    ExpiredToken,
    /// The same transaction is under way.
    TransactionInProgress,
    /// The throughput of a provisioned table or index is exceeded.
    ProvisionedThroughputExceeded,
    /// The throughput of an on-demand table or index is exceeded.
    Throttling,
    /// The throughput of the account is exceeded.
    RequestLimitExceeded,
    /// The server cannot do it now.
    ServiceUnavailable,
    /// The server failed.
    InternalServerError,
}

impl Code {
    /// The full name, as it stands in `__type`.
    fn full_name(self) -> &'static str {
        match self {
            Code::Validation => "com.amazon.coral.validate#ValidationException",
            Code::Serialization => "com.amazon.coral.service#SerializationException",
            Code::UnknownOperation => "com.amazon.coral.service#UnknownOperationException",
            Code::ResourceNotFound => "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
            Code::TableNotFound => "com.amazonaws.dynamodb.v20120810#TableNotFoundException",
            Code::BackupNotFound => "com.amazonaws.dynamodb.v20120810#BackupNotFoundException",
            Code::ExportNotFound => "com.amazonaws.dynamodb.v20120810#ExportNotFoundException",
            Code::ImportNotFound => "com.amazonaws.dynamodb.v20120810#ImportNotFoundException",
            Code::GlobalTableNotFound => {
                "com.amazonaws.dynamodb.v20120810#GlobalTableNotFoundException"
            }
            Code::ContinuousBackupsUnavailable => {
                "com.amazonaws.dynamodb.v20120810#ContinuousBackupsUnavailableException"
            }
            Code::PointInTimeRecoveryUnavailable => {
                "com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException"
            }
            Code::InvalidExportTime => {
                "com.amazonaws.dynamodb.v20120810#InvalidExportTimeException"
            }
            Code::ResourceInUse => "com.amazonaws.dynamodb.v20120810#ResourceInUseException",
            Code::LimitExceeded => "com.amazonaws.dynamodb.v20120810#LimitExceededException",
            Code::ConditionalCheckFailed => {
                "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"
            }
            Code::TransactionCanceled => {
                "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
            }
            Code::IdempotentParameterMismatch => {
                "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"
            }
            Code::ItemCollectionSizeLimitExceeded => {
                "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"
            }
            Code::ExpiredIterator => "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException",
            Code::TrimmedDataAccess => {
                "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"
            }
            Code::DuplicateItem => "com.amazonaws.dynamodb.v20120810#DuplicateItemException",
            Code::TransactionConflict => {
                "com.amazonaws.dynamodb.v20120810#TransactionConflictException"
            }
            Code::PolicyNotFound => "com.amazonaws.dynamodb.v20120810#PolicyNotFoundException",
            Code::AccessDenied => "com.amazon.coral.service#AccessDeniedException",
            Code::MissingAuthenticationToken => {
                "com.amazon.coral.service#MissingAuthenticationTokenException"
            }
            Code::IncompleteSignature => "com.amazon.coral.service#IncompleteSignatureException",
            Code::InvalidSignature => "com.amazon.coral.service#InvalidSignatureException",
            Code::UnrecognizedClient => "com.amazon.coral.service#UnrecognizedClientException",
            Code::ExpiredToken => "com.amazon.coral.service#ExpiredTokenException",
            Code::TransactionInProgress => {
                "com.amazonaws.dynamodb.v20120810#TransactionInProgressException"
            }
            Code::ProvisionedThroughputExceeded => {
                "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
            }
            Code::Throttling => "com.amazonaws.dynamodb.v20120810#ThrottlingException",
            Code::RequestLimitExceeded => "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded",
            Code::ServiceUnavailable => "com.amazon.coral.service#ServiceUnavailableException",
            Code::InternalServerError => "com.amazonaws.dynamodb.v20120810#InternalServerError",
        }
    }

    /// The name that clients know it by.
    pub fn name(self) -> &'static str {
        let full_name = self.full_name();
        full_name.rsplit_once('#').map_or(full_name, |(_, name)| name)
    }

    /// Whether the text stands under `Message` and not under `message`.
    fn capitalizes_message(self) -> bool {
        match self {
            Code::Serialization
            | Code::TransactionCanceled
            | Code::TransactionInProgress
            | Code::IdempotentParameterMismatch
            | Code::AccessDenied => true,
            Code::Validation
            | Code::UnknownOperation
            | Code::ResourceNotFound
            | Code::TableNotFound
            | Code::BackupNotFound
            | Code::ExportNotFound
            | Code::ImportNotFound
            | Code::GlobalTableNotFound
            | Code::ContinuousBackupsUnavailable
            | Code::PointInTimeRecoveryUnavailable
            | Code::InvalidExportTime
            | Code::ResourceInUse
            | Code::LimitExceeded
            | Code::ConditionalCheckFailed
            | Code::ItemCollectionSizeLimitExceeded
            | Code::ExpiredIterator
            | Code::TrimmedDataAccess
            | Code::DuplicateItem
            | Code::TransactionConflict
            | Code::PolicyNotFound
            | Code::MissingAuthenticationToken
            | Code::IncompleteSignature
            | Code::InvalidSignature
            | Code::UnrecognizedClient
            | Code::ExpiredToken
            | Code::ProvisionedThroughputExceeded
            | Code::Throttling
            | Code::RequestLimitExceeded
            | Code::ServiceUnavailable
            | Code::InternalServerError => false,
        }
    }
}

impl ApiError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError::with_message(code, Some(message.into()))
    }

    fn with_message(code: Code, message: Option<String>) -> ApiError {
        ApiError {
            code,
            message,
            item: None,
            reasons: None,
            throttling_reasons: None,
            is_unanswered: false,
            is_of_older_layer: false,
            is_out_of_date: false,
        }
    }

    /// The request is not valid, with DynamoDB's text.
    pub(crate) fn validation(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::Validation, message)
    }

    /// The request is not valid, with DynamoDB's text after its most usual beginning.
    pub(crate) fn parameter(message: impl AsRef<str>) -> ApiError {
        let message = message.as_ref();
        ApiError::validation(format!("One or more parameter values were invalid: {message}"))
    }

    /// The body is not of the operation's shape.
    pub(crate) fn serialization(message: Option<String>) -> ApiError {
        ApiError::with_message(Code::Serialization, message)
    }

    /// There is no such operation.
    pub(crate) fn unknown_operation() -> ApiError {
        ApiError::with_message(Code::UnknownOperation, None)
    }

    /// Policies do not allow the caller to do it.
    pub(crate) fn access_denied(message: String) -> ApiError {
        ApiError::new(Code::AccessDenied, message)
    }

    /// A call on items names a table that does not exist.
    pub(crate) fn resource_not_found() -> ApiError {
        ApiError::new(Code::ResourceNotFound, "Requested resource not found")
    }

    /// A call on a table names one that does not exist.
    pub(crate) fn table_not_found(name: &str) -> ApiError {
        let message = format!("Requested resource not found: Table: {name} not found");
        ApiError::new(Code::ResourceNotFound, message)
    }

    /// A call on backups or exports names a table that does not exist.
    pub(crate) fn unknown_table(name_or_arn: &str) -> ApiError {
        ApiError::new(Code::TableNotFound, format!("Table not found: {name_or_arn}"))
    }

    /// A call on backups names one that does not exist.
    pub(crate) fn backup_not_found(arn: &str) -> ApiError {
        ApiError::new(Code::BackupNotFound, format!("Backup not found: {arn}"))
    }

    /// A call on exports names one that does not exist. The service says so twice.
    pub(crate) fn export_not_found(arn: &str) -> ApiError {
        let message = format!("Export not found: Export not found: {arn}");
        ApiError::new(Code::ExportNotFound, message)
    }

    /// A call on imports names one that does not exist, in words like those of exports.
    pub(crate) fn import_not_found(arn: &str) -> ApiError {
        let message = format!("Import not found: Import not found: {arn}");
        ApiError::new(Code::ImportNotFound, message)
    }

    /// A call names a global table that does not exist.
    pub(crate) fn global_table_not_found(name: &str) -> ApiError {
        let message =
            format!("Global table not found: Global table with name: '{name}' does not exist.");
        ApiError::new(Code::GlobalTableNotFound, message)
    }

    /// A call on the settings of a global table names one that does not exist.
    pub(crate) fn global_table_settings_not_found(name: &str) -> ApiError {
        ApiError::new(Code::GlobalTableNotFound, no_global_table(name))
    }

    /// A call on the replicas of a table names one that has none.
    pub(crate) fn replicas_not_found(name: &str) -> ApiError {
        ApiError::new(Code::ResourceNotFound, no_global_table(name))
    }

    /// Backups are asked for, which are not made here; the text says so.
    pub(crate) fn backups_unavailable(message: &str) -> ApiError {
        ApiError::new(Code::ContinuousBackupsUnavailable, message)
    }

    /// Point-in-time recovery was requested, but it is not enabled.
    pub(crate) fn point_in_time_recovery_unavailable(table: &str) -> ApiError {
        let message = format!("Point in time recovery is not enabled for table '{table}'");
        ApiError::new(Code::PointInTimeRecoveryUnavailable, message)
    }

    /// The time of an export makes no sense.
    pub(crate) fn invalid_export_time(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::InvalidExportTime, message)
    }

    /// The request is not valid, with DynamoDB's text after the beginning that it has for backups,
    /// exports and imports.
    pub(crate) fn invalid_request(message: impl AsRef<str>) -> ApiError {
        ApiError::validation(format!("Invalid Request: {}", message.as_ref()))
    }

    /// A call on a table names an index that it does not have.
    pub(crate) fn index_not_found(table: &str, index: &str) -> ApiError {
        let message = format!("Requested resource not found: Index {index} for table {table}");
        ApiError::new(Code::ResourceNotFound, message)
    }

    /// A call names the resource that it is about by an ARN, and there is none.
    pub(crate) fn resource_arn_not_found(arn: &str) -> ApiError {
        let message = format!("Requested resource not found: ResourceArn: {arn} not found");
        ApiError::new(Code::ResourceNotFound, message)
    }

    /// A call names a stream that does not exist.
    pub(crate) fn stream_not_found(arn: &str) -> ApiError {
        let message = format!("Requested resource not found: Stream: {arn} not found");
        ApiError::new(Code::ResourceNotFound, message)
    }

    /// A call names a stream that its table does not have.
    pub(crate) fn stream_of_table_not_found(table: &str, label: &str) -> ApiError {
        let message =
            format!("Requested resource not found: Stream: {label} not found for Table: {table}");
        ApiError::new(Code::ResourceNotFound, message)
    }

    /// A call names a shard that its stream does not have.
    pub(crate) fn shard_not_found() -> ApiError {
        let message = "Requested resource not found: Shard does not exist";
        ApiError::new(Code::ResourceNotFound, message)
    }

    /// A shard iterator is too old.
    pub(crate) fn expired_iterator() -> ApiError {
        let message = "The provided iterator exceeds the maximum age allowed.";
        ApiError::new(Code::ExpiredIterator, message)
    }

    /// A place in a shard is one whose records have been removed.
    pub(crate) fn trimmed_data_access() -> ApiError {
        let message = "The data you are trying to access has been trimmed";
        ApiError::new(Code::TrimmedDataAccess, message)
    }

    /// The table exists or is being changed.
    pub(crate) fn resource_in_use(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::ResourceInUse, message)
    }

    /// A table or stream has no policy, or another revision of it.
    pub(crate) fn policy_not_found(detail: &str) -> ApiError {
        let message =
            format!("Resource-based policy not found for the provided ResourceArn: {detail}");
        ApiError::new(Code::PolicyNotFound, message)
    }

    /// A limit is reached.
    pub(crate) fn limit_exceeded(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::LimitExceeded, message)
    }

    /// A condition does not hold; `existing` is the item, if it was asked for.
    pub(crate) fn conditional_check_failed(existing: Option<Bytes>) -> ApiError {
        let mut error =
            ApiError::new(Code::ConditionalCheckFailed, "The conditional request failed");
        error.item = existing.map(ResponseItem::Stored);
        error
    }

    /// The item to insert is there.
    pub(crate) fn duplicate_item() -> ApiError {
        ApiError::new(Code::DuplicateItem, "Duplicate primary key exists in table")
    }

    /// A transaction did not happen, for these reasons.
    pub(crate) fn transaction_canceled(reasons: Vec<CancellationReason>) -> ApiError {
        let code = |reason: &CancellationReason| reason.code.clone().unwrap_or_default();
        let codes: Vec<String> = reasons.iter().map(code).collect();
        let message = format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
            codes.join(", ")
        );
        let mut error = ApiError::new(Code::TransactionCanceled, message);
        error.reasons = Some(reasons);
        error
    }

    /// A transaction is under way on the item.
    pub(crate) fn transaction_conflict(message: &str) -> ApiError {
        ApiError::new(Code::TransactionConflict, message)
    }

    /// The same transaction is under way, in the words of AWS's reference.
    pub(crate) fn transaction_in_progress() -> ApiError {
        let message = "The transaction with the given request token is already in progress.";
        ApiError::new(Code::TransactionInProgress, message)
    }

    /// A limit of throughput is met.
    pub(crate) fn throttled(code: Code, message: &str, reasons: Vec<ThrottlingReason>) -> ApiError {
        let mut error = ApiError::new(code, message);
        error.throttling_reasons = (!reasons.is_empty()).then_some(reasons);
        error
    }

    /// The server failed because it was told to.
    pub(crate) fn internal_without_cause() -> ApiError {
        ApiError::new(Code::InternalServerError, "Internal server error")
    }

    /// There is no answer: the connection is to be closed.
    pub(crate) fn unanswered() -> ApiError {
        let mut error = ApiError::internal_without_cause();
        error.is_unanswered = true;
        error
    }

    /// Whether the connection is to be closed instead of answering.
    pub fn is_unanswered(&self) -> bool {
        self.is_unanswered
    }

    /// A token was used for another request.
    pub(crate) fn idempotent_parameter_mismatch() -> ApiError {
        let message =
            "The request uses the same client token as a previous, but different, request.";
        ApiError::new(Code::IdempotentParameterMismatch, message)
    }

    /// An item collection is full.
    pub(crate) fn item_collection_too_large() -> ApiError {
        ApiError::new(Code::ItemCollectionSizeLimitExceeded, "Collection size exceeded.")
    }

    /// Nobody can be made out as the sender.
    pub fn unauthenticated(error: &AuthenticationError) -> ApiError {
        wording::authentication::word(error)
    }

    /// The server failed; the log says how.
    pub fn internal(cause: &dyn std::error::Error) -> ApiError {
        tracing::error!(error = %cause, source = ?cause.source(), "a request failed");
        ApiError::new(Code::InternalServerError, "Internal server error")
    }

    /// A table has changed since the request was checked. A client sees this only if it goes on
    /// changing.
    pub(crate) fn out_of_date() -> ApiError {
        let mut error = ApiError::new(Code::InternalServerError, "Internal server error");
        error.is_out_of_date = true;
        error
    }

    /// Whether the request is to be checked again.
    pub(crate) fn is_out_of_date(&self) -> bool {
        self.is_out_of_date
    }

    /// The error as the older validation layer answers it, whatever the operation.
    pub(crate) fn of_older_layer(mut self) -> ApiError {
        self.is_of_older_layer = true;
        self
    }

    /// The error as the newer validation layer words it.
    pub(crate) fn enveloped(mut self) -> ApiError {
        if self.code == Code::Validation && !self.is_of_older_layer {
            self.message = self.message.map(|message| format!("{ENVELOPE}{message}"));
        }
        self
    }

    /// The error with another text before its own.
    pub(crate) fn after(mut self, text: &str) -> ApiError {
        self.message = self.message.map(|message| format!("{text}: {message}"));
        self
    }

    /// The error's code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The server has no room for the call at the moment.
    pub fn busy() -> ApiError {
        ApiError::new(Code::ServiceUnavailable, "The service is currently unavailable or busy.")
    }

    /// The error's text.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Takes the item that failed a condition, if the request asked for it.
    pub fn take_item(&mut self) -> Option<ResponseItem> {
        self.item.take()
    }

    /// Takes the reasons for which a transaction was cancelled: one for each action.
    pub fn take_cancellation_reasons(&mut self) -> Vec<CancellationReason> {
        self.reasons.take().unwrap_or_default()
    }

    /// The HTTP status of the answer.
    pub fn status(&self) -> u16 {
        match self.code {
            Code::InternalServerError => 500,
            Code::ServiceUnavailable => 503,
            _ => 400,
        }
    }

    /// The body of the answer.
    pub fn into_body(self) -> Vec<u8> {
        // An error that its service models with more than a text has it under the modelled name.
        let capitalized = self.code.capitalizes_message() || self.item.is_some();
        let (message_capitalized, message) =
            if capitalized { (self.message, None) } else { (None, self.message) };
        // Of the three errors that have reasons, one has them under a name in lower case.
        let (throttling_reasons, throttling_reasons_lower) = match self.code {
            Code::Throttling => (None, self.throttling_reasons),
            _ => (self.throttling_reasons, None),
        };
        let response = ErrorResponse {
            error_type: Some(self.code.full_name().to_owned()),
            message,
            message_capitalized,
            item: self.item,
            cancellation_reasons: self.reasons,
            throttling_reasons,
            throttling_reasons_lower,
        };
        // The items of a transaction that was cancelled can be large.
        let encoded = off_worker::run(response.room_bytes(), || encode_json(&response));
        encoded.unwrap_or_else(|corrupt| ApiError::from(corrupt).into_body())
    }
}

fn no_global_table(name: &str) -> String {
    format!("Global table with name: '{name}' does not exist.")
}

impl From<monotable_storage::Error> for ApiError {
    fn from(error: monotable_storage::Error) -> ApiError {
        match error.kind() {
            // AWS's words for a write that meets a transaction.
            StorageErrorKind::Conflict => crate::wording::throttling::conflict(),
            StorageErrorKind::Unavailable => {
                // The store logs it once: there may be as many of these as there are calls.
                tracing::debug!(%error, source = ?std::error::Error::source(&error), "the store is \
                    unavailable");
                ApiError::busy()
            }
            StorageErrorKind::Closed => {
                ApiError::new(Code::InternalServerError, "Server is closing")
            }
            // AWS answers so where it cannot tell whether a write happened, and says that it may
            // have.
            StorageErrorKind::Unknown
            | StorageErrorKind::Expired
            | StorageErrorKind::TooLarge
            | StorageErrorKind::Corrupt
            | StorageErrorKind::Poisoned => ApiError::internal(&error),
        }
    }
}

impl From<CorruptItem> for ApiError {
    fn from(corrupt: CorruptItem) -> ApiError {
        ApiError::internal(&corrupt)
    }
}

impl From<monotable_database::ReadError> for ApiError {
    fn from(error: monotable_database::ReadError) -> ApiError {
        use monotable_database::ReadError;
        match error {
            ReadError::IndexNotFound => ApiError::resource_not_found(),
            ReadError::SchemaChanged => ApiError::out_of_date(),
            ReadError::Storage(error) => error.into(),
            other => ApiError::internal(&other),
        }
    }
}
