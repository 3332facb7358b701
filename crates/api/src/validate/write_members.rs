//! The members that PutItem, UpdateItem and DeleteItem share.

use super::constraint::{Violations, missing, old, one_of};
use super::enums::{
    Member, RETURN_CONSUMED, RETURN_METRICS, RETURN_ON_FAILURE, RETURN_VALUES, ReturnConsumed,
    ReturnMetrics, ReturnOnFailure, ReturnValues, refuse,
};
use super::table_name::{self, Layer};
use crate::error::ApiError;

/// The text for a wrong `ReturnValues` from the newer layer, misspelling included.
const RETURN_VALUES_NEW: &str = "Failed to satisfy constraint: Member must satisfy enum value set: \
    [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
const RETURN_METRICS_NEW: &str = "ReturnItemCollectionMetrics can only be SIZE or NONE";

/// The members as they were sent.
pub(crate) struct WriteMembers<'r> {
    pub(crate) table_name: &'r Option<String>,
    /// What names or is the item: `key` or `item`, and whether it is there.
    pub(crate) target: (&'static str, bool),
    pub(crate) return_values: &'r Option<String>,
    pub(crate) return_consumed_capacity: &'r Option<String>,
    pub(crate) return_item_collection_metrics: &'r Option<String>,
    pub(crate) return_on_failure: &'r Option<String>,
    pub(crate) conditional_operator: &'r Option<String>,
}

/// The members, checked.
#[derive(Debug)]
pub(crate) struct CheckedMembers<'r> {
    pub(crate) table_name: &'r str,
    pub(crate) returns: ReturnValues,
    pub(crate) consumed: ReturnConsumed,
    pub(crate) metrics: ReturnMetrics,
    pub(crate) on_failure: ReturnOnFailure,
}

impl<'r> WriteMembers<'r> {
    /// Checks everything and answers with all that is wrong: PutItem and DeleteItem.
    pub(crate) fn check_all(&self) -> Result<CheckedMembers<'r>, ApiError> {
        let table_name = self.check_names()?;
        let mut violations = Violations::default();
        violations.extend(RETURN_CONSUMED.read(self.return_consumed_capacity).err());
        let wrong = |text: &'static str| move |_: String| text.to_owned();
        violations
            .extend(RETURN_VALUES.read(self.return_values).err().map(wrong(RETURN_VALUES_NEW)));
        violations.extend(
            RETURN_METRICS
                .read(self.return_item_collection_metrics)
                .err()
                .map(wrong(RETURN_METRICS_NEW)),
        );
        violations.extend(RETURN_ON_FAILURE.read(self.return_on_failure).err());
        violations.finish()?;
        self.checked(table_name)
    }

    /// Checks one after the other and answers with the first that is wrong: UpdateItem.
    pub(crate) fn check_each(&self) -> Result<CheckedMembers<'r>, ApiError> {
        let table_name = self.check_names()?;
        let alone = |text: &str| refuse(text.to_owned());
        RETURN_VALUES.read(self.return_values).map_err(|_| alone(RETURN_VALUES_NEW))?;
        RETURN_METRICS
            .read(self.return_item_collection_metrics)
            .map_err(|_| alone(RETURN_METRICS_NEW))?;
        RETURN_CONSUMED.read(self.return_consumed_capacity).map_err(ApiError::validation)?;
        RETURN_ON_FAILURE.read(self.return_on_failure).map_err(ApiError::validation)?;
        self.checked(table_name)
    }

    /// The table's name, and that the key or item is there. Without it the older layer answers, with
    /// everything that is wrong.
    fn check_names(&self) -> Result<&'r str, ApiError> {
        let (target, is_there) = self.target;
        if !is_there {
            self.violations_without_target(target).finish()?;
        }
        table_name::of_items(self.table_name, Layer::New)
    }

    fn violations_without_target(&self, target: &str) -> Violations {
        let mut violations = Violations::default();
        violations.extend(RETURN_CONSUMED.read(self.return_consumed_capacity).err());
        violations.extend(match self.table_name {
            Some(name) => table_name::violation(name, Layer::Old),
            None => Some(missing("tableName")),
        });
        violations.extend(RETURN_VALUES.read(self.return_values).err());
        violations.extend(RETURN_METRICS.read(self.return_item_collection_metrics).err());
        violations.extend(conditional_operator_violation(self.conditional_operator));
        violations.push(missing(target));
        violations
    }

    fn checked(&self, table_name: &'r str) -> Result<CheckedMembers<'r>, ApiError> {
        Ok(CheckedMembers {
            table_name,
            returns: read(&RETURN_VALUES, self.return_values)?,
            consumed: read(&RETURN_CONSUMED, self.return_consumed_capacity)?,
            metrics: read(&RETURN_METRICS, self.return_item_collection_metrics)?,
            on_failure: read(&RETURN_ON_FAILURE, self.return_on_failure)?,
        })
    }
}

fn read<T: Copy>(member: &Member<T>, text: &Option<String>) -> Result<T, ApiError> {
    member.read(text).map_err(refuse)
}

fn conditional_operator_violation(operator: &Option<String>) -> Option<String> {
    let operator = operator.as_ref().filter(|text| !matches!(text.as_str(), "AND" | "OR"))?;
    Some(old(operator, "conditionalOperator", &one_of(&["OR", "AND"])))
}

/// Refuses what PutItem and DeleteItem cannot return.
pub(crate) fn check_old_values_only(returns: ReturnValues) -> Result<(), ApiError> {
    match returns {
        ReturnValues::None | ReturnValues::AllOld => Ok(()),
        ReturnValues::UpdatedOld | ReturnValues::AllNew | ReturnValues::UpdatedNew => {
            Err(ApiError::validation("ReturnValues can only be ALL_OLD or NONE"))
        }
    }
}
