//! `KeyConditions`.

use std::collections::BTreeMap;

use monotable_expr::{KeyComparison, KeyCondition};
use monotable_protocol::shapes::Condition as WireCondition;

use super::comparison::LegacyComparison;
use super::conditions::draft;
use super::operator::Operator;
use crate::error::ApiError;
use crate::wording::value::ValueLayer;

const COUNT: &str = "Conditions can be of length 1 or 2 only";
/// The most conditions on a table; indexes have keys of more attributes.
const TABLE_CONDITIONS_MAX: usize = 2;

/// The key condition of a Query.
///
/// An operator that keys are not compared by is refused only when the table is known, so it is
/// passed on. So are more conditions than the key of an index has attributes.
pub(crate) fn key_conditions(
    conditions: &Option<BTreeMap<String, WireCondition>>,
    index_name: &Option<String>,
    layer: ValueLayer,
) -> Result<Option<KeyCondition>, ApiError> {
    let Some(conditions) = conditions else { return Ok(None) };
    let drafts = draft(conditions, "keyConditions")?;
    let comparisons = drafts
        .iter()
        .map(|draft| Ok((draft.attribute.to_owned(), key_comparison(draft.read(layer)?))))
        .collect::<Result<Vec<(String, KeyComparison)>, ApiError>>()?;
    let count_max = if index_name.is_some() { usize::MAX } else { TABLE_CONDITIONS_MAX };
    if (1..=count_max).contains(&comparisons.len()) {
        Ok(Some(KeyCondition::of_comparisons(comparisons)))
    } else {
        Err(ApiError::validation(COUNT))
    }
}

fn key_comparison(comparison: LegacyComparison) -> KeyComparison {
    let mut values = comparison.values.into_iter();
    let mut next = || values.next().expect("the number of values has been checked");
    match comparison.operator {
        Operator::Equal => KeyComparison::Equal(next()),
        Operator::Less => KeyComparison::Less(next()),
        Operator::LessOrEqual => KeyComparison::LessOrEqual(next()),
        Operator::Greater => KeyComparison::Greater(next()),
        Operator::GreaterOrEqual => KeyComparison::GreaterOrEqual(next()),
        Operator::Between => KeyComparison::Between(next(), next()),
        Operator::BeginsWith => KeyComparison::BeginsWith(next()),
        Operator::In
        | Operator::Null
        | Operator::NotNull
        | Operator::NotEqual
        | Operator::Contains
        | Operator::NotContains => KeyComparison::NotIndexable,
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::Value;
    use monotable_protocol::WireValue;

    use super::*;

    fn read(conditions: &[(&str, &str, &[&str])]) -> Result<Option<KeyCondition>, String> {
        let conditions = conditions.iter().map(|(attribute, operator, values)| {
            let values = values.iter().map(|value| WireValue(Ok(Value::from(*value))));
            let condition = WireCondition {
                comparison_operator: Some((*operator).to_owned()),
                attribute_value_list: Some(values.collect()),
            };
            ((*attribute).to_owned(), condition)
        });
        key_conditions(&Some(conditions.collect()), &None, ValueLayer::Current)
            .map_err(|error| error.message().unwrap().to_owned())
    }

    #[test]
    fn operators_become_comparisons_of_keys() {
        let value = || Value::from("x");
        let cases = [
            ("EQ", KeyComparison::Equal(value())),
            ("LT", KeyComparison::Less(value())),
            ("LE", KeyComparison::LessOrEqual(value())),
            ("GT", KeyComparison::Greater(value())),
            ("GE", KeyComparison::GreaterOrEqual(value())),
            ("BEGINS_WITH", KeyComparison::BeginsWith(value())),
            ("NE", KeyComparison::NotIndexable),
            ("IN", KeyComparison::NotIndexable),
            ("CONTAINS", KeyComparison::NotIndexable),
            ("NOT_CONTAINS", KeyComparison::NotIndexable),
        ];
        for (operator, comparison) in cases {
            let read = read(&[("p", "EQ", &["y"]), ("s", operator, &["x"])]).unwrap().unwrap();
            assert_eq!(read.comparison("p"), Some(&KeyComparison::Equal(Value::from("y"))));
            assert_eq!(read.comparison("s"), Some(&comparison));
        }
        for operator in ["NULL", "NOT_NULL"] {
            let read = read(&[("p", operator, &[])]).unwrap().unwrap();
            assert_eq!(read.comparison("p"), Some(&KeyComparison::NotIndexable));
        }
        let between = read(&[("p", "BETWEEN", &["a", "b"])]).unwrap().unwrap();
        let bounds = KeyComparison::Between(Value::from("a"), Value::from("b"));
        assert_eq!(between.comparison("p"), Some(&bounds));
    }

    #[test]
    fn there_are_one_or_two_conditions() {
        let text = Err("Conditions can be of length 1 or 2 only".to_owned());
        assert_eq!(read(&[]), text);
        assert_eq!(read(&[("a", "NULL", &[]), ("b", "NULL", &[]), ("c", "NULL", &[])]), text);
        assert_eq!(key_conditions(&None, &None, ValueLayer::Current), Ok(None));
    }

    #[test]
    fn values_are_checked_before_the_number_of_conditions() {
        let text = read(&[("a", "NULL", &[]), ("b", "EQ", &[]), ("c", "NULL", &[])]).unwrap_err();
        assert_eq!(
            text,
            "One or more parameter values were invalid: Invalid number of argument(s) for the EQ \
             ComparisonOperator"
        );
    }

    #[test]
    fn a_wrong_operator_is_refused_with_its_place() {
        let text = read(&[("a", "eq", &["x"])]).unwrap_err();
        let start = "1 validation error detected: Value 'eq' at \
                     'keyConditions.a.member.comparisonOperator' failed to satisfy constraint";
        assert!(text.starts_with(start), "{text}");
    }
}
