//! One action of a TransactWriteItems.
//!
//! It is read in three steps. [`read`] takes the members that it must have; what is missing or
//! wrong there is reported together with all other members of the request.
//! [`RequiredAction::check`] checks its expressions and values, which need no table.
//! [`CheckedAction::write`] fits it to its table, where a failure cancels the transaction.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use monotable_database::{Table, TransactWrite, Write};
use monotable_expr::{Condition, Update};
use monotable_item::limits::TRANSACT_BYTES_MAX;
use monotable_item::stored::{CorruptItem, ItemView};
use monotable_protocol::transact_write_items::TransactWriteItem;
use monotable_protocol::{StoredItem, WireItem};

use super::constraint::Violations;
use super::enums::{RETURN_ON_FAILURE, ReturnOnFailure};
use super::expressions::{Placeholders, WithoutExpressions};
use super::item;
use super::keys::{self, KeyRefusal};
use super::table_name::{self, TableName};
use crate::authorization::Wish;
use crate::error::ApiError;
use crate::wording::expression::Kind;
use crate::wording::value::ValueLayer;

const NO_ACTION: &str =
    "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request";
const SEVERAL_ACTIONS: &str = "TransactItems can only contain one of Check, Put, Update or Delete";

/// The members that the four kinds of actions share.
struct Members<'r> {
    name: &'static str,
    change: SentChange<'r>,
    table_name: &'r Option<String>,
    condition_expression: &'r Option<String>,
    names: &'r Option<BTreeMap<String, String>>,
    values: &'r Option<WireItem>,
    on_failure: &'r Option<String>,
}

/// An action with the members that it must have.
pub(crate) struct RequiredAction<'r> {
    change: RequiredChange<'r>,
    members: Members<'r>,
    table_name: TableName<'r>,
    on_failure: ReturnOnFailure,
}

/// An action without what needs the table.
pub(crate) struct CheckedAction<'r> {
    pub(crate) table_name: TableName<'r>,
    pub(crate) on_failure: ReturnOnFailure,
    change: CheckedChange<'r>,
    condition: Option<Condition>,
}

/// What an action does with an item, or with the item of a key.
#[derive(Clone, Copy)]
enum Change<T, U> {
    Put(T),
    Update(T, U),
    Delete(T),
    Check(T),
}

/// A change as it was sent, where anything may be missing.
type SentChange<'r> = Change<&'r Option<StoredItem>, &'r Option<String>>;
/// A change with all that it must have.
type RequiredChange<'r> = Change<&'r StoredItem, &'r str>;
/// A change whose update is read.
type ReadChange<'r> = Change<&'r StoredItem, Update>;
/// A change whose update is read and whose item or key is valid.
type CheckedChange<'r> = Change<&'r Bytes, Update>;

impl<T, U> Change<T, U> {
    /// The item, or the key of one.
    fn target(&self) -> &T {
        match self {
            Change::Put(target)
            | Change::Update(target, _)
            | Change::Delete(target)
            | Change::Check(target) => target,
        }
    }

    /// The same change with another target.
    fn with_target<V>(self, target: V) -> Change<V, U> {
        match self {
            Change::Put(_) => Change::Put(target),
            Change::Update(_, update) => Change::Update(target, update),
            Change::Delete(_) => Change::Delete(target),
            Change::Check(_) => Change::Check(target),
        }
    }

    /// The same change with its update in another form.
    fn try_map_update<V, E>(self, map: impl FnOnce(U) -> Result<V, E>) -> Result<Change<T, V>, E> {
        Ok(match self {
            Change::Put(target) => Change::Put(target),
            Change::Update(target, update) => Change::Update(target, map(update)?),
            Change::Delete(target) => Change::Delete(target),
            Change::Check(target) => Change::Check(target),
        })
    }
}

impl<'r> SentChange<'r> {
    /// The change, if it has what it must have.
    fn required(self) -> Option<RequiredChange<'r>> {
        let target = self.target().as_ref()?;
        self.with_target(target).try_map_update(|text| text.as_deref().ok_or(())).ok()
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
        let path = format_args!("transactItems.{number}.member.{}", self.name);
        let target_name = match self.change {
            Change::Put(_) => "item",
            Change::Update(_, _) | Change::Delete(_) | Change::Check(_) => "key",
        };
        violations.require(self.change.target(), format_args!("{path}.{target_name}"));
        let table_name =
            table_name::required_at(self.table_name, format_args!("{path}.tableName"), violations);
        match self.change {
            Change::Update(_, text) => {
                violations.require(text, format_args!("{path}.updateExpression"));
            }
            Change::Check(_) => {
                let path = format_args!("{path}.conditionExpression");
                violations.require(self.condition_expression, path);
            }
            Change::Put(_) | Change::Delete(_) => {}
        }
        let path = format_args!("{path}.returnValuesOnConditionCheckFailure");
        let on_failure = RETURN_ON_FAILURE.read_at(path, self.on_failure);
        let on_failure = on_failure.map_err(|violation| violations.push(violation)).ok()?;
        Some(RequiredAction {
            change: self.change.required()?,
            table_name: table_name?,
            on_failure,
            members: self,
        })
    }
}

impl<'r> RequiredAction<'r> {
    /// Checks the action: its expressions, its values and its size.
    pub(crate) fn check(&self) -> Result<CheckedAction<'r>, ApiError> {
        let (change, condition) = self.check_expressions()?;
        let target = match self.change {
            Change::Put(item) => {
                let item = item::check(item, ValueLayer::Current)?;
                item::check_size(item)?;
                item
            }
            Change::Update(key, _) | Change::Delete(key) | Change::Check(key) => {
                keys::stored(key, ValueLayer::Current)?
            }
        };
        let change = change.with_target(target);
        let (table_name, on_failure) = (self.table_name, self.on_failure);
        Ok(CheckedAction { table_name, on_failure, change, condition })
    }

    /// The change with its update, and the condition.
    fn check_expressions(&self) -> Result<(ReadChange<'r>, Option<Condition>), ApiError> {
        let members = &self.members;
        let has_update = matches!(self.change, Change::Update(_, _));
        let has_expression = has_update || members.condition_expression.is_some();
        let placeholders = WithoutExpressions {
            names: members.names.is_some(),
            values: members.values.is_some(),
            any_expression: has_expression,
            any_with_values: has_expression,
            suffix: ": ConditionExpression is null",
        };
        placeholders.check()?;
        let placeholders = Placeholders::new(members.names, members.values, ValueLayer::Current)?;
        let mut expressions = placeholders.expressions();
        let change = self.change.try_map_update(|text| expressions.update(text))?;
        let condition = expressions.condition(Kind::Condition, members.condition_expression)?;
        expressions.finish()?;
        Ok((change, condition))
    }
}

impl<'r> CheckedAction<'r> {
    /// The item, or its key attributes.
    pub(crate) fn attributes(&self) -> &'r Bytes {
        self.change.target()
    }

    /// What policies are asked about the action.
    pub(crate) fn wish(&self) -> Wish<'_> {
        let (action, update) = match &self.change {
            Change::Put(_) => ("PutItem", None),
            Change::Update(_, update) => ("UpdateItem", Some(update)),
            Change::Delete(_) => ("DeleteItem", None),
            Change::Check(_) => ("ConditionCheckItem", None),
        };
        let wish = Wish::on_item(action, self.change.target()).changing(update);
        wish.on_condition(self.condition.as_ref()).within("TransactWriteItems")
    }

    /// What the action adds to the size of its transaction, or more than a transaction may have.
    pub(crate) fn size_bytes(&self) -> Result<usize, CorruptItem> {
        let written = match &self.change {
            Change::Update(_, update) => update.size_bytes_up_to(TRANSACT_BYTES_MAX),
            Change::Put(_) | Change::Delete(_) | Change::Check(_) => 0,
        };
        Ok(ItemView::new(self.attributes())?.size_bytes() + written)
    }

    /// The write on its table.
    pub(crate) fn write(&self, table: Arc<Table>) -> Result<TransactWrite, KeyRefusal> {
        let schema = table.schema();
        let write = match &self.change {
            Change::Put(item) => keys::put_in_transaction(schema, item)?,
            Change::Update(key, update) => {
                let write = keys::update_in_transaction(schema, key, Some(update.clone()))?;
                keys::check_update(schema, update)?;
                write
            }
            Change::Delete(key) => Write::delete(keys::lookup_in_transaction(schema, key)?),
            Change::Check(key) => Write::check(keys::lookup_in_transaction(schema, key)?),
        };
        let condition = self.condition.clone();
        keys::check_condition(schema, condition.as_ref()).map_err(KeyRefusal::Cancels)?;
        Ok(TransactWrite { write: write.on_condition(condition), table })
    }
}

/// The actions that an element of the transaction names; there should be one.
fn members(item: &TransactWriteItem) -> Vec<Members<'_>> {
    let check = item.condition_check.as_ref().map(|check| Members {
        name: "conditionCheck",
        change: Change::Check(&check.key),
        table_name: &check.table_name,
        condition_expression: &check.condition_expression,
        names: &check.expression_attribute_names,
        values: &check.expression_attribute_values,
        on_failure: &check.return_values_on_condition_check_failure,
    });
    let put = item.put.as_ref().map(|put| Members {
        name: "put",
        change: Change::Put(&put.item),
        table_name: &put.table_name,
        condition_expression: &put.condition_expression,
        names: &put.expression_attribute_names,
        values: &put.expression_attribute_values,
        on_failure: &put.return_values_on_condition_check_failure,
    });
    let delete = item.delete.as_ref().map(|delete| Members {
        name: "delete",
        change: Change::Delete(&delete.key),
        table_name: &delete.table_name,
        condition_expression: &delete.condition_expression,
        names: &delete.expression_attribute_names,
        values: &delete.expression_attribute_values,
        on_failure: &delete.return_values_on_condition_check_failure,
    });
    let update = item.update.as_ref().map(|update| Members {
        name: "update",
        change: Change::Update(&update.key, &update.update_expression),
        table_name: &update.table_name,
        condition_expression: &update.condition_expression,
        names: &update.expression_attribute_names,
        values: &update.expression_attribute_values,
        on_failure: &update.return_values_on_condition_check_failure,
    });
    [check, put, delete, update].into_iter().flatten().collect()
}
