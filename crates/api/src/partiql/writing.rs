//! A statement that writes, fitted to its table: one conditional write.

use bytes::Bytes;
use monotable_database::Write;
use monotable_database::schema::TableSchema;
use monotable_expr::Condition;
use monotable_expr::partiql::{Bound, KeyedCondition, KeyedConditionError, Returning};
use monotable_item::{Item, Path, stored};

use super::prepared::Prepared;
use crate::error::ApiError;
use crate::operations::update_item::check_statement_size;
use crate::validate::enums::ReturnValues;
use crate::validate::keys::{self, KeyRefusal};
use crate::wording::key::NOT_OF_SCHEMA;
use crate::wording::partiql;

/// The write that a statement turns into.
pub(crate) struct Writing {
    pub(crate) write: Write,
    /// The item that is put, or the key.
    pub(crate) attributes: Bytes,
    /// What is returned of the item.
    pub(crate) returns: ReturnValues,
    /// Whether a failed condition means that the item exists.
    pub(crate) is_insert: bool,
}

/// How an error about a write that does not fit its table is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As that of a statement of its own.
    Single,
    /// As part of a transaction, which it cancels.
    Transaction,
}

impl Writing {
    /// Fits a statement to its table.
    pub(crate) fn new(
        schema: &TableSchema,
        prepared: &Prepared,
        form: Form,
    ) -> Result<Writing, KeyRefusal> {
        let fitting = Fitting { schema, form };
        let (write, attributes) = match &prepared.bound {
            Bound::Insert { item } => fitting.insert(item, prepared.item.as_ref())?,
            Bound::Update { update, condition } => {
                let (key, rest) = fitting.keyed(condition.as_ref())?;
                let write = keys::update_in_transaction(schema, &key, Some(update.clone()))?;
                keys::check_update(schema, update)?;
                if form == Form::Single {
                    check_statement_size(update).map_err(KeyRefusal::Refuses)?;
                }
                (write.on_condition(Some(fitting.exists_and(rest))), key)
            }
            Bound::Delete { condition } => {
                let (key, rest) = fitting.keyed(condition.as_ref())?;
                let write = Write::delete(keys::lookup_in_transaction(schema, &key)?);
                // Deleting an item that does not exist succeeds, whatever the condition.
                let absent = || Condition::NotExists(fitting.partition_path());
                let condition = rest.map(|rest| Condition::Or(Box::new(absent()), Box::new(rest)));
                (write.on_condition(condition), key)
            }
            Bound::Exists { condition } => fitting.check(condition.as_ref())?,
            Bound::Select { .. } => unreachable!("a SELECT is no write"),
        };
        let is_insert = matches!(prepared.bound, Bound::Insert { .. });
        let returns = returns(prepared.statement.returning());
        Ok(Writing { write, attributes, returns, is_insert })
    }
}

fn returns(returning: Option<Returning>) -> ReturnValues {
    match returning {
        None => ReturnValues::None,
        Some(Returning::AllOld) => ReturnValues::AllOld,
        Some(Returning::ModifiedOld) => ReturnValues::UpdatedOld,
        Some(Returning::AllNew) => ReturnValues::AllNew,
        Some(Returning::ModifiedNew) => ReturnValues::UpdatedNew,
    }
}

/// A table to fit statements to.
struct Fitting<'s> {
    schema: &'s TableSchema,
    form: Form,
}

impl Fitting<'_> {
    fn insert(&self, item: &Item, stored: Option<&Bytes>) -> Result<(Write, Bytes), KeyRefusal> {
        if self.form == Form::Single {
            self.check_key(item).map_err(KeyRefusal::Refuses)?;
        }
        let stored = stored.cloned().unwrap_or_else(|| stored::encode(item).into());
        let write = keys::put_in_transaction(self.schema, &stored)?;
        let absent = Condition::NotExists(self.partition_path());
        Ok((write.on_condition(Some(absent)), stored))
    }

    /// Returns the check of an `EXISTS`, which must demand more than that an item exists.
    fn check(&self, condition: Option<&Condition>) -> Result<(Write, Bytes), KeyRefusal> {
        let refuse = || KeyRefusal::Refuses(partiql::exists_without_condition());
        let keyed = KeyedCondition::of_first_values(condition, &self.key_names());
        let KeyedCondition { key, rest } = keyed.map_err(|_| refuse())?;
        let rest = rest.ok_or_else(refuse)?;
        keys::check_condition(self.schema, Some(&rest)).map_err(KeyRefusal::Refuses)?;
        let key: Bytes = stored::encode(&key).into();
        let write = Write::check(keys::lookup_in_transaction(self.schema, &key)?);
        Ok((write.on_condition(Some(self.exists_and(Some(rest)))), key))
    }

    /// The key that a condition names, and what else must hold.
    fn keyed(
        &self,
        condition: Option<&Condition>,
    ) -> Result<(Bytes, Option<Condition>), KeyRefusal> {
        let keyed = KeyedCondition::new(condition, &self.key_names());
        let KeyedCondition { key, rest } = keyed.map_err(|error| self.not_keyed(&error))?;
        if self.form == Form::Single {
            self.check_key(&key).map_err(KeyRefusal::Refuses)?;
        }
        keys::check_condition(self.schema, rest.as_ref()).map_err(KeyRefusal::Refuses)?;
        Ok((stored::encode(&key).into(), rest))
    }

    fn not_keyed(&self, error: &KeyedConditionError) -> KeyRefusal {
        match self.form {
            Form::Single => KeyRefusal::Refuses(partiql::not_keyed(error)),
            Form::Transaction => KeyRefusal::Cancels(ApiError::validation(NOT_OF_SCHEMA)),
        }
    }

    /// Refuses an item or key that lacks a key attribute or has one of the wrong type.
    fn check_key(&self, attributes: &Item) -> Result<(), ApiError> {
        for part in self.schema.key.attributes() {
            match attributes.get(&part.name) {
                None => return Err(partiql::missing_key(&part.name)),
                Some(value) if value.kind() != part.kind.value_type() => {
                    return Err(partiql::wrong_key_type(&part.name));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn key_names(&self) -> Vec<&str> {
        self.schema.key.attributes().map(|part| part.name.as_str()).collect()
    }

    /// Every item has its partition key, so the attribute exists if and only if the item does.
    fn partition_path(&self) -> Path {
        let name = self.schema.key.partition.first().map(|part| part.name.clone());
        Path::attribute(name.unwrap_or_default())
    }

    fn exists_and(&self, rest: Option<Condition>) -> Condition {
        let exists = Condition::Exists(self.partition_path());
        match rest {
            Some(rest) => Condition::And(Box::new(exists), Box::new(rest)),
            None => exists,
        }
    }
}
