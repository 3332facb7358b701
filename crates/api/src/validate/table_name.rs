//! Table names, given as names or as Amazon resource names.

use std::fmt::Display;

use monotable_item::limits::{ARN_LENGTH_MAX, NAME_LENGTH_MAX, NAME_LENGTH_MIN};

use super::constraint::{Violations, length_at_least, length_at_most, missing, new, old};
use crate::error::ApiError;
use crate::resource_name::account_in;

/// What names of tables and indexes are made of.
pub(crate) const NAME_PATTERN: &str =
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

const ARN_FORM: &str = "Valid ARN format is \
    'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource \
    name must have length less than or equal to 255, Resource name must have length greater than \
    or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

/// Which form the text for an empty name has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    /// The newer one.
    New,
    /// The older one.
    Old,
}

/// The table that a call on items names, by its name or an ARN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableName<'r> {
    as_sent: &'r str,
}

impl<'r> TableName<'r> {
    /// A name that was checked.
    pub(crate) fn checked(as_sent: &'r str) -> TableName<'r> {
        TableName { as_sent }
    }

    /// The name itself.
    pub(crate) fn name(self) -> &'r str {
        resource_name(self.as_sent)
    }

    /// The account in an ARN, if one was sent.
    pub(crate) fn account(self) -> Option<&'r str> {
        account_in(self.as_sent)
    }

    /// The name or ARN, whichever was sent: a response repeats it.
    pub(crate) fn as_sent(self) -> &'r str {
        self.as_sent
    }
}

/// Checks the table name of a call on items.
pub(crate) fn of_items(name: &Option<String>, layer: Layer) -> Result<TableName<'_>, ApiError> {
    check(required(name)?, layer)
}

/// Checks a table name that is there.
pub(crate) fn check(as_sent: &str, layer: Layer) -> Result<TableName<'_>, ApiError> {
    violation(as_sent, layer).map_or(Ok(()), fail)?;
    Ok(TableName { as_sent })
}

/// The table name of an action of a transaction, or a note of what is wrong with it.
pub(crate) fn required_at<'r>(
    name: &'r Option<String>,
    path: impl Display + Copy,
    violations: &mut Violations,
) -> Option<TableName<'r>> {
    violations.require(name, path);
    let as_sent = name.as_deref()?;
    match violation_at(as_sent, path) {
        Some(violation) => {
            violations.push(violation);
            None
        }
        None => Some(TableName { as_sent }),
    }
}

/// What is wrong with the table name of a call on items.
pub(crate) fn violation(name: &str, layer: Layer) -> Option<String> {
    match layer {
        Layer::New if name.is_empty() => Some(new("TableName", &length_at_least(1))),
        Layer::New | Layer::Old => violation_at(name, "tableName"),
    }
}

/// The same for a name anywhere in the request, in the older form.
pub(crate) fn violation_at(name: &str, path: impl Display) -> Option<String> {
    if name.starts_with("arn:") {
        return arn_violation(name, path);
    }
    let constraint = match name.len() {
        0 => length_at_least(1),
        _ if !is_of_pattern(name) => NAME_PATTERN.to_owned(),
        1..=NAME_LENGTH_MAX => return None,
        _ => length_at_most(NAME_LENGTH_MAX),
    };
    Some(old(name, path, &constraint))
}

/// Checks the table name of a call on a table that exists.
pub(crate) fn of_table(name: &Option<String>) -> Result<TableName<'_>, ApiError> {
    let name = required_for_table(name)?;
    if name.starts_with("arn:") {
        arn_violation(name, "tableName").map_or(Ok(()), fail)?
    } else {
        known_name_violations(name, &"tableName").finish()?
    }
    Ok(TableName { as_sent: name })
}

/// Checks the ARN of a table, where no name will do.
pub(crate) fn of_arn<'r>(arn: &'r str, member: &str) -> Result<TableName<'r>, ApiError> {
    let mut parts = arn.splitn(6, ':');
    let (scheme, resource) = (parts.next(), parts.nth(4));
    let (Some("arn"), Some(resource)) = (scheme, resource) else {
        return Err(ApiError::parameter(format!("{member} is not a valid ARN")));
    };
    if resource.strip_prefix("table/").is_some_and(is_of_pattern) {
        Ok(TableName { as_sent: arn })
    } else {
        Err(ApiError::invalid_request("Table ARN is invalid."))
    }
}

/// Checks the name of a table to be created, which is no ARN.
pub(crate) fn of_new_table(name: &Option<String>) -> Result<&str, ApiError> {
    let name = required_for_table(name)?;
    violations(name, "tableName").finish()?;
    Ok(name)
}

/// What is wrong with a name that is to be given to a table, or after which a list of tables
/// starts.
pub(crate) fn violations(name: &str, path: &str) -> Violations {
    let mut violations = Violations::default();
    violations.extend(pattern_violation(name, &path));
    violations.extend(length_violation(name, &path));
    violations
}

/// What is wrong with the name of a table that should exist, or of an index. The same rules in
/// another order, as measured.
pub(crate) fn known_name_violations(name: &str, path: &dyn Display) -> Violations {
    let mut violations = Violations::default();
    violations.extend(length_violation(name, path));
    violations.extend(pattern_violation(name, path));
    violations
}

/// What is wrong with the name of an index, in the newer form.
pub(crate) fn new_violation(name: &str, path: &str) -> Option<String> {
    let constraint = match name.len() {
        0..NAME_LENGTH_MIN => length_at_least(NAME_LENGTH_MIN),
        _ if name.len() > NAME_LENGTH_MAX => length_at_most(NAME_LENGTH_MAX),
        _ if !is_of_pattern(name) => NAME_PATTERN.to_owned(),
        _ => return None,
    };
    Some(new(path, &constraint))
}

fn pattern_violation(name: &str, path: &dyn Display) -> Option<String> {
    (!is_of_pattern(name)).then(|| old(name, path, NAME_PATTERN))
}

fn length_violation(name: &str, path: &dyn Display) -> Option<String> {
    let constraint = match name.len() {
        0..NAME_LENGTH_MIN => length_at_least(NAME_LENGTH_MIN),
        NAME_LENGTH_MIN..=NAME_LENGTH_MAX => return None,
        _ => length_at_most(NAME_LENGTH_MAX),
    };
    Some(old(name, path, &constraint))
}

/// The table's name in an ARN that was checked, or the name itself.
fn resource_name(name: &str) -> &str {
    if name.starts_with("arn:") {
        name.split_once(":table/").map_or(name, |(_, table)| table)
    } else {
        name
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

fn arn_violation(arn: &str, path: impl Display) -> Option<String> {
    arn_problem(arn).map(|constraint| old(arn, path, &constraint))
}

/// What an ARN violates, if it does not name a table.
fn arn_problem(arn: &str) -> Option<String> {
    let malformed = Some(ARN_FORM.to_owned());
    let mut parts = arn.splitn(6, ':').skip(2);
    let (Some("dynamodb"), Some(resource)) = (parts.next(), parts.nth(2)) else { return malformed };
    let Some((kind, name)) = resource.split_once('/') else { return malformed };
    if kind != "table" {
        return Some("Invalid resource type".to_owned());
    }
    if !is_of_pattern(name) || name.len() > NAME_LENGTH_MAX || arn.len() > ARN_LENGTH_MAX {
        return malformed;
    }
    (name.len() < NAME_LENGTH_MIN).then(|| {
        format!("Table name of ARN must have length greater than or equal to {NAME_LENGTH_MIN}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_names_the_table_in_it() {
        let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/shop";
        let sent = Some(arn.to_owned());
        let table = of_items(&sent, Layer::New).unwrap();
        assert_eq!((table.name(), table.as_sent()), ("shop", arn));
        let sent = Some(arn.to_owned());
        let name = of_table(&sent).unwrap();
        assert_eq!((name.name(), name.as_sent()), ("shop", arn));
        let index = format!("{arn}/index/by-state");
        assert!(of_items(&Some(index), Layer::New).is_err());
        let queue = "arn:aws:sqs:us-east-1:000000000000:table/shop".to_owned();
        assert!(of_items(&Some(queue), Layer::New).is_err());
        let backup = "arn:aws:dynamodb:us-east-1:000000000000:backup/shop".to_owned();
        let text = of_items(&Some(backup), Layer::New).unwrap_err();
        assert!(text.message().unwrap().ends_with("constraint: Invalid resource type"));
    }

    #[test]
    fn names_are_refused_in_the_form_of_their_layer() {
        let text = |name: &str, layer| {
            of_items(&Some(name.to_owned()), layer).unwrap_err().message().unwrap().to_owned()
        };
        assert_eq!(
            text("", Layer::New),
            "1 validation error detected: Value at 'TableName' failed to satisfy constraint: \
             Member must have length greater than or equal to 1"
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
        assert!(of_items(&Some("ab".to_owned()), Layer::New).is_ok());
    }
}
