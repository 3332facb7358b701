//! The members that PutItem, UpdateItem and DeleteItem share.

use monotable_protocol::StoredItem;
use monotable_protocol::delete_item::DeleteItemRequest;
use monotable_protocol::put_item::PutItemRequest;
use monotable_protocol::update_item::UpdateItemRequest;

use super::constraint::{Violations, missing, old, one_of};
use super::enums::{
    RETURN_CONSUMED, RETURN_METRICS, RETURN_ON_FAILURE, RETURN_VALUES, ReturnConsumed,
    ReturnMetrics, ReturnOnFailure, ReturnValues, refuse,
};
use super::table_name::{self, Layer, TableName};
use crate::error::ApiError;

/// The text for a wrong `ReturnValues` from the newer layer, misspelling included.
const RETURN_VALUES_NEW: &str = "Failed to satisfy constraint: Member must satisfy enum value set: \
    [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
const RETURN_METRICS_NEW: &str = "ReturnItemCollectionMetrics can only be SIZE or NONE";

/// The three writes. They check the same members, each in its own order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SingleWrite {
    Put,
    Update,
    Delete,
}

/// The members as they were sent.
pub(crate) struct WriteMembers<'r> {
    write: SingleWrite,
    table_name: &'r Option<String>,
    /// The item, or the key of one.
    target: &'r Option<StoredItem>,
    return_values: &'r Option<String>,
    return_consumed_capacity: &'r Option<String>,
    return_item_collection_metrics: &'r Option<String>,
    return_on_failure: &'r Option<String>,
    conditional_operator: &'r Option<String>,
}

/// Takes the members of a request, which have the same names in all three.
macro_rules! members_of {
    ($request:ident, $write:ident, $target:ident) => {
        impl<'r> From<&'r $request> for WriteMembers<'r> {
            fn from(request: &'r $request) -> WriteMembers<'r> {
                WriteMembers {
                    write: SingleWrite::$write,
                    table_name: &request.table_name,
                    target: &request.$target,
                    return_values: &request.return_values,
                    return_consumed_capacity: &request.return_consumed_capacity,
                    return_item_collection_metrics: &request.return_item_collection_metrics,
                    return_on_failure: &request.return_values_on_condition_check_failure,
                    conditional_operator: &request.conditional_operator,
                }
            }
        }
    };
}

members_of!(PutItemRequest, Put, item);
members_of!(UpdateItemRequest, Update, key);
members_of!(DeleteItemRequest, Delete, key);

/// The members, checked.
#[derive(Debug)]
pub(crate) struct CheckedMembers<'r> {
    pub(crate) table_name: TableName<'r>,
    pub(crate) target: &'r StoredItem,
    pub(crate) returns: ReturnValues,
    pub(crate) consumed: ReturnConsumed,
    pub(crate) metrics: ReturnMetrics,
    pub(crate) on_failure: ReturnOnFailure,
}

impl<'r> WriteMembers<'r> {
    /// Checks all members. Without an item or key the older layer answers, with all that is wrong.
    pub(crate) fn check(&self) -> Result<CheckedMembers<'r>, ApiError> {
        let Some(target) = self.target else { return Err(self.without_target()) };
        let table_name = table_name::of_items(self.table_name, Layer::New)?;
        let returns = RETURN_VALUES.read(self.return_values);
        let returns = returns.map_err(|_| RETURN_VALUES_NEW.to_owned());
        let consumed = RETURN_CONSUMED.read(self.return_consumed_capacity);
        let metrics = RETURN_METRICS.read(self.return_item_collection_metrics);
        let metrics = metrics.map_err(|_| RETURN_METRICS_NEW.to_owned());
        let on_failure = RETURN_ON_FAILURE.read(self.return_on_failure);
        // UpdateItem tells the first that is wrong, the others all.
        if self.write != SingleWrite::Update {
            let mut violations = Violations::default();
            violations.extend(consumed.as_ref().err().cloned());
            violations.extend(returns.as_ref().err().cloned());
            violations.extend(metrics.as_ref().err().cloned());
            violations.extend(on_failure.as_ref().err().cloned());
            violations.finish()?;
        }
        Ok(CheckedMembers {
            table_name,
            target,
            returns: returns.map_err(refuse)?,
            metrics: metrics.map_err(refuse)?,
            consumed: consumed.map_err(ApiError::validation)?,
            on_failure: on_failure.map_err(ApiError::validation)?,
        })
    }

    fn without_target(&self) -> ApiError {
        let mut violations = Violations::default();
        violations.extend(RETURN_CONSUMED.read(self.return_consumed_capacity).err());
        violations.extend(match self.table_name {
            Some(name) => table_name::violation(name, Layer::Old),
            None => Some(missing("tableName")),
        });
        let returns = [
            RETURN_VALUES.read(self.return_values).err(),
            RETURN_METRICS.read(self.return_item_collection_metrics).err(),
        ];
        let operator = conditional_operator_violation(self.conditional_operator);
        let in_order: [Option<String>; 4] = match (self.write, returns) {
            (SingleWrite::Put, [values, metrics]) => {
                [Some(missing("item")), operator, values, metrics]
            }
            (SingleWrite::Update, [values, metrics]) => {
                [values, metrics, operator, Some(missing("key"))]
            }
            (SingleWrite::Delete, [values, metrics]) => {
                [values, metrics, Some(missing("key")), operator]
            }
        };
        in_order.into_iter().for_each(|violation| violations.extend(violation));
        violations.refuse()
    }
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
