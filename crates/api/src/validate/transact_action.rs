//! One action of a TransactWriteItems.
//!
//! It is read in three steps. [`read`] takes the members that it must have; what is missing or wrong
//! there is told together with all other members of the request. [`RequiredAction::check`] checks its
//! expressions and values, which need no table. [`CheckedAction::write`] fits it to its table, where a
//! failure cancels the transaction.

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
use super::expressions::{Placeholders, WithoutExpressions};
use super::item;
use super::keys::{self, KeyRefusal};
use super::table_name::{self, TableName};
use crate::error::ApiError;
use crate::wording::expression::Kind;
use crate::wording::value::ValueLayer;

const NO_ACTION: &str =
    "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
const SEVERAL_ACTIONS: &str = "TransactItems can only contain one of Check, Put, Update or Delete";

/// The members that the four kinds of actions share.
struct Members<'r> {
    name: &'static str,
    change: Change<&'r Option<String>>,
    table_name: &'r Option<String>,
    /// The item, or the key of one: what it is called, and its value.
    target: (&'static str, &'r Option<WireItem>),
    condition_expression: &'r Option<String>,
    names: &'r Option<BTreeMap<String, String>>,
    values: &'r Option<WireItem>,
    on_failure: &'r Option<String>,
}

/// An action with the members that it must have.
pub(crate) struct RequiredAction<'r> {
    change: Change<&'r str>,
    members: Members<'r>,
    table_name: TableName<'r>,
    target: &'r WireItem,
    on_failure: ReturnOnFailure,
}

/// An action without what needs the table.
pub(crate) struct CheckedAction<'r> {
    pub(crate) table_name: TableName<'r>,
    pub(crate) on_failure: ReturnOnFailure,
    /// The item, or its key attributes.
    pub(crate) attributes: &'r Item,
    change: Change<Update>,
    condition: Option<Condition>,
}

/// What an action does. An update is at first a text that may be missing, then one that is there, in the
/// end what the text says.
#[derive(Clone, Copy)]
enum Change<U> {
    Put,
    Update(U),
    Delete,
    Check,
}

impl<U> Change<U> {
    /// The same change with the update in another form.
    fn try_map<V, E>(self, map: impl FnOnce(U) -> Result<V, E>) -> Result<Change<V>, E> {
        Ok(match self {
            Change::Put => Change::Put,
            Change::Update(update) => Change::Update(map(update)?),
            Change::Delete => Change::Delete,
            Change::Check => Change::Check,
        })
    }
}

/// Reads an element of the transaction. None means that a violation has been noted; an element that
/// does not name one action is only refused when it is its turn.
pub(crate) fn read<'r>(
    item: &'r TransactWriteItem,
    number: usize,
    violations: &mut Violations,
) -> Option<Result<RequiredAction<'r>, ApiError>> {
    let mut actions = members(item);
    let several = actions.len() > 1;
    let action = match actions.pop() {
        None => return Some(Err(ApiError::validation(NO_ACTION))),
        Some(action) => action.require(number, violations)?,
    };
    Some(if several { Err(ApiError::validation(SEVERAL_ACTIONS)) } else { Ok(action) })
}

impl<'r> Members<'r> {
    fn require(self, number: usize, violations: &mut Violations) -> Option<RequiredAction<'r>> {
        let path = format!("transactItems.{number}.member.{}", self.name);
        let (target_name, target) = self.target;
        violations.require(target, &format!("{path}.{target_name}"));
        let table_name =
            table_name::required_at(self.table_name, &format!("{path}.tableName"), violations);
        match self.change {
            Change::Update(text) => {
                violations.require(text, &format!("{path}.updateExpression"));
            }
            Change::Check => {
                let path = format!("{path}.conditionExpression");
                violations.require(self.condition_expression, &path);
            }
            Change::Put | Change::Delete => {}
        }
        let path = format!("{path}.returnValuesOnConditionCheckFailure");
        let on_failure = RETURN_ON_FAILURE.read_at(&path, self.on_failure);
        let on_failure = on_failure.map_err(|violation| violations.push(violation)).ok()?;
        Some(RequiredAction {
            change: self.change.try_map(|text| text.as_deref().ok_or(())).ok()?,
            table_name: table_name?,
            target: target.as_ref()?,
            on_failure,
            members: self,
        })
    }
}

impl<'r> RequiredAction<'r> {
    /// Checks the action: its expressions, its values and its size.
    pub(crate) fn check(&self) -> Result<CheckedAction<'r>, ApiError> {
        let (change, condition) = self.check_expressions()?;
        let attributes = match change {
            Change::Put => {
                let item = item::check(self.target, ValueLayer::Current)?;
                item::check_size(item)?;
                item
            }
            Change::Update(_) | Change::Delete | Change::Check => {
                keys::values(self.target, ValueLayer::Current)?
            }
        };
        let (table_name, on_failure) = (self.table_name, self.on_failure);
        Ok(CheckedAction { table_name, on_failure, attributes, change, condition })
    }

    /// The change and the condition.
    fn check_expressions(&self) -> Result<(Change<Update>, Option<Condition>), ApiError> {
        let members = &self.members;
        let has_update = matches!(self.change, Change::Update(_));
        let has_expression = has_update || members.condition_expression.is_some();
        let placeholders = WithoutExpressions {
            names: members.names.is_some(),
            values: members.values.is_some(),
            any_expression: has_expression,
            any_with_values: has_expression,
            suffix: ": ConditionExpression is null",
        };
        placeholders.check()?;
        let placeholders = Placeholders::in_transaction(members.names, members.values)?;
        let mut expressions = placeholders.expressions();
        let change = self.change.try_map(|text| expressions.update(text))?;
        let condition = expressions.condition(Kind::Condition, members.condition_expression)?;
        expressions.finish()?;
        Ok((change, condition))
    }
}

impl CheckedAction<'_> {
    /// What the action adds to the size of its transaction.
    pub(crate) fn size_bytes(&self) -> usize {
        let written = match &self.change {
            Change::Update(update) => update.size_bytes(),
            Change::Put | Change::Delete | Change::Check => 0,
        };
        item_size_bytes(self.attributes) + written
    }

    /// The write on its table.
    pub(crate) fn write(&self, table: Arc<Table>) -> Result<TransactWrite, KeyRefusal> {
        let schema = table.schema();
        let key = match &self.change {
            Change::Put => keys::of_item_in_transaction(&schema, self.attributes)?,
            Change::Update(_) | Change::Delete | Change::Check => {
                keys::lookup_in_transaction(&schema, self.attributes)?
            }
        };
        if let Change::Update(update) = &self.change {
            keys::check_update(&schema, update)?;
        }
        let condition = self.condition.clone();
        keys::check_condition(&schema, condition.as_ref()).map_err(KeyRefusal::Cancels)?;
        Ok(TransactWrite { table, write: Write { key, action: self.action(), condition } })
    }

    fn action(&self) -> Action {
        match &self.change {
            Change::Put => Action::Put(Bytes::from(stored::encode(self.attributes))),
            Change::Update(update) => {
                Action::Update { key: self.attributes.clone(), update: Some(update.clone()) }
            }
            Change::Delete => Action::Delete,
            Change::Check => Action::Check,
        }
    }
}

/// The actions that an element of the transaction names; there should be one.
fn members(item: &TransactWriteItem) -> Vec<Members<'_>> {
    let check = item.condition_check.as_ref().map(|check| Members {
        name: "conditionCheck",
        change: Change::Check,
        table_name: &check.table_name,
        target: ("key", &check.key),
        condition_expression: &check.condition_expression,
        names: &check.expression_attribute_names,
        values: &check.expression_attribute_values,
        on_failure: &check.return_values_on_condition_check_failure,
    });
    let put = item.put.as_ref().map(|put| Members {
        name: "put",
        change: Change::Put,
        table_name: &put.table_name,
        target: ("item", &put.item),
        condition_expression: &put.condition_expression,
        names: &put.expression_attribute_names,
        values: &put.expression_attribute_values,
        on_failure: &put.return_values_on_condition_check_failure,
    });
    let delete = item.delete.as_ref().map(|delete| Members {
        name: "delete",
        change: Change::Delete,
        table_name: &delete.table_name,
        target: ("key", &delete.key),
        condition_expression: &delete.condition_expression,
        names: &delete.expression_attribute_names,
        values: &delete.expression_attribute_values,
        on_failure: &delete.return_values_on_condition_check_failure,
    });
    let update = item.update.as_ref().map(|update| Members {
        name: "update",
        change: Change::Update(&update.update_expression),
        table_name: &update.table_name,
        target: ("key", &update.key),
        condition_expression: &update.condition_expression,
        names: &update.expression_attribute_names,
        values: &update.expression_attribute_values,
        on_failure: &update.return_values_on_condition_check_failure,
    });
    [check, put, delete, update].into_iter().flatten().collect()
}
