//! What filters and key conditions have in common: a map of attributes to conditions on them.

use std::collections::BTreeMap;

use monotable_protocol::WireValue;
use monotable_protocol::shapes::Condition as WireCondition;

use super::comparison::LegacyComparison;
use super::operator::Operator;
use crate::error::ApiError;
use crate::validate::constraint::Violations;
use crate::validate::item::check_name_size;
use crate::wording::value::ValueLayer;

/// A condition whose operator is known and whose values are not checked yet.
pub(super) struct Draft<'r> {
    pub(super) attribute: &'r str,
    operator: Operator,
    values: &'r [WireValue],
}

impl Draft<'_> {
    /// Checks the values.
    pub(super) fn read(&self, layer: ValueLayer) -> Result<LegacyComparison, ApiError> {
        check_name_size(self.attribute)?;
        LegacyComparison::read(self.operator, self.values, layer)
    }
}

/// Reads the operators of all conditions. Those that are missing or unknown violate the constraints
/// of the parameter, which are checked before anything else and answered together.
pub(super) fn draft<'r>(
    conditions: &'r BTreeMap<String, WireCondition>,
    parameter: &str,
) -> Result<Vec<Draft<'r>>, ApiError> {
    let mut drafts = Vec::with_capacity(conditions.len());
    let mut violations = Violations::default();
    for (attribute, condition) in conditions {
        let path = format!("{parameter}.{attribute}.member.comparisonOperator");
        match Operator::read_required(condition.comparison_operator.as_deref(), &path) {
            Ok(operator) => {
                let values = condition.attribute_value_list.as_deref().unwrap_or_default();
                drafts.push(Draft { operator, attribute, values });
            }
            Err(violation) => violations.push(violation),
        }
    }
    violations.finish()?;
    Ok(drafts)
}
