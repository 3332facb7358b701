//! What GetItem and the keys of a BatchGetItem or TransactGetItems return of an item.

use std::collections::BTreeMap;

use monotable_expr::Projection;

use super::expressions::{Placeholders, WithoutExpressions, check_mixing};
use crate::error::ApiError;
use crate::legacy;
use crate::wording::value::ValueLayer;

/// The parameters that say what is returned.
pub(crate) struct ProjectionParameters<'r> {
    pub(crate) attributes_to_get: &'r Option<Vec<String>>,
    pub(crate) projection_expression: &'r Option<String>,
    pub(crate) names: &'r Option<BTreeMap<String, String>>,
}

impl ProjectionParameters<'_> {
    /// Refuses parameters that do not go together.
    pub(crate) fn check_combination(&self) -> Result<(), ApiError> {
        check_mixing(
            &[("AttributesToGet", self.attributes_to_get.is_some())],
            &[("ProjectionExpression", self.projection_expression.is_some())],
        )?;
        let placeholders = WithoutExpressions {
            names: self.names.is_some(),
            values: false,
            any_expression: self.projection_expression.is_some(),
            any_with_values: false,
            suffix: "",
        };
        placeholders.check()
    }

    /// The projection, if there is one.
    pub(crate) fn read(&self) -> Result<Option<Projection>, ApiError> {
        let legacy = legacy::attributes_to_get(self.attributes_to_get)?;
        let mut expressions =
            Placeholders::new(self.names, &None, ValueLayer::Current)?.expressions();
        let projection = expressions.projection(self.projection_expression)?;
        expressions.finish()?;
        Ok(projection.or(legacy))
    }
}
