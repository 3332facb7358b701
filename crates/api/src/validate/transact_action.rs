//! One action of a TransactWriteItems.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::{Action, Table, TransactWrite, Write};
use monotable_expr::{Condition, Update};
use monotable_item::{Item, item_size_bytes, stored};
use monotable_protocol::WireItem;
use monotable_protocol::transact_write_items::TransactWriteItem;

use super::constraint::Violations;
use super::enums::{RETURN_ON_FAILURE, ReturnOnFailure};
use super::expressions::Placeholders;
use super::keys::{self, KeyRefusal};
use super::table_name::{self, Layer};
use super::{item, keys as key_checks};
use crate::error::ApiError;
use crate::operations::update_item::check_update;
use crate::wording::expression::Kind;
use crate::wording::value::ValueLayer;

/// The members that the four kinds of actions share.
struct Members<'r> {
    name: &'static str,
    table_name: &'r Option<String>,
    /// The item, or the key of one: what it is called, and its value.
    target: (&'static str, &'r Option<WireItem>),
    update_expression: &'r Option<String>,
    condition_expression: &'r Option<String>,
    names: &'r Option<BTreeMap<String, String>>,
    values: &'r Option<WireItem>,
    on_failure: &'r Option<String>,
    /// Which expression must be there, and whether it is.
    required: Option<(&'static str, bool)>,
}

/// An action without what needs the table.
pub(crate) struct CheckedAction<'r> {
    pub(crate) table_name: &'r str,
    pub(crate) on_failure: ReturnOnFailure,
    kind: CheckedKind<'r>,
    condition: Option<Condition>,
}

enum CheckedKind<'r> {
    Put(&'r Item),
    Update { key: &'r Item, update: Update },
    Delete(&'r Item),
    Check(&'r Item),
}

/// What is wrong with the members of an action.
pub(crate) fn violations(item: &TransactWriteItem, number: usize) -> Violations {
    let mut violations = Violations::default();
    for members in members(item) {
        let path = format!("transactItems.{number}.member.{}", members.name);
        violations.require(members.target.1, &format!("{path}.{}", members.target.0));
        violations.require(members.table_name, &format!("{path}.tableName"));
        if let Some((name, false)) = members.required {
            violations.require(&None::<String>, &format!("{path}.{name}"));
        }
        let path = format!("{path}.returnValuesOnConditionCheckFailure");
        violations.extend(RETURN_ON_FAILURE.read_at(&path, members.on_failure).err());
    }
    violations
}

/// Checks an action: its expressions, its values and its size.
pub(crate) fn check(item: &TransactWriteItem) -> Result<CheckedAction<'_>, ApiError> {
    let mut all = members(item);
    let Some(members) = all.pop() else {
        return Err(ApiError::validation(
            "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
        ));
    };
    if !all.is_empty() {
        return Err(ApiError::validation(
            "TransactItems can only contain one of Check, Put, Update or Delete",
        ));
    }
    let table_name = table_name::of_items(members.table_name, Layer::New)?;
    let on_failure = RETURN_ON_FAILURE.read(members.on_failure).map_err(super::enums::refuse)?;
    let (update, condition) = check_expressions(&members)?;
    let target = members.target.1.as_ref().ok_or_else(ApiError::resource_not_found)?;
    let kind = checked_kind(&members, target, update)?;
    Ok(CheckedAction { table_name, on_failure, kind, condition })
}

fn check_expressions(
    members: &Members<'_>,
) -> Result<(Option<Update>, Option<Condition>), ApiError> {
    let has_expression =
        members.update_expression.is_some() || members.condition_expression.is_some();
    if !has_expression {
        return Ok((None, None));
    }
    let placeholders = Placeholders::new(members.names, members.values, ValueLayer::Current)?;
    let mut expressions = placeholders.expressions();
    let update = expressions.update(members.update_expression)?;
    let condition = expressions.condition(Kind::Condition, members.condition_expression)?;
    expressions.finish()?;
    Ok((update, condition))
}

fn checked_kind<'r>(
    members: &Members<'_>,
    target: &'r WireItem,
    update: Option<Update>,
) -> Result<CheckedKind<'r>, ApiError> {
    if members.name == "put" {
        let put = item::check(target, ValueLayer::Current)?;
        item::check_size(put)?;
        return Ok(CheckedKind::Put(put));
    }
    let key = keys::values(target, ValueLayer::Current)?;
    Ok(match update {
        Some(update) => CheckedKind::Update { key, update },
        None if members.name == "delete" => CheckedKind::Delete(key),
        None => CheckedKind::Check(key),
    })
}

impl<'r> CheckedAction<'r> {
    /// The item, or its key attributes.
    pub(crate) fn attributes(&self) -> &'r Item {
        match self.kind {
            CheckedKind::Put(item) => item,
            CheckedKind::Update { key, .. }
            | CheckedKind::Delete(key)
            | CheckedKind::Check(key) => key,
        }
    }

    /// What the action adds to the size of its transaction.
    pub(crate) fn size_bytes(&self) -> usize {
        match &self.kind {
            CheckedKind::Update { key, update } => item_size_bytes(key) + update.size_bytes(),
            CheckedKind::Put(_) | CheckedKind::Delete(_) | CheckedKind::Check(_) => {
                item_size_bytes(self.attributes())
            }
        }
    }

    /// The write on its table.
    pub(crate) fn write(&self, table: Arc<Table>) -> Result<TransactWrite, KeyRefusal> {
        let schema = table.schema();
        let key = match self.kind {
            CheckedKind::Put(item) => key_checks::of_item_in_transaction(&schema, item)?,
            _ => key_checks::lookup_in_transaction(&schema, self.attributes())?,
        };
        let action = match &self.kind {
            CheckedKind::Put(item) => Action::Put(Bytes::from(stored::encode(item))),
            CheckedKind::Update { key, update } => {
                check_update(&schema, update).map_err(KeyRefusal::Cancels)?;
                Action::Update { key: (*key).clone(), update: Some(update.clone()) }
            }
            CheckedKind::Delete(_) => Action::Delete,
            CheckedKind::Check(_) => Action::Check,
        };
        Ok(TransactWrite { table, write: Write { key, action, condition: self.condition.clone() } })
    }
}

/// The actions that an element of the transaction names; there should be one.
fn members(item: &TransactWriteItem) -> Vec<Members<'_>> {
    let check = item.condition_check.as_ref().map(|check| Members {
        name: "conditionCheck",
        table_name: &check.table_name,
        target: ("key", &check.key),
        update_expression: &None,
        condition_expression: &check.condition_expression,
        names: &check.expression_attribute_names,
        values: &check.expression_attribute_values,
        on_failure: &check.return_values_on_condition_check_failure,
        required: Some(("conditionExpression", check.condition_expression.is_some())),
    });
    let put = item.put.as_ref().map(|put| Members {
        name: "put",
        table_name: &put.table_name,
        target: ("item", &put.item),
        update_expression: &None,
        condition_expression: &put.condition_expression,
        names: &put.expression_attribute_names,
        values: &put.expression_attribute_values,
        on_failure: &put.return_values_on_condition_check_failure,
        required: None,
    });
    let delete = item.delete.as_ref().map(|delete| Members {
        name: "delete",
        table_name: &delete.table_name,
        target: ("key", &delete.key),
        update_expression: &None,
        condition_expression: &delete.condition_expression,
        names: &delete.expression_attribute_names,
        values: &delete.expression_attribute_values,
        on_failure: &delete.return_values_on_condition_check_failure,
        required: None,
    });
    let update = item.update.as_ref().map(|update| Members {
        name: "update",
        table_name: &update.table_name,
        target: ("key", &update.key),
        update_expression: &update.update_expression,
        condition_expression: &update.condition_expression,
        names: &update.expression_attribute_names,
        values: &update.expression_attribute_values,
        on_failure: &update.return_values_on_condition_check_failure,
        required: Some(("updateExpression", update.update_expression.is_some())),
    });
    [check, put, delete, update].into_iter().flatten().collect()
}
