//! The condition of a single write, and the update beside it.

use std::collections::BTreeMap;

use monotable_expr::{Condition, Update};
use monotable_protocol::WireItem;
use monotable_protocol::delete_item::DeleteItemRequest;
use monotable_protocol::put_item::PutItemRequest;
use monotable_protocol::shapes::{AttributeValueUpdate, ExpectedAttributeValue};
use monotable_protocol::update_item::UpdateItemRequest;

use super::expressions::{Placeholders, WithoutExpressions, check_mixing};
use crate::error::ApiError;
use crate::legacy;
use crate::wording::expression::Kind;
use crate::wording::value::ValueLayer;

/// The parameters of a write that say under which condition it happens, and what it changes.
pub(crate) struct WriteParameters<'r> {
    attribute_updates: &'r Option<BTreeMap<String, AttributeValueUpdate>>,
    expected: &'r Option<BTreeMap<String, ExpectedAttributeValue>>,
    conditional_operator: &'r Option<String>,
    update_expression: &'r Option<String>,
    condition_expression: &'r Option<String>,
    names: &'r Option<BTreeMap<String, String>>,
    values: &'r Option<WireItem>,
}

/// Takes the parameters of a request, which have the same names in all writes. Only UpdateItem has
/// those that say what changes.
macro_rules! parameters_of {
    ($type:ident, |$request:ident| ($attribute_updates:expr, $update_expression:expr)) => {
        impl<'r> From<&'r $type> for WriteParameters<'r> {
            fn from($request: &'r $type) -> WriteParameters<'r> {
                WriteParameters {
                    attribute_updates: $attribute_updates,
                    expected: &$request.expected,
                    conditional_operator: &$request.conditional_operator,
                    update_expression: $update_expression,
                    condition_expression: &$request.condition_expression,
                    names: &$request.expression_attribute_names,
                    values: &$request.expression_attribute_values,
                }
            }
        }
    };
}

parameters_of!(PutItemRequest, |request| (&None, &None));
parameters_of!(UpdateItemRequest, |request| (
    &request.attribute_updates,
    &request.update_expression
));
parameters_of!(DeleteItemRequest, |request| (&None, &None));

impl WriteParameters<'_> {
    /// Refuses parameters that do not go together.
    pub(crate) fn check_combination(&self) -> Result<(), ApiError> {
        let any_expression =
            self.update_expression.is_some() || self.condition_expression.is_some();
        check_mixing(
            &[
                ("AttributeUpdates", self.attribute_updates.is_some()),
                ("Expected", self.expected.is_some()),
                ("ConditionalOperator", self.conditional_operator.is_some()),
            ],
            &[
                ("UpdateExpression", self.update_expression.is_some()),
                ("ConditionExpression", self.condition_expression.is_some()),
            ],
        )?;
        let placeholders = WithoutExpressions {
            names: self.names.is_some(),
            values: self.values.is_some(),
            any_expression,
            any_with_values: any_expression,
            suffix: "",
        };
        placeholders.check()
    }

    /// The update and the condition.
    pub(crate) fn read(&self) -> Result<(Option<Update>, Option<Condition>), ApiError> {
        let layer = ValueLayer::Current;
        let legacy_update = legacy::attribute_updates(self.attribute_updates, layer)?;
        let legacy_condition = legacy::expected(self.expected, self.conditional_operator, layer)?;
        let mut expressions = Placeholders::new(self.names, self.values, layer)?.expressions();
        let update = self.update_expression.as_ref();
        let update = update.map(|text| expressions.update(text)).transpose()?;
        let condition = expressions.condition(Kind::Condition, self.condition_expression)?;
        expressions.finish()?;
        Ok((update.or(legacy_update), condition.or(legacy_condition)))
    }
}
