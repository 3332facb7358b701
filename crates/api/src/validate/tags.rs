//! Tags of tables. They are checked, and not kept: there is nothing here that reads them.

use monotable_protocol::shapes::Tag;

use super::repetition::first_repeated;
use crate::error::ApiError;

/// The most tags of a table.
const TAGS_MAX: usize = 50;
/// The longest key of a tag, in characters.
const KEY_LENGTH_MAX: usize = 128;
/// The longest value of a tag, in characters.
const VALUE_LENGTH_MAX: usize = 256;

/// Checks the tags of a table to be created.
pub(crate) fn check(tags: &[Tag]) -> Result<(), ApiError> {
    tags.iter().try_for_each(check_tag)?;
    check_keys_differ(tags)?;
    match tags.len() {
        0..=TAGS_MAX => Ok(()),
        _ => Err(ApiError::validation(
            "Number of Tags exceed the current limit for the provided ResourceArn",
        )),
    }
}

fn check_tag(tag: &Tag) -> Result<(), ApiError> {
    let key = tag.key.as_deref();
    if let Some(reserved) = key.filter(|key| key.starts_with("aws:")) {
        let message = format!("Tag Key cannot be prefixed with aws:, Key: {reserved}");
        return Err(ApiError::validation(message));
    }
    if !key.is_some_and(|key| !key.is_empty() && is_text(key, KEY_LENGTH_MAX)) {
        let key = key.unwrap_or("null");
        return Err(ApiError::validation(format!("The Tag Key provided is invalid, Key: {key}")));
    }
    let value = tag.value.as_deref();
    if !value.is_some_and(|value| is_text(value, VALUE_LENGTH_MAX)) {
        let value = value.unwrap_or("null");
        let message = format!("The Tag Value provided is invalid, Value: {value}");
        return Err(ApiError::validation(message));
    }
    Ok(())
}

fn is_text(text: &str, length_max: usize) -> bool {
    let is_allowed = |character: char| {
        character.is_alphanumeric() || character.is_whitespace() || "_.:/=+-@".contains(character)
    };
    text.chars().count() <= length_max && text.chars().all(is_allowed)
}

fn check_keys_differ(tags: &[Tag]) -> Result<(), ApiError> {
    match first_repeated(tags.iter().filter_map(|tag| tag.key.as_deref())) {
        None => Ok(()),
        Some(key) => Err(ApiError::validation(format!(
            "Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}"
        ))),
    }
}
