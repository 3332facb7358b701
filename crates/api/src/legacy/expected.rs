//! `Expected`: what the attributes of an item must be for a write to happen.
//!
//! Each attribute has one of two forms. The older one gives a value that the attribute must have,
//! or says by `Exists: false` that there must be no attribute; `Exists: true` adds nothing to a
//! value. The newer one compares as filters do, with one value in `Value` or any number in
//! `AttributeValueList`.

use std::collections::BTreeMap;

use monotable_expr::Condition;
use monotable_item::Path;
use monotable_protocol::WireValue;
use monotable_protocol::shapes::ExpectedAttributeValue;

use super::comparison::{LegacyComparison, read_value};
use super::conditional_operator::Connective;
use super::operator::Operator;
use crate::error::ApiError;
use crate::validate::item::check_name_size;
use crate::wording::value::ValueLayer;

/// The condition of a write. An empty one is none.
pub(crate) fn expected(
    expected: &Option<BTreeMap<String, ExpectedAttributeValue>>,
    operator: &Option<String>,
    layer: ValueLayer,
) -> Result<Option<Condition>, ApiError> {
    let none = BTreeMap::new();
    let expected = expected.as_ref().unwrap_or(&none);
    let connective = Connective::read(operator.as_deref(), expected.len(), layer)?;
    let conditions = expected.iter().map(|(attribute, expected)| read(attribute, expected, layer));
    Ok(connective.join(conditions.collect::<Result<_, ApiError>>()?))
}

fn read(
    attribute: &str,
    expected: &ExpectedAttributeValue,
    layer: ValueLayer,
) -> Result<Condition, ApiError> {
    check_name_size(attribute)?;
    let operator = read_operator(attribute, expected)?;
    if expected.value.is_some() && expected.attribute_value_list.is_some() {
        return Err(refuse("Value and AttributeValueList cannot be used together", attribute));
    }
    match operator {
        Some(operator) => compared(attribute, operator, expected, layer),
        None => present_or_absent(attribute, expected, layer),
    }
}

fn read_operator(
    attribute: &str,
    expected: &ExpectedAttributeValue,
) -> Result<Option<Operator>, ApiError> {
    let Some(name) = &expected.comparison_operator else { return Ok(None) };
    let path = format!("expected.{attribute}.member.comparisonOperator");
    Operator::read(name, &path).map(Some).map_err(ApiError::validation)
}

/// The newer form.
fn compared(
    attribute: &str,
    operator: Operator,
    expected: &ExpectedAttributeValue,
    layer: ValueLayer,
) -> Result<Condition, ApiError> {
    if expected.exists.is_some() {
        return Err(refuse("Exists and ComparisonOperator cannot be used together", attribute));
    }
    let values: &[WireValue] = match (&expected.attribute_value_list, &expected.value) {
        (Some(values), _) => values,
        (None, Some(value)) => std::slice::from_ref(value),
        (None, None) if matches!(operator, Operator::Null | Operator::NotNull) => &[],
        (None, None) => {
            let name = operator.name();
            let text = "Value or AttributeValueList must be used with ComparisonOperator";
            return Err(refuse(&format!("{text}: {name}"), attribute));
        }
    };
    Ok(LegacyComparison::read(operator, values, layer)?.condition(attribute))
}

/// The older form.
fn present_or_absent(
    attribute: &str,
    expected: &ExpectedAttributeValue,
    layer: ValueLayer,
) -> Result<Condition, ApiError> {
    if expected.attribute_value_list.is_some() {
        let text = "AttributeValueList can only be used with a ComparisonOperator";
        return Err(refuse(text, attribute));
    }
    match (expected.exists, &expected.value) {
        (None | Some(true), Some(value)) => {
            let values = vec![read_value(value, layer)?];
            Ok(LegacyComparison { operator: Operator::Equal, values }.condition(attribute))
        }
        (Some(false), None) => Ok(Condition::NotExists(Path::attribute(attribute))),
        (Some(false), Some(_)) => {
            Err(refuse("Value cannot be used when Exists is false", attribute))
        }
        (Some(true), None) => Err(refuse("Value must be provided when Exists is true", attribute)),
        (None, None) => Err(refuse("Value must be provided when Exists is null", attribute)),
    }
}

fn refuse(text: &str, attribute: &str) -> ApiError {
    ApiError::parameter(format!("{text} for Attribute: {attribute}"))
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value};
    use monotable_protocol::ValueError;

    use super::*;

    type Expected = ExpectedAttributeValue;

    fn wire(value: impl Into<Value>) -> WireValue {
        WireValue(Ok(value.into()))
    }

    fn operator(name: &str) -> Expected {
        Expected { comparison_operator: Some(name.to_owned()), ..Expected::default() }
    }

    fn read_all(
        all: &[(&str, Expected)],
        operator: Option<&str>,
    ) -> Result<Option<Condition>, String> {
        let all = all.iter().map(|(name, expected)| ((*name).to_owned(), expected.clone()));
        let operator = operator.map(str::to_owned);
        expected(&Some(all.collect()), &operator, ValueLayer::Current)
            .map_err(|error| error.message().unwrap().to_owned())
    }

    #[track_caller]
    fn check_refusal(expected: Expected, text: &str) {
        let prefix = "One or more parameter values were invalid: ";
        assert_eq!(read_all(&[("a", expected)], None), Err(format!("{prefix}{text}")));
    }

    fn holds(expected: Expected, existing: Option<i64>) -> bool {
        let condition = read_all(&[("a", expected)], None).unwrap().unwrap();
        let item = existing.map(|number| ("a".to_owned(), Value::from(number)));
        condition.matches(&Item::from_iter(item))
    }

    #[test]
    fn a_value_is_given_once() {
        let both = Expected {
            value: Some(wire(1)),
            attribute_value_list: Some(vec![]),
            ..Expected::default()
        };
        let text = "Value and AttributeValueList cannot be used together for Attribute: a";
        check_refusal(both.clone(), text);
        check_refusal(Expected { comparison_operator: Some("EQ".to_owned()), ..both }, text);
    }

    #[test]
    fn exists_and_an_operator_exclude_each_other() {
        check_refusal(
            Expected { exists: Some(true), ..operator("LT") },
            "Exists and ComparisonOperator cannot be used together for Attribute: a",
        );
    }

    #[test]
    fn an_operator_comes_with_its_values() {
        check_refusal(
            operator("LT"),
            "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a",
        );
        check_refusal(
            Expected { attribute_value_list: Some(vec![]), ..operator("LT") },
            "Invalid number of argument(s) for the LT ComparisonOperator",
        );
        check_refusal(
            Expected { value: Some(wire(1)), ..operator("BETWEEN") },
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
        );
        check_refusal(
            Expected { value: Some(wire(1)), ..operator("NULL") },
            "Invalid number of argument(s) for the NULL ComparisonOperator",
        );
    }

    #[test]
    fn a_list_of_values_comes_with_an_operator() {
        check_refusal(
            Expected { attribute_value_list: Some(vec![wire(1)]), ..Expected::default() },
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
        );
    }

    #[test]
    fn existence_and_value_go_together() {
        let exists = |exists| Expected { exists, ..Expected::default() };
        check_refusal(
            exists(Some(true)),
            "Value must be provided when Exists is true for Attribute: a",
        );
        check_refusal(exists(None), "Value must be provided when Exists is null for Attribute: a");
        check_refusal(
            Expected { value: Some(wire(1)), ..exists(Some(false)) },
            "Value cannot be used when Exists is false for Attribute: a",
        );
    }

    #[test]
    fn an_unknown_operator_is_refused_with_its_place() {
        let text = read_all(&[("a", operator("eq"))], None).unwrap_err();
        assert!(text.starts_with("Value 'eq' at 'expected.a.member.comparisonOperator' failed"));
    }

    #[test]
    fn invalid_values_are_refused_in_both_forms() {
        let invalid = || Some(WireValue(Err(ValueError::NoType)));
        let text =
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
        let older = Expected { value: invalid(), ..Expected::default() };
        assert_eq!(read_all(&[("a", older)], None), Err(text.to_owned()));
        let newer = Expected { value: invalid(), ..operator("EQ") };
        assert_eq!(read_all(&[("a", newer)], None), Err(text.to_owned()));
    }

    #[test]
    fn a_value_must_be_equal_with_or_without_exists() {
        for exists in [None, Some(true)] {
            let expected = || Expected { value: Some(wire(1)), exists, ..Expected::default() };
            assert!(holds(expected(), Some(1)));
            assert!(!holds(expected(), Some(2)));
            assert!(!holds(expected(), None));
        }
    }

    #[test]
    fn exists_false_asks_for_no_attribute() {
        let absent = || Expected { exists: Some(false), ..Expected::default() };
        assert!(holds(absent(), None));
        assert!(!holds(absent(), Some(1)));
    }

    #[test]
    fn one_value_stands_for_a_list_of_one() {
        assert!(holds(Expected { value: Some(wire(1)), ..operator("GT") }, Some(2)));
        let list = Some(vec![wire(1)]);
        assert!(!holds(Expected { attribute_value_list: list, ..operator("GT") }, Some(1)));
        assert!(holds(operator("NULL"), None));
        assert!(holds(operator("NOT_NULL"), Some(1)));
    }

    #[test]
    fn attributes_are_joined_by_the_conditional_operator() {
        let value = |number: i64| Expected { value: Some(wire(number)), ..Expected::default() };
        let all = [("a", value(1)), ("b", value(2))];
        let item = Item::from([("a".to_owned(), Value::from(1))]);
        let holds = |operator| read_all(&all, operator).unwrap().unwrap().matches(&item);
        assert!(!holds(None) && !holds(Some("AND")) && holds(Some("OR")));
    }

    #[test]
    fn an_empty_map_is_no_condition_and_has_no_conditional_operator() {
        assert_eq!(read_all(&[], None), Ok(None));
        assert_eq!(
            read_all(&[], Some("OR")),
            Err("ConditionalOperator cannot be used without Filter or Expected".to_owned())
        );
        assert_eq!(expected(&None, &None, ValueLayer::Current), Ok(None));
    }

    #[test]
    fn the_conditional_operator_is_checked_before_the_conditions() {
        assert_eq!(
            read_all(&[("a", operator("LT"))], Some("AND")),
            Err("ConditionalOperator can only be used when Filter or Expected has two or more \
                 elements"
                .to_owned())
        );
    }
}
