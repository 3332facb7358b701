//! `QueryFilter` and `ScanFilter`.

use std::collections::BTreeMap;

use monotable_expr::Condition;
use monotable_protocol::shapes::Condition as WireCondition;

use super::conditional_operator::Connective;
use super::conditions::draft;
use crate::error::ApiError;
use crate::wording::value::ValueLayer;

/// The filter of a Query or Scan. An empty one is none.
pub(crate) fn filter(
    filter: &Option<BTreeMap<String, WireCondition>>,
    operator: &Option<String>,
    layer: ValueLayer,
) -> Result<Option<Condition>, ApiError> {
    let none = BTreeMap::new();
    let drafts = draft(filter.as_ref().unwrap_or(&none), parameter(layer))?;
    let connective = Connective::read(operator.as_deref(), drafts.len(), layer)?;
    let conditions = drafts.iter().map(|draft| Ok(draft.read(layer)?.condition(draft.attribute)));
    Ok(connective.join(conditions.collect::<Result<_, ApiError>>()?))
}

/// The parameter that the filter is, as the layer calls it that the operation's values are checked
/// by.
fn parameter(layer: ValueLayer) -> &'static str {
    match layer {
        ValueLayer::Current => "queryFilter",
        ValueLayer::Older => "scanFilter",
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value};
    use monotable_protocol::WireValue;

    use super::*;

    fn on(operator: Option<&str>, values: &[i64]) -> WireCondition {
        let values = values.iter().map(|number| WireValue(Ok(Value::from(*number)))).collect();
        WireCondition {
            comparison_operator: operator.map(str::to_owned),
            attribute_value_list: Some(values),
        }
    }

    fn read(
        conditions: &[(&str, WireCondition)],
        operator: Option<&str>,
        layer: ValueLayer,
    ) -> Result<Option<Condition>, String> {
        let conditions = conditions.iter().map(|(name, on)| ((*name).to_owned(), on.clone()));
        filter(&Some(conditions.collect()), &operator.map(str::to_owned), layer)
            .map_err(|error| error.message().unwrap().to_owned())
    }

    #[test]
    fn conditions_are_joined_by_the_conditional_operator() {
        let both = [("a", on(Some("EQ"), &[1])), ("b", on(Some("EQ"), &[2]))];
        let item = Item::from([("b".to_owned(), Value::from(2))]);
        let holds =
            |operator| read(&both, operator, ValueLayer::Current).unwrap().unwrap().matches(&item);
        assert!(!holds(None) && !holds(Some("AND")) && holds(Some("OR")));
    }

    #[test]
    fn an_empty_filter_is_none() {
        assert_eq!(read(&[], None, ValueLayer::Current), Ok(None));
        assert_eq!(filter(&None, &None, ValueLayer::Older), Ok(None));
        assert_eq!(
            read(&[], Some("AND"), ValueLayer::Older),
            Err("ConditionalOperator cannot be used without Filter or Expected".to_owned())
        );
    }

    #[test]
    fn wrong_operators_are_answered_together_and_before_all_else() {
        let wrong = [("a", on(None, &[])), ("b", on(Some("DOG"), &[])), ("c", on(Some("EQ"), &[]))];
        let text = read(&wrong, Some("XOR"), ValueLayer::Current).unwrap_err();
        assert_eq!(
            text,
            "2 validation errors detected: Value null at 'queryFilter.a.member.comparisonOperator' \
             failed to satisfy constraint: Member must not be null; Value 'DOG' at \
             'queryFilter.b.member.comparisonOperator' failed to satisfy constraint: Member must \
             satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, \
             LE, BEGINS_WITH, GE, CONTAINS]"
        );
        let text = read(&wrong, None, ValueLayer::Older).unwrap_err();
        assert!(text.contains("'scanFilter.a.member.comparisonOperator'"));
    }

    #[test]
    fn the_conditional_operator_is_checked_before_the_values() {
        let wrong = [("a", on(Some("EQ"), &[])), ("b", on(Some("EQ"), &[1]))];
        assert_eq!(
            read(&wrong, Some("XOR"), ValueLayer::Current),
            Err("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
                .to_owned())
        );
        assert_eq!(
            read(&wrong, Some("OR"), ValueLayer::Current),
            Err(
                "One or more parameter values were invalid: Invalid number of argument(s) for the \
                 EQ ComparisonOperator"
                    .to_owned()
            )
        );
    }
}
