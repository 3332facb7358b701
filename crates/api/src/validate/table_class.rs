//! TableClass: the price class of a table's storage.

use monotable_database::schema::TableClass;

use crate::error::ApiError;

/// Reads a table class, which may be absent. A wrong one is not answered as other enums are.
pub(crate) fn read(class: &Option<String>) -> Result<Option<TableClass>, ApiError> {
    match class.as_deref() {
        None => Ok(None),
        Some("STANDARD") => Ok(Some(TableClass::Standard)),
        Some("STANDARD_INFREQUENT_ACCESS") => Ok(Some(TableClass::StandardInfrequentAccess)),
        Some(_) => Err(ApiError::validation(
            "Invalid table-class parameter provided. Please try again with a valid table-class \
             value: [STANDARD, STANDARD_INFREQUENT_ACCESS].",
        )),
    }
}
