//! Constraints on single members: present, long enough, in range, of a set.
//!
//! DynamoDB has two forms of the text. The older one names the member in camel case and echoes the
//! value; the newer one names it in Pascal case and echoes nothing. Which operation uses which was
//! measured.

use std::fmt::Display;

use crate::error::ApiError;

/// The most violations that one answer lists.
const VIOLATIONS_MAX: usize = 10;

/// The older form.
pub(crate) fn old(value: impl Display, path: impl Display, constraint: &str) -> String {
    format!("Value '{value}' at '{path}' failed to satisfy constraint: {constraint}")
}

/// The older form for a member that is not there.
pub(crate) fn missing(path: impl Display) -> String {
    format!("Value null at '{path}' failed to satisfy constraint: Member must not be null")
}

/// The newer form.
pub(crate) fn new(path: &str, constraint: &str) -> String {
    format!("Value at '{path}' failed to satisfy constraint: {constraint}")
}

/// `Member must have length greater than or equal to …`
pub(crate) fn length_at_least(min: usize) -> String {
    format!("Member must have length greater than or equal to {min}")
}

/// `Member must have length less than or equal to …`
pub(crate) fn length_at_most(max: usize) -> String {
    format!("Member must have length less than or equal to {max}")
}

/// `Member must have value greater than or equal to …`
pub(crate) fn value_at_least(min: i64) -> String {
    format!("Member must have value greater than or equal to {min}")
}

/// `Member must have value less than or equal to …`
pub(crate) fn value_at_most(max: i64) -> String {
    format!("Member must have value less than or equal to {max}")
}

/// `Member must satisfy enum value set: …`
pub(crate) fn one_of(variants: &[&str]) -> String {
    format!("Member must satisfy enum value set: [{}]", variants.join(", "))
}

/// What is wrong with a number that must lie between two others, in the older form.
pub(crate) fn value_violation(value: i64, path: &str, min: i64, max: i64) -> Option<String> {
    let constraint = match value {
        _ if value < min => value_at_least(min),
        _ if value > max => value_at_most(max),
        _ => return None,
    };
    Some(old(value, path, &constraint))
}

/// What is wrong with a text that must have some length, in the older form.
pub(crate) fn length_violation(text: &str, path: &str, min: usize, max: usize) -> Option<String> {
    let constraint = match text.len() {
        length if length < min => length_at_least(min),
        length if length > max => length_at_most(max),
        _ => return None,
    };
    Some(old(text, path, &constraint))
}

/// Violations that are answered together.
///
/// Only those that an answer lists are kept: a request can have as many as it has members.
#[derive(Debug, Default)]
pub(crate) struct Violations(Vec<String>);

impl Violations {
    /// Whether an answer has no room for more.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= VIOLATIONS_MAX
    }

    /// Notes a violation.
    pub(crate) fn push(&mut self, violation: String) {
        if !self.is_full() {
            self.0.push(violation);
        }
    }

    /// Notes a violation, if there is one.
    pub(crate) fn extend(&mut self, violation: Option<String>) {
        violation.into_iter().for_each(|violation| self.push(violation));
    }

    /// Notes all violations of a part of the request.
    pub(crate) fn append(&mut self, part: Violations) {
        part.0.into_iter().for_each(|violation| self.push(violation));
    }

    /// Notes that a member is missing, if it is. The path is not made into text unless it is.
    pub(crate) fn require<T>(&mut self, member: &Option<T>, path: impl Display) {
        if member.is_none() {
            self.push(missing(path));
        }
    }

    /// Answers with all violations, if there are any.
    pub(crate) fn finish(self) -> Result<(), ApiError> {
        if self.0.is_empty() { Ok(()) } else { Err(self.refuse()) }
    }

    /// The answer with all violations, of which there are some.
    pub(crate) fn refuse(self) -> ApiError {
        debug_assert!(!self.0.is_empty(), "nothing is violated");
        let count = self.0.len();
        let plural = if count == 1 { "error" } else { "errors" };
        let all = self.0.join("; ");
        ApiError::validation(format!("{count} validation {plural} detected: {all}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_violations_are_counted_and_joined() {
        let mut violations = Violations::default();
        violations.push(old("ab", "tableName", &length_at_least(3)));
        violations.require(&None::<String>, "key");
        assert_eq!(
            violations.finish().unwrap_err().message().unwrap(),
            "2 validation errors detected: Value 'ab' at 'tableName' failed to satisfy constraint: \
             Member must have length greater than or equal to 3; Value null at 'key' failed to \
             satisfy constraint: Member must not be null"
        );
        assert!(Violations::default().finish().is_ok());
    }
}
