//! Statements with their parameters, before their tables are known.

use std::sync::Arc;

use bytes::Bytes;
use monotable_expr::partiql::{Bound, Statement, StatementKind};
use monotable_expr::{Condition, Projection};
use monotable_item::limits::{NAME_LENGTH_MAX, NAME_LENGTH_MIN};
use monotable_item::{Value, stored};
use monotable_protocol::{StoredItem, WireValue};

use crate::authorization::{Leading, Wish};
use crate::error::ApiError;
use crate::validate::item;
use crate::validate::parsed;
use crate::validate::table_name::{self, Layer, TableName};
use crate::wording::partiql;
use crate::wording::value::ValueLayer;

/// A statement with its parameters.
pub(crate) struct Prepared {
    pub(crate) statement: Arc<Statement>,
    pub(crate) bound: Bound,
    /// What a `SELECT` returns, as a projection.
    pub(super) projection: Option<Projection>,
    /// The item of an `INSERT`, in stored form.
    pub(super) item: Option<Bytes>,
}

/// Returns the values of parameters, if all are valid. They are checked before the statement is
/// parsed.
pub(crate) fn parameters(sent: Option<Vec<WireValue>>) -> Result<Vec<Value>, ApiError> {
    let values = sent.unwrap_or_default().into_iter();
    values.map(|value| value.0.map_err(|error| partiql::parameter(&error))).collect()
}

impl Prepared {
    /// Parses a statement and binds its parameters.
    pub(crate) fn new(text: &str, parameters: &[Value]) -> Result<Prepared, ApiError> {
        let statement = parsed::statement(text).map_err(|error| partiql::word(&error))?;
        let bound = statement.bind(parameters).map_err(|error| partiql::word(&error))?;
        let projection = statement.columns().map(|columns| columns.attributes());
        let item = match &bound {
            Bound::Insert { item } => Some(checked_item(item)?),
            Bound::Select { .. }
            | Bound::Exists { .. }
            | Bound::Update { .. }
            | Bound::Delete { .. } => None,
        };
        Ok(Prepared { statement, bound, projection, item })
    }

    /// The table that the statement names.
    pub(crate) fn table_name(&self) -> Result<TableName<'_>, ApiError> {
        let name = self.statement.table();
        let is_short = (NAME_LENGTH_MIN..=NAME_LENGTH_MAX).contains(&name.len());
        match table_name::violation(name, Layer::New) {
            None if is_short || name.starts_with("arn:") => Ok(TableName::checked(name)),
            None | Some(_) => Err(partiql::invalid_table_name()),
        }
    }

    /// Returns whether the statement only reads. `EXISTS` is part of writes.
    pub(crate) fn is_read(&self) -> bool {
        self.statement.kind() == StatementKind::Select
    }

    /// The condition of `WHERE`.
    pub(crate) fn condition(&self) -> Option<&Condition> {
        match &self.bound {
            Bound::Select { condition }
            | Bound::Exists { condition }
            | Bound::Update { condition, .. }
            | Bound::Delete { condition } => condition.as_ref(),
            Bound::Insert { .. } => None,
        }
    }

    /// What policies are asked about the statement.
    pub(crate) fn wish(&self) -> Wish<'_> {
        let action = match self.statement.kind() {
            StatementKind::Select | StatementKind::Exists => "PartiQLSelect",
            StatementKind::Insert => "PartiQLInsert",
            StatementKind::Update => "PartiQLUpdate",
            StatementKind::Delete => "PartiQLDelete",
        };
        if let Some(item) = &self.item {
            return Wish::on_item(action, item);
        }
        let mut wish = Wish::new(action).on_condition(self.condition());
        wish.index = self.statement.index();
        wish.leading = Leading::Statement(self.condition());
        match &self.bound {
            Bound::Select { .. } | Bound::Exists { .. } => wish.returning(self.projection.as_ref()),
            Bound::Update { update, .. } => wish.changing(Some(update)),
            Bound::Insert { .. } | Bound::Delete { .. } => wish,
        }
    }
}

fn checked_item(item: &monotable_item::Item) -> Result<Bytes, ApiError> {
    let stored = Bytes::from(stored::encode(item));
    item::check(&StoredItem(Ok(stored.clone())), ValueLayer::Older)?;
    item::check_size(&stored)?;
    Ok(stored)
}
