//! Items that are put.

use monotable_item::limits::{ATTRIBUTE_NAME_BYTES_MAX, ITEM_BYTES_MAX};
use monotable_item::{Item, item_size_bytes};
use monotable_protocol::WireItem;

use super::keys;
use crate::error::ApiError;
use crate::wording::value::ValueLayer;
use crate::wording::write::PUT_TOO_LARGE;

/// The attributes of an item, if all their names and values are valid. Names come before the depth of
/// values.
pub(crate) fn check(item: &WireItem, layer: ValueLayer) -> Result<&Item, ApiError> {
    if let Ok(item) = item.0.as_ref().or_else(|invalid| invalid.too_deep.as_ref().ok_or(())) {
        check_names(item)?;
    }
    keys::values(item, layer)
}

fn check_names(item: &Item) -> Result<(), ApiError> {
    for name in item.keys() {
        if name.is_empty() {
            return Err(ApiError::validation("Empty attribute name"));
        }
        if name.len() > ATTRIBUTE_NAME_BYTES_MAX {
            return Err(ApiError::validation(
                "Attribute name is too large, must be less than 65536 bytes",
            ));
        }
    }
    Ok(())
}

/// Refuses an item above 400 KB.
pub(crate) fn check_size(item: &Item) -> Result<(), ApiError> {
    match item_size_bytes(item) > ITEM_BYTES_MAX {
        true => Err(ApiError::validation(PUT_TOO_LARGE)),
        false => Ok(()),
    }
}
