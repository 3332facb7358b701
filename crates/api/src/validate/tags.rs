//! Tags of tables.

use std::collections::BTreeMap;

use monotable_protocol::shapes::Tag;

use super::repetition::first_repeated;
use crate::error::ApiError;

/// The most tags of a table.
const TAGS_MAX: usize = 50;
/// The longest key of a tag, in characters.
const KEY_LENGTH_MAX: usize = 128;
/// The longest value of a tag, in characters.
const VALUE_LENGTH_MAX: usize = 256;
/// What no key of a tag begins with, in any case.
const RESERVED: &str = "aws:";

/// The tags of a table.
pub(crate) type Tags = BTreeMap<String, String>;

/// Checks tags that a table is to have, each by itself and all together.
pub(crate) fn read(tags: &[Tag]) -> Result<Tags, ApiError> {
    tags.iter().try_for_each(check_tag)?;
    check_keys_differ(tags)?;
    let pair = |tag: &Tag| tag.key.clone().zip(tag.value.clone());
    let tags: Tags = tags.iter().filter_map(pair).collect();
    check_count(tags.len())?;
    Ok(tags)
}

/// Checks tags that are added to those of a table; there must be some.
pub(crate) fn read_some(tags: &[Tag]) -> Result<Tags, ApiError> {
    if tags.is_empty() {
        Err(ApiError::validation("Atleast one Tag needs to be provided as Input."))
    } else {
        read(tags)
    }
}

/// Checks the keys of tags that are removed from those of a table; there must be some.
pub(crate) fn check_keys(keys: &[String]) -> Result<(), ApiError> {
    if keys.is_empty() {
        return Err(ApiError::validation("Atleast one Tag Key needs to be provided as Input."));
    }
    check_count(keys.len())?;
    keys.iter().try_for_each(|key| check_key(Some(key)))
}

/// The tags of a table with others added. The limit is about what it has then.
pub(crate) fn merged(known: &Tags, added: Tags) -> Result<Tags, ApiError> {
    let mut tags = known.clone();
    tags.extend(added);
    check_count(tags.len())?;
    Ok(tags)
}

fn check_count(count: usize) -> Result<(), ApiError> {
    match count {
        0..=TAGS_MAX => Ok(()),
        _ => Err(ApiError::validation(
            "Number of Tags exceed the current limit for the provided ResourceArn",
        )),
    }
}

fn check_tag(tag: &Tag) -> Result<(), ApiError> {
    check_key(tag.key.as_deref())?;
    let value = tag.value.as_deref();
    if !value.is_some_and(|value| is_text(value, VALUE_LENGTH_MAX)) {
        let value = value.unwrap_or("null");
        let message = format!("The Tag Value provided is invalid, Value: {value}");
        return Err(ApiError::validation(message));
    }
    Ok(())
}

fn check_key(key: Option<&str>) -> Result<(), ApiError> {
    if let Some(reserved) = key.filter(|key| is_reserved(key)) {
        let message = format!("Tag Key cannot be prefixed with aws:, Key: {reserved}");
        return Err(ApiError::validation(message));
    }
    if !key.is_some_and(|key| !key.is_empty() && is_text(key, KEY_LENGTH_MAX)) {
        let key = key.unwrap_or("null");
        return Err(ApiError::validation(format!("The Tag Key provided is invalid, Key: {key}")));
    }
    Ok(())
}

fn is_reserved(key: &str) -> bool {
    key.get(..RESERVED.len()).is_some_and(|lead| lead.eq_ignore_ascii_case(RESERVED))
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
