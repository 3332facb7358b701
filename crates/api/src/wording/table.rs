//! Why a table was not created, changed or deleted.

use monotable_database::TableError;

use crate::error::ApiError;

/// The answer when a call on the table `name` fails in the database.
pub(crate) fn word(error: TableError, name: &str) -> ApiError {
    match error {
        TableError::Exists => ApiError::resource_in_use(format!("Table already exists: {name}")),
        TableError::Protected => ApiError::validation(
            "Resource cannot be deleted as it is currently protected against deletion. Disable \
             deletion protection first.",
        ),
        TableError::Busy => one_index_at_a_time(),
        TableError::IndexExists => index_exists(),
        TableError::IndexNotFound => ApiError::resource_not_found(),
        TableError::SchemaChanged => ApiError::out_of_date(),
        TableError::Storage(error) => error.into(),
        other => ApiError::internal(&other),
    }
}

/// A resource is being changed: what of it, and which.
pub(crate) fn still_in_use(detail: &str) -> ApiError {
    ApiError::resource_in_use(format!(
        "Attempt to change a resource which is still in use: {detail}"
    ))
}

/// Another index of the table is being created or deleted.
pub(crate) fn one_index_at_a_time() -> ApiError {
    ApiError::limit_exceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously \
         per table",
    )
}

/// There is an index of that name.
pub(crate) fn index_exists() -> ApiError {
    ApiError::validation("Attempting to create an index which already exists")
}
