//! `KeyConditions`.

use std::collections::BTreeMap;

use monotable_expr::{Condition, KeyCondition};
use monotable_protocol::shapes::Condition as WireCondition;

use super::conditional_operator::Connective;
use super::conditions::{Draft, draft};
use crate::error::ApiError;
use crate::wording::value::ValueLayer;

const COUNT: &str = "Conditions can be of length 1 or 2 only";
const NOT_INDEXABLE: &str = "Attempted conditional constraint is not an indexable operation";

/// The key condition of a Query.
pub(crate) fn key_conditions(
    conditions: &Option<BTreeMap<String, WireCondition>>,
    layer: ValueLayer,
) -> Result<Option<KeyCondition>, ApiError> {
    let Some(conditions) = conditions else { return Ok(None) };
    let drafts = draft(conditions, "keyConditions")?;
    let conditions: Result<Vec<Condition>, ApiError> =
        drafts.iter().map(|draft| draft.read(layer)).collect();
    let conditions = conditions?;
    if !matches!(conditions.len(), 1 | 2) {
        return Err(ApiError::validation(COUNT));
    }
    check_indexable(&drafts)?;
    let joined = Connective::And.join(conditions).expect("there are one or two conditions");
    let condition = KeyCondition::new(&joined)
        .expect("indexable comparisons of one attribute each are a key condition");
    Ok(Some(condition))
}

fn check_indexable(drafts: &[Draft<'_>]) -> Result<(), ApiError> {
    match drafts.iter().all(|draft| draft.operator.is_indexable()) {
        true => Ok(()),
        false => Err(ApiError::validation(NOT_INDEXABLE)),
    }
}
