//! `ConditionalOperator`: how the conditions on several attributes are joined.

use monotable_expr::Condition;

use crate::error::ApiError;
use crate::validate::constraint::{old, one_of};
use crate::wording::value::ValueLayer;

/// The text for an unknown operator. The values it lists are the service's own mistake.
pub(crate) const UNKNOWN: &str =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
const WITHOUT_CONDITIONS: &str = "ConditionalOperator cannot be used without Filter or Expected";
const WITH_ONE_CONDITION: &str =
    "ConditionalOperator can only be used when Filter or Expected has two or more elements";

/// Whether all conditions must hold or any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

impl Connective {
    /// Reads the operator of a request with this many conditions: it needs two.
    pub(super) fn read(
        operator: Option<&str>,
        condition_count: usize,
        layer: ValueLayer,
    ) -> Result<Connective, ApiError> {
        let Some(operator) = operator else { return Ok(Connective::And) };
        match condition_count {
            0 => return Err(ApiError::validation(WITHOUT_CONDITIONS)),
            1 => return Err(ApiError::validation(WITH_ONE_CONDITION)),
            _ => {}
        }
        match operator {
            "AND" => Ok(Connective::And),
            "OR" => Ok(Connective::Or),
            _ => Err(unknown(operator, layer)),
        }
    }

    /// The conditions as one, or none if there are none.
    ///
    /// A request can hold very many conditions. They become a tree whose depth is the logarithm of
    /// their number, because evaluating it takes a stack as deep as the tree.
    pub(super) fn join(self, mut conditions: Vec<Condition>) -> Option<Condition> {
        while conditions.len() > 1 {
            let mut rest = conditions.into_iter();
            conditions = Vec::with_capacity(rest.len().div_ceil(2));
            while let Some(left) = rest.next() {
                conditions.push(match rest.next() {
                    Some(right) => self.pair(left, right),
                    None => left,
                });
            }
        }
        conditions.pop()
    }

    fn pair(self, left: Condition, right: Condition) -> Condition {
        match self {
            Connective::And => Condition::And(Box::new(left), Box::new(right)),
            Connective::Or => Condition::Or(Box::new(left), Box::new(right)),
        }
    }
}

fn unknown(operator: &str, layer: ValueLayer) -> ApiError {
    match layer {
        ValueLayer::Current => ApiError::validation(UNKNOWN),
        ValueLayer::Older => {
            let violation = old(operator, "conditionalOperator", &one_of(&["OR", "AND"]));
            ApiError::validation(violation).enveloped()
        }
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Path, Value};

    use super::*;

    fn refusal(operator: &str, count: usize, layer: ValueLayer) -> String {
        let error = Connective::read(Some(operator), count, layer).unwrap_err();
        error.message().unwrap().to_owned()
    }

    #[test]
    fn an_operator_needs_two_conditions() {
        for operator in ["AND", "OR", "XOR"] {
            assert_eq!(
                refusal(operator, 0, ValueLayer::Current),
                "ConditionalOperator cannot be used without Filter or Expected"
            );
            assert_eq!(
                refusal(operator, 1, ValueLayer::Older),
                "ConditionalOperator can only be used when Filter or Expected has two or more \
                 elements"
            );
        }
        assert_eq!(Connective::read(None, 0, ValueLayer::Current), Ok(Connective::And));
        assert_eq!(Connective::read(Some("OR"), 2, ValueLayer::Current), Ok(Connective::Or));
    }

    #[test]
    fn an_unknown_operator_is_refused_in_the_form_of_the_layer() {
        assert_eq!(
            refusal("or", 2, ValueLayer::Current),
            "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]"
        );
        assert_eq!(
            refusal("or", 2, ValueLayer::Older),
            "1 validation error detected: Value 'or' at 'conditionalOperator' failed to satisfy \
             constraint: Member must satisfy enum value set: [OR, AND]"
        );
    }

    #[test]
    fn all_conditions_or_any_of_them_must_hold() {
        let exists = |name: &str| Condition::Exists(Path::attribute(name));
        let item = |names: &[&str]| -> Item {
            names.iter().map(|name| ((*name).to_owned(), Value::Null)).collect()
        };
        let conditions = || vec![exists("a"), exists("b"), exists("c")];
        let all = Connective::And.join(conditions()).unwrap();
        assert!(all.matches(&item(&["a", "b", "c"])) && !all.matches(&item(&["a", "c"])));
        let any = Connective::Or.join(conditions()).unwrap();
        assert!(any.matches(&item(&["c"])) && !any.matches(&item(&["d"])));
        assert_eq!(Connective::Or.join(vec![exists("a")]), Some(exists("a")));
        assert_eq!(Connective::And.join(vec![]), None);
    }

    #[test]
    fn conditions_without_number_do_not_exhaust_the_stack() {
        let conditions = (0..200_000).map(|n| Condition::Exists(Path::attribute(n.to_string())));
        let joined = Connective::Or.join(conditions.collect()).unwrap();
        assert!(joined.matches(&Item::from([("199999".to_owned(), Value::Null)])));
        assert_eq!(joined.paths().len(), 200_000);
    }
}
