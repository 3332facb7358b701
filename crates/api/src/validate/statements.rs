//! The members of requests that have several statements.

use super::constraint::{Violations, length_at_least, length_at_most, missing, new};
use super::enums::{RETURN_CONSUMED, RETURN_ON_FAILURE, ReturnConsumed, refuse};
use crate::error::ApiError;
use crate::operations::execute_statement::{check_parameters, check_statement};

/// A list of statements, as the service names it.
pub(crate) struct StatementList {
    /// Its name in the request.
    pub(crate) name: &'static str,
    /// Its name in texts about members that are missing or not of their set.
    pub(crate) path: &'static str,
    /// How many statements it may have.
    pub(crate) count_max: usize,
}

/// What is checked of a statement before it is read.
pub(crate) struct StatementMembers<'r> {
    pub(crate) text: &'r Option<String>,
    pub(crate) parameters_count: Option<usize>,
    pub(crate) return_on_failure: &'r Option<String>,
}

impl StatementList {
    /// Refuses a list that is missing, empty or too long.
    pub(crate) fn check_count(&self, count: Option<usize>) -> Result<(), ApiError> {
        let constraint = match count.ok_or_else(|| refuse(missing(self.path)))? {
            0 => length_at_least(1),
            count if count > self.count_max => length_at_most(self.count_max),
            _ => return Ok(()),
        };
        Err(refuse(new(self.name, &constraint)))
    }

    /// Checks each statement. What is to be returned is checked beside them.
    pub(crate) fn check_each<'r>(
        &self,
        statements: impl Iterator<Item = StatementMembers<'r>> + Clone,
        return_consumed: &Option<String>,
    ) -> Result<ReturnConsumed, ApiError> {
        let mut violations = Violations::default();
        let consumed = RETURN_CONSUMED.read(return_consumed);
        violations.extend(consumed.as_ref().err().cloned());
        for (statement, number) in statements.clone().zip(1..) {
            let path = format_args!("{}.{number}.member", self.path);
            violations.require(statement.text, format_args!("{path}.statement"));
            let path = format_args!("{path}.returnValuesOnConditionCheckFailure");
            violations.extend(RETURN_ON_FAILURE.read_at(path, statement.return_on_failure).err());
        }
        violations.finish()?;
        for (statement, number) in statements.zip(1..) {
            let path = format!("{}.{number}.member", self.name);
            let text = statement.text.as_deref().unwrap_or_default();
            check_statement(text, &format!("{path}.Statement"))?;
            check_parameters(statement.parameters_count, &format!("{path}.Parameters"))?;
        }
        consumed.map_err(refuse)
    }
}
