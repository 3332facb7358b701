//! `RequestItems` of the batch operations: a map from tables to what is asked of them.

use std::collections::BTreeMap;

use monotable_item::limits::{NAME_LENGTH_MAX, NAME_LENGTH_MIN};
use monotable_protocol::{Encode, encode_json};

use super::constraint::{length_at_least, missing, new, old};
use super::enums::refuse;
use super::table_name::{self, Layer};
use crate::error::ApiError;

const NAME_CONSTRAINTS: &str = "Map keys must satisfy constraint: [Member must have length less \
    than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy \
    regular expression pattern: [a-zA-Z0-9_.-]+]";

/// The map, which must be there and not be empty.
pub(crate) fn required<T>(
    items: &Option<BTreeMap<String, T>>,
) -> Result<&BTreeMap<String, T>, ApiError> {
    let items = items.as_ref().ok_or_else(|| refuse(missing("requestItems")))?;
    if items.is_empty() {
        return Err(refuse(new("RequestItems", &length_at_least(1))));
    }
    Ok(items)
}

/// What is wrong with the names of the tables; `echo` prints the map as the operation does.
pub(crate) fn name_violation<T>(
    items: &BTreeMap<String, T>,
    echo: impl FnOnce(&BTreeMap<String, T>) -> String,
) -> Option<String> {
    let is_wrong = |name: &String| {
        if name.starts_with("arn:") {
            table_name::violation(name, Layer::Old).is_some()
        } else {
            !table_name::is_of_pattern(name)
                || !(NAME_LENGTH_MIN..=NAME_LENGTH_MAX).contains(&name.len())
        }
    };
    items.keys().any(is_wrong).then(|| old(echo(items), "requestItems", NAME_CONSTRAINTS))
}

/// The map as JSON.
pub(crate) fn as_json<T: Encode>(items: &BTreeMap<String, T>) -> String {
    encode_json(items).ok().and_then(|json| String::from_utf8(json).ok()).unwrap_or_default()
}
