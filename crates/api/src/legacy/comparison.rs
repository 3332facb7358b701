//! The comparison of an attribute with values of a request.

use monotable_expr::{Comparator, Condition, Operand};
use monotable_item::{Item, Path, Value};
use monotable_protocol::WireValue;

use super::operator::Operator;
use crate::error::ApiError;
use crate::wording::value::{self, ValueLayer};

const BOUND_ORDER: &str = "The BETWEEN condition was provided a range where the lower bound is \
    greater than the upper bound";
const MIXED_TYPES: &str = "AttributeValues inside AttributeValueList must be of same type";

/// An operator with values that fit it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LegacyComparison {
    pub(super) operator: Operator,
    pub(super) values: Vec<Value>,
}

impl LegacyComparison {
    /// Checks the values: each by itself, then how many they are, their types, and their order.
    pub(super) fn read(
        operator: Operator,
        values: &[WireValue],
        layer: ValueLayer,
    ) -> Result<LegacyComparison, ApiError> {
        let values = values.iter().map(|value| read_value(value, layer));
        let values = values.collect::<Result<Vec<Value>, ApiError>>()?;
        check_count(operator, values.len())?;
        check_types(operator, &values)?;
        check_bounds(operator, &values)?;
        Ok(LegacyComparison { operator, values })
    }

    /// The condition that an attribute compares so.
    pub(super) fn condition(self, attribute: &str) -> Condition {
        let path = Path::attribute(attribute);
        let operand = Operand::Path(path.clone());
        let mut values = self.values.into_iter().map(|value| Operand::Value(value.into()));
        let mut next = || values.next().expect("the number of values has been checked");
        match self.operator {
            Operator::Equal => comparison(operand, Comparator::Equal, next()),
            Operator::NotEqual => comparison(operand, Comparator::NotEqual, next()),
            Operator::Less => comparison(operand, Comparator::Less, next()),
            Operator::LessOrEqual => comparison(operand, Comparator::LessOrEqual, next()),
            Operator::Greater => comparison(operand, Comparator::Greater, next()),
            Operator::GreaterOrEqual => comparison(operand, Comparator::GreaterOrEqual, next()),
            Operator::Between => Condition::Between { operand, lower: next(), upper: next() },
            Operator::In => Condition::In { operand, candidates: values.collect() },
            Operator::Null => Condition::NotExists(path),
            Operator::NotNull => Condition::Exists(path),
            Operator::BeginsWith => Condition::BeginsWith { operand, prefix: next() },
            Operator::Contains => Condition::Contains { operand, element: next() },
            Operator::NotContains => lacks(path, next()),
        }
    }
}

/// The value, if it is valid.
pub(super) fn read_value(value: &WireValue, layer: ValueLayer) -> Result<Value, ApiError> {
    value.0.clone().map_err(|error| value::word(&error, layer))
}

/// `NOT_CONTAINS`. Unlike `NE`, which is true for a missing attribute, this is false for one.
fn lacks(path: Path, element: Operand) -> Condition {
    let contains = Condition::Contains { operand: Operand::Path(path.clone()), element };
    let lacks = Condition::Not(Box::new(contains));
    Condition::And(Box::new(Condition::Exists(path)), Box::new(lacks))
}

fn comparison(left: Operand, comparator: Comparator, right: Operand) -> Condition {
    Condition::Compare { comparator, left, right }
}

fn check_count(operator: Operator, count: usize) -> Result<(), ApiError> {
    if operator.takes(count) {
        Ok(())
    } else {
        Err(ApiError::parameter(format!(
            "Invalid number of argument(s) for the {} ComparisonOperator",
            operator.name()
        )))
    }
}

fn check_types(operator: Operator, values: &[Value]) -> Result<(), ApiError> {
    let Some(kind) = values.first().map(Value::kind) else { return Ok(()) };
    if values.iter().any(|value| value.kind() != kind) {
        return Err(ApiError::parameter(MIXED_TYPES));
    }
    if operator.accepts(kind) {
        Ok(())
    } else {
        Err(ApiError::parameter(format!(
            "ComparisonOperator {} is not valid for {} AttributeValue type",
            operator.name(),
            kind.code()
        )))
    }
}

/// Refuses a range that is empty because its bounds are the wrong way round.
fn check_bounds(operator: Operator, values: &[Value]) -> Result<(), ApiError> {
    let (Operator::Between, [lower, upper]) = (operator, values) else { return Ok(()) };
    let [lower, upper] = [lower, upper].map(|bound| Operand::Value(bound.clone().into()));
    if comparison(lower, Comparator::Greater, upper).matches(&Item::new()) {
        Err(ApiError::validation(BOUND_ORDER))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::Type;

    use super::*;

    fn compare(operator: Operator, values: &[WireValue]) -> Result<Condition, ApiError> {
        Ok(LegacyComparison::read(operator, values, ValueLayer::Current)?.condition("a"))
    }

    fn wire(values: &[Value]) -> Vec<WireValue> {
        values.iter().map(|value| WireValue(Ok(value.clone()))).collect()
    }

    #[track_caller]
    fn check_refusal(operator: Operator, values: &[Value], text: &str) {
        let error = compare(operator, &wire(values)).unwrap_err();
        assert_eq!(error.message(), Some(text));
    }

    fn holds(operator: Operator, values: &[Value], existing: Option<Value>) -> bool {
        let item: Item = existing.into_iter().map(|value| ("a".to_owned(), value)).collect();
        compare(operator, &wire(values)).unwrap().matches(&item)
    }

    fn set(members: &[i64]) -> Value {
        Value::number_set(members.iter().copied().map(monotable_item::Number::from).collect())
    }

    fn list(elements: &[i64]) -> Value {
        Value::List(elements.iter().copied().map(Value::from).collect())
    }

    #[test]
    fn a_wrong_number_of_values_is_refused() {
        let text = |name: &str| {
            format!(
                "One or more parameter values were invalid: Invalid number of argument(s) for the \
                 {name} ComparisonOperator"
            )
        };
        let (one, two) = (vec![Value::from(1)], vec![Value::from(1), Value::from(2)]);
        for operator in [Operator::Null, Operator::NotNull] {
            check_refusal(operator, &one, &text(operator.name()));
        }
        for operator in [
            Operator::Equal,
            Operator::NotEqual,
            Operator::Less,
            Operator::LessOrEqual,
            Operator::Greater,
            Operator::GreaterOrEqual,
            Operator::Contains,
            Operator::NotContains,
            Operator::BeginsWith,
        ] {
            check_refusal(operator, &[], &text(operator.name()));
            check_refusal(operator, &two, &text(operator.name()));
        }
        check_refusal(Operator::In, &[], &text("IN"));
        check_refusal(Operator::Between, &one, &text("BETWEEN"));
        check_refusal(Operator::Between, &[two, one].concat(), &text("BETWEEN"));
    }

    #[test]
    fn values_of_one_comparison_have_one_type() {
        let text = "One or more parameter values were invalid: AttributeValues inside \
                    AttributeValueList must be of same type";
        let mixed = [Value::from(3), Value::from("dog")];
        check_refusal(Operator::In, &mixed, text);
        check_refusal(Operator::Between, &mixed, text);
    }

    #[test]
    fn types_that_an_operator_cannot_compare_are_refused() {
        let samples = [
            Value::from("s"),
            Value::from(1),
            Value::Binary(vec![1]),
            Value::Bool(true),
            Value::Null,
            list(&[1]),
            Value::Map(Item::new()),
            Value::string_set(vec!["s".to_owned()]),
            set(&[1]),
            Value::binary_set(vec![vec![1]]),
        ];
        let ordered = vec![Type::String, Type::Number, Type::Binary];
        let contained = [ordered.clone(), vec![Type::Bool, Type::Null]].concat();
        let expectations = [
            (Operator::Equal, Type::ALL.to_vec()),
            (Operator::NotEqual, Type::ALL.to_vec()),
            (Operator::Less, ordered.clone()),
            (Operator::LessOrEqual, ordered.clone()),
            (Operator::Greater, ordered.clone()),
            (Operator::GreaterOrEqual, ordered.clone()),
            (Operator::In, ordered),
            (Operator::Contains, contained.clone()),
            (Operator::NotContains, contained),
            (Operator::BeginsWith, vec![Type::String, Type::Binary]),
        ];
        for (operator, accepted) in expectations {
            for sample in &samples {
                let kind = sample.kind();
                let values = wire(std::slice::from_ref(sample));
                match compare(operator, &values) {
                    Ok(_) => assert!(accepted.contains(&kind), "{operator:?} took {kind:?}"),
                    Err(error) => {
                        assert!(!accepted.contains(&kind), "{operator:?} refused {kind:?}");
                        assert_eq!(
                            error.message().unwrap(),
                            format!(
                                "One or more parameter values were invalid: ComparisonOperator {} \
                                 is not valid for {} AttributeValue type",
                                operator.name(),
                                kind.code()
                            )
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_the_wrong_way_round_are_refused() {
        let text = "The BETWEEN condition was provided a range where the lower bound is greater \
                    than the upper bound";
        check_refusal(Operator::Between, &[Value::from(4), Value::from(3)], text);
        check_refusal(Operator::Between, &[Value::from("dog"), Value::from("aardvark")], text);
        let sets = [set(&[1]), set(&[2])];
        check_refusal(
            Operator::Between,
            &sets,
            "One or more parameter values were invalid: ComparisonOperator BETWEEN is not valid \
             for NS AttributeValue type",
        );
        assert!(holds(Operator::Between, &[Value::from(3), Value::from(3)], Some(Value::from(3))));
    }

    #[test]
    fn an_invalid_value_is_refused_before_a_wrong_number_of_values() {
        let invalid = WireValue(Err(monotable_protocol::ValueError::NoType));
        let values = [invalid.clone(), invalid];
        let error = compare(Operator::Equal, &values).unwrap_err();
        assert_eq!(
            error.message(),
            Some(
                "Supplied AttributeValue is empty, must contain exactly one of the supported \
                 datatypes"
            )
        );
    }

    #[test]
    fn a_missing_attribute_meets_only_ne_and_null() {
        let one = [Value::from("x")];
        let two = [Value::from("x"), Value::from("y")];
        assert!(holds(Operator::NotEqual, &one, None));
        assert!(holds(Operator::Null, &[], None));
        assert!(!holds(Operator::NotNull, &[], None));
        assert!(!holds(Operator::Between, &two, None));
        assert!(!holds(Operator::In, &two, None));
        for operator in [
            Operator::Equal,
            Operator::Less,
            Operator::LessOrEqual,
            Operator::Greater,
            Operator::GreaterOrEqual,
            Operator::Contains,
            Operator::NotContains,
            Operator::BeginsWith,
        ] {
            assert!(!holds(operator, &one, None), "{operator:?}");
        }
    }

    #[test]
    fn null_asks_for_the_attribute_and_not_for_its_type() {
        assert!(holds(Operator::NotNull, &[], Some(Value::Null)));
        assert!(!holds(Operator::Null, &[], Some(Value::Null)));
    }

    #[test]
    fn orderings_compare_values_of_one_type() {
        let holds_for = |operator, existing: i64| {
            holds(operator, &[Value::from(2)], Some(Value::from(existing)))
        };
        assert!(holds_for(Operator::Less, 1) && !holds_for(Operator::Less, 2));
        assert!(holds_for(Operator::LessOrEqual, 2) && !holds_for(Operator::LessOrEqual, 3));
        assert!(holds_for(Operator::Greater, 3) && !holds_for(Operator::Greater, 2));
        assert!(holds_for(Operator::GreaterOrEqual, 2) && !holds_for(Operator::GreaterOrEqual, 1));
        for operator in [Operator::Less, Operator::LessOrEqual, Operator::Equal] {
            assert!(!holds(operator, &[Value::from("2")], Some(Value::from(1))), "{operator:?}");
        }
        assert!(holds(Operator::NotEqual, &[Value::from("1")], Some(Value::from(1))));
    }

    #[test]
    fn in_asks_for_the_attribute_among_the_values_and_not_for_a_common_member() {
        let values = [Value::from(2), Value::from(4), Value::from(7)];
        assert!(holds(Operator::In, &values, Some(Value::from(4))));
        assert!(!holds(Operator::In, &values, Some(Value::from(3))));
        assert!(!holds(Operator::In, &values, Some(set(&[2, 4, 7]))));
    }

    #[test]
    fn contains_finds_parts_and_members_and_not_contains_is_its_opposite() {
        let cases = [
            (Value::from("hello"), Value::from("ell"), true),
            (Value::from("hello"), Value::from("dog"), false),
            (Value::from("hello"), Value::from(1), false),
            (Value::Binary(b"hi there".to_vec()), Value::Binary(b"here".to_vec()), true),
            (set(&[2, 4, 7]), Value::from(4), true),
            (set(&[2, 4, 7]), Value::from(1), false),
            (list(&[2, 4, 7]), Value::from(4), true),
            (Value::List(vec![Value::Null]), Value::Null, true),
            (Value::from(12), Value::from(1), false),
        ];
        for (existing, element, expected) in cases {
            let element = [element];
            assert_eq!(holds(Operator::Contains, &element, Some(existing.clone())), expected);
            assert_eq!(holds(Operator::NotContains, &element, Some(existing)), !expected);
        }
    }

    #[test]
    fn begins_with_compares_strings_and_binaries() {
        let prefix = [Value::from("he")];
        assert!(holds(Operator::BeginsWith, &prefix, Some(Value::from("hello"))));
        assert!(!holds(Operator::BeginsWith, &prefix, Some(Value::from("ahe"))));
        assert!(!holds(Operator::BeginsWith, &prefix, Some(Value::from(3))));
        let bytes = [Value::Binary(vec![1])];
        assert!(holds(Operator::BeginsWith, &bytes, Some(Value::Binary(vec![1, 2]))));
    }

    #[test]
    fn sets_and_maps_are_equal_by_their_members() {
        assert!(holds(Operator::Equal, &[set(&[7, 2])], Some(set(&[2, 7]))));
        assert!(!holds(Operator::Equal, &[list(&[7, 2])], Some(list(&[2, 7]))));
    }
}
