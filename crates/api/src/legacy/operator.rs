//! Comparison operators of the legacy parameters.

use monotable_item::Type;

use crate::validate::constraint::{missing, old, one_of};

/// How an attribute is compared with the values of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    In,
    Null,
    Between,
    Less,
    NotContains,
    Equal,
    Greater,
    NotNull,
    NotEqual,
    LessOrEqual,
    BeginsWith,
    GreaterOrEqual,
    Contains,
}

impl Operator {
    /// Every operator, in the order in which a refusal lists them.
    const ALL: [Operator; 13] = [
        Operator::In,
        Operator::Null,
        Operator::Between,
        Operator::Less,
        Operator::NotContains,
        Operator::Equal,
        Operator::Greater,
        Operator::NotNull,
        Operator::NotEqual,
        Operator::LessOrEqual,
        Operator::BeginsWith,
        Operator::GreaterOrEqual,
        Operator::Contains,
    ];

    /// The operator that a member names, or the violated constraint.
    pub(super) fn read(text: &str, path: &str) -> Result<Operator, String> {
        let named = Operator::ALL.into_iter().find(|operator| operator.name() == text);
        named.ok_or_else(|| old(text, path, &one_of(&Operator::ALL.map(Operator::name))))
    }

    /// The same for a member that must be there.
    pub(super) fn read_required(text: Option<&str>, path: &str) -> Result<Operator, String> {
        Operator::read(text.ok_or_else(|| missing(path))?, path)
    }

    /// The name of the operator.
    pub(super) fn name(self) -> &'static str {
        match self {
            Operator::In => "IN",
            Operator::Null => "NULL",
            Operator::Between => "BETWEEN",
            Operator::Less => "LT",
            Operator::NotContains => "NOT_CONTAINS",
            Operator::Equal => "EQ",
            Operator::Greater => "GT",
            Operator::NotNull => "NOT_NULL",
            Operator::NotEqual => "NE",
            Operator::LessOrEqual => "LE",
            Operator::BeginsWith => "BEGINS_WITH",
            Operator::GreaterOrEqual => "GE",
            Operator::Contains => "CONTAINS",
        }
    }

    /// Whether the operator takes this many values.
    pub(super) fn takes(self, count: usize) -> bool {
        match self {
            Operator::Null | Operator::NotNull => count == 0,
            Operator::Between => count == 2,
            Operator::In => count >= 1,
            Operator::Less
            | Operator::NotContains
            | Operator::Equal
            | Operator::Greater
            | Operator::NotEqual
            | Operator::LessOrEqual
            | Operator::BeginsWith
            | Operator::GreaterOrEqual
            | Operator::Contains => count == 1,
        }
    }

    /// Whether the operator compares with values of this type.
    pub(super) fn accepts(self, kind: Type) -> bool {
        match self {
            Operator::Equal | Operator::NotEqual | Operator::Null | Operator::NotNull => true,
            Operator::In
            | Operator::Between
            | Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => is_ordered(kind),
            Operator::Contains | Operator::NotContains => {
                is_ordered(kind) || matches!(kind, Type::Bool | Type::Null)
            }
            Operator::BeginsWith => matches!(kind, Type::String | Type::Binary),
        }
    }
}

/// The types that have an order.
fn is_ordered(kind: Type) -> bool {
    matches!(kind, Type::String | Type::Number | Type::Binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_operator_is_refused_with_all_that_there_are() {
        let set = "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, \
                   GE, CONTAINS]";
        assert_eq!(
            Operator::read("eq", "queryFilter.a.member.comparisonOperator").unwrap_err(),
            format!(
                "Value 'eq' at 'queryFilter.a.member.comparisonOperator' failed to satisfy \
                 constraint: Member must satisfy enum value set: {set}"
            )
        );
    }

    #[test]
    fn every_operator_is_read_by_its_name() {
        for operator in Operator::ALL {
            assert_eq!(Operator::read(operator.name(), ""), Ok(operator));
        }
    }

    #[test]
    fn a_missing_operator_is_null() {
        assert_eq!(
            Operator::read_required(None, "scanFilter.a.member.comparisonOperator").unwrap_err(),
            "Value null at 'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: \
             Member must not be null"
        );
    }
}
