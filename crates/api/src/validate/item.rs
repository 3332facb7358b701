//! Items that are put.

use bytes::Bytes;
use monotable_item::Item;
use monotable_item::limits::{ATTRIBUTE_NAME_BYTES_MAX, ITEM_BYTES_MAX};
use monotable_item::stored::ItemView;
use monotable_protocol::StoredItem;

use super::keys;
use crate::error::ApiError;
use crate::wording::value::ValueLayer;
use crate::wording::write::PUT_TOO_LARGE;

const NAME_TOO_LARGE: &str = "Attribute name is too large, must be less than 65536 bytes";

/// The stored form of an item, if all its names and values are valid. Names come before the depth
/// of values.
pub(crate) fn check(item: &StoredItem, layer: ValueLayer) -> Result<&Bytes, ApiError> {
    match &item.0 {
        Ok(stored) => {
            for name in ItemView::new(stored)?.attributes().names() {
                check_name(name?)?;
            }
            Ok(stored)
        }
        Err(invalid) => {
            let mut names = invalid.too_deep.iter().flat_map(Item::keys);
            names.try_for_each(|name| check_name(name.as_bytes()))?;
            keys::stored(item, layer)
        }
    }
}

fn check_name(name: &[u8]) -> Result<(), ApiError> {
    name_fault(name).map_or(Ok(()), |fault| Err(ApiError::validation(fault)))
}

/// What is wrong with the name of an attribute, if anything is.
pub(crate) fn name_fault(name: &[u8]) -> Option<&'static str> {
    match name.len() {
        0 => Some("Empty attribute name"),
        1..=ATTRIBUTE_NAME_BYTES_MAX => None,
        _ => Some(NAME_TOO_LARGE),
    }
}

/// Refuses the name of an attribute in a parameter from before expressions, if it is too long.
pub(crate) fn check_name_size(name: &str) -> Result<(), ApiError> {
    if name.len() <= ATTRIBUTE_NAME_BYTES_MAX {
        Ok(())
    } else {
        Err(ApiError::validation(NAME_TOO_LARGE))
    }
}

/// Refuses an item above 400 KB.
pub(crate) fn check_size(item: &Bytes) -> Result<(), ApiError> {
    if ItemView::new(item)?.size_bytes() > ITEM_BYTES_MAX {
        Err(ApiError::validation(PUT_TOO_LARGE))
    } else {
        Ok(())
    }
}
