//! Table names, given as names or as Amazon resource names.

use monotable_item::limits::{ARN_LENGTH_MAX, NAME_LENGTH_MAX, NAME_LENGTH_MIN};

use super::constraint::{Violations, length_at_least, length_at_most, missing, new, old};
use crate::error::ApiError;

/// What names of tables and indexes are made of.
pub(crate) const NAME_PATTERN: &str =
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

const ARN_FORM: &str = "Valid ARN format is \
    'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource \
    name must have length less than or equal to 255, Resource name must have length greater than or \
    equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

/// Which form the text for an empty name has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    /// The newer one.
    New,
    /// The older one.
    Old,
}

/// Checks the table name of a call on items; an ARN gives the name in it.
pub(crate) fn of_items(name: &Option<String>, layer: Layer) -> Result<&str, ApiError> {
    let name = required(name)?;
    check(name, layer)
}

/// Checks a name that is there.
pub(crate) fn check(name: &str, layer: Layer) -> Result<&str, ApiError> {
    violation(name, layer).map_or(Ok(()), fail)?;
    Ok(resource_name(name))
}

/// What is wrong with the table name of a call on items.
pub(crate) fn violation(name: &str, layer: Layer) -> Option<String> {
    if name.starts_with("arn:") {
        return arn_violation(name);
    }
    if name.is_empty() {
        let constraint = length_at_least(1);
        return Some(match layer {
            Layer::New => new("TableName", &constraint),
            Layer::Old => old(name, "tableName", &constraint),
        });
    }
    if !is_of_pattern(name) {
        return Some(old(name, "tableName", NAME_PATTERN));
    }
    (name.len() > NAME_LENGTH_MAX).then(|| old(name, "tableName", &length_at_most(NAME_LENGTH_MAX)))
}

/// Checks the table name of a call on a table that exists; an ARN gives the name in it.
pub(crate) fn of_table(name: &Option<String>) -> Result<&str, ApiError> {
    let name = required_for_table(name)?;
    match name.starts_with("arn:") {
        true => arn_violation(name).map_or(Ok(()), fail)?,
        false => known_name_violations(name, "tableName").finish()?,
    }
    Ok(resource_name(name))
}

/// Checks the name of a table to be created, which is no ARN.
pub(crate) fn of_new_table(name: &Option<String>) -> Result<&str, ApiError> {
    let name = required_for_table(name)?;
    violations(name, "tableName").finish()?;
    Ok(name)
}

/// What is wrong with a name that is to be given to a table, or after which a list of tables starts.
pub(crate) fn violations(name: &str, path: &str) -> Violations {
    let mut violations = Violations::default();
    violations.extend(pattern_violation(name, path));
    violations.extend(length_violation(name, path));
    violations
}

/// What is wrong with the name of a table that should exist, or of an index. The same rules in another
/// order, as measured.
pub(crate) fn known_name_violations(name: &str, path: &str) -> Violations {
    let mut violations = Violations::default();
    violations.extend(length_violation(name, path));
    violations.extend(pattern_violation(name, path));
    violations
}

fn pattern_violation(name: &str, path: &str) -> Option<String> {
    (!is_of_pattern(name)).then(|| old(name, path, NAME_PATTERN))
}

fn length_violation(name: &str, path: &str) -> Option<String> {
    let constraint = match name.len() {
        0..NAME_LENGTH_MIN => length_at_least(NAME_LENGTH_MIN),
        NAME_LENGTH_MIN..=NAME_LENGTH_MAX => return None,
        _ => length_at_most(NAME_LENGTH_MAX),
    };
    Some(old(name, path, &constraint))
}

/// The table's name in an ARN that was checked, or the name itself.
pub(crate) fn resource_name(name: &str) -> &str {
    match name.starts_with("arn:") {
        true => name.split_once(":table/").map_or(name, |(_, table)| table),
        false => name,
    }
}

/// Whether a name consists of the characters it may have; an empty one does not.
pub(crate) fn is_of_pattern(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    !name.is_empty() && name.bytes().all(allowed)
}

fn required_for_table(name: &Option<String>) -> Result<&str, ApiError> {
    name.as_deref().ok_or_else(|| {
        ApiError::validation(
            "The parameter 'TableName' is required but was not present in the request",
        )
    })
}

fn required(name: &Option<String>) -> Result<&str, ApiError> {
    name.as_deref().ok_or_else(|| ApiError::validation(missing("tableName")).enveloped())
}

fn fail(violation: String) -> Result<(), ApiError> {
    Err(ApiError::validation(violation).enveloped())
}

fn arn_violation(arn: &str) -> Option<String> {
    let parts: Vec<&str> = arn.splitn(6, ':').collect();
    let [_, _, service, _, _, resource] = parts.as_slice() else {
        return Some(old(arn, "tableName", ARN_FORM));
    };
    let name = resource.strip_prefix("table/").filter(|name| is_of_pattern(name));
    match name {
        Some(name) if name.len() < NAME_LENGTH_MIN => Some(old(
            arn,
            "tableName",
            &format!(
                "Table name of ARN must have length greater than or equal to {NAME_LENGTH_MIN}"
            ),
        )),
        Some(name)
            if *service == "dynamodb"
                && name.len() <= NAME_LENGTH_MAX
                && arn.len() <= ARN_LENGTH_MAX =>
        {
            None
        }
        Some(_) | None => Some(old(arn, "tableName", ARN_FORM)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_names_the_table_in_it() {
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";
        assert_eq!(of_items(&Some(arn.to_owned()), Layer::New), Ok("shop"));
        assert_eq!(of_table(&Some(arn.to_owned())), Ok("shop"));
        let index = format!("{arn}/index/by-state");
        assert!(of_items(&Some(index), Layer::New).is_err());
        let queue = "arn:aws:sqs:us-east-1:000000000000:table/shop".to_owned();
        assert!(of_items(&Some(queue), Layer::New).is_err());
    }

    #[test]
    fn names_are_refused_in_the_form_of_their_layer() {
        let text = |name: &str, layer| {
            of_items(&Some(name.to_owned()), layer).unwrap_err().message().unwrap().to_owned()
        };
        assert_eq!(
            text("", Layer::New),
            "1 validation error detected: Value at 'TableName' failed to satisfy constraint: Member \
             must have length greater than or equal to 1"
        );
        assert_eq!(
            text("", Layer::Old),
            "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: \
             Member must have length greater than or equal to 1"
        );
        assert_eq!(
            text("x!", Layer::New),
            "1 validation error detected: Value 'x!' at 'tableName' failed to satisfy constraint: \
             Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        );
        assert!(text(&"a".repeat(256), Layer::New).ends_with("length less than or equal to 255"));
        assert_eq!(of_items(&Some("ab".to_owned()), Layer::New), Ok("ab"));
    }
}
