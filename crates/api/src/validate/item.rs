//! Items that are put.

use monotable_item::limits::{ATTRIBUTE_NAME_BYTES_MAX, ITEM_BYTES_MAX};
use monotable_item::{Item, item_size_bytes};
use monotable_protocol::WireItem;

use super::keys;
use crate::error::ApiError;
use crate::wording::value::ValueLayer;
use crate::wording::write::PUT_TOO_LARGE;

/// The attributes of an item, if all their names and values are valid.
pub(crate) fn check(item: &WireItem, layer: ValueLayer) -> Result<&Item, ApiError> {
    let item = keys::values(item, layer)?;
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
    Ok(item)
}

/// Refuses an item above 400 KB; gives its size.
pub(crate) fn check_size(item: &Item) -> Result<usize, ApiError> {
    match item_size_bytes(item) {
        size_bytes if size_bytes > ITEM_BYTES_MAX => Err(ApiError::validation(PUT_TOO_LARGE)),
        size_bytes => Ok(size_bytes),
    }
}
