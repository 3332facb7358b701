//! The names of condition operators: `ForAllValues:StringNotEqualsIfExists` and its like.

use std::fmt;

use super::test::{Comparator, TestKind};
use crate::error::Problem;
use crate::pattern::Case;
use crate::similarity;
use crate::template::Wildcards;

/// Which of several values of a request must pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantifier {
    ForAllValues,
    ForAnyValue,
}

/// An operator without what it compares with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operator {
    pub(crate) quantifier: Option<Quantifier>,
    pub(crate) kind: TestKind,
    pub(crate) is_negated: bool,
    pub(crate) if_exists: bool,
    spelled: Box<str>,
}

const TEXT: TestKind = TestKind::Text(Wildcards::Literal, Case::Sensitive);
const TEXT_IGNORING_CASE: TestKind = TestKind::Text(Wildcards::Literal, Case::Insensitive);
const TEXT_LIKE: TestKind = TestKind::Text(Wildcards::Active, Case::Sensitive);

/// Each operator, what it compares, and whether it is negated.
const OPERATORS: &[(&str, TestKind, bool)] = &[
    ("StringEquals", TEXT, false),
    ("StringNotEquals", TEXT, true),
    ("StringEqualsIgnoreCase", TEXT_IGNORING_CASE, false),
    ("StringNotEqualsIgnoreCase", TEXT_IGNORING_CASE, true),
    ("StringLike", TEXT_LIKE, false),
    ("StringNotLike", TEXT_LIKE, true),
    ("NumericEquals", TestKind::Number(Comparator::Equal), false),
    ("NumericNotEquals", TestKind::Number(Comparator::Equal), true),
    ("NumericLessThan", TestKind::Number(Comparator::Less), false),
    ("NumericLessThanEquals", TestKind::Number(Comparator::LessOrEqual), false),
    ("NumericGreaterThan", TestKind::Number(Comparator::Greater), false),
    ("NumericGreaterThanEquals", TestKind::Number(Comparator::GreaterOrEqual), false),
    ("DateEquals", TestKind::Date(Comparator::Equal), false),
    ("DateNotEquals", TestKind::Date(Comparator::Equal), true),
    ("DateLessThan", TestKind::Date(Comparator::Less), false),
    ("DateLessThanEquals", TestKind::Date(Comparator::LessOrEqual), false),
    ("DateGreaterThan", TestKind::Date(Comparator::Greater), false),
    ("DateGreaterThanEquals", TestKind::Date(Comparator::GreaterOrEqual), false),
    ("Bool", TestKind::Bool, false),
    ("BinaryEquals", TestKind::Binary, false),
    ("IpAddress", TestKind::Network, false),
    ("NotIpAddress", TestKind::Network, true),
    ("ArnEquals", TestKind::Arn, false),
    ("ArnLike", TestKind::Arn, false),
    ("ArnNotEquals", TestKind::Arn, true),
    ("ArnNotLike", TestKind::Arn, true),
    ("Null", TestKind::Null, false),
];

const IF_EXISTS: &str = "IfExists";

impl Operator {
    /// Reads the name of an operator.
    pub(crate) fn parse(spelled: &str) -> Result<Operator, Problem> {
        let (quantifier, rest) = match spelled.split_once(':') {
            Some(("ForAllValues", rest)) => (Some(Quantifier::ForAllValues), rest),
            Some(("ForAnyValue", rest)) => (Some(Quantifier::ForAnyValue), rest),
            _ => (None, spelled),
        };
        let (name, if_exists) = match rest.strip_suffix(IF_EXISTS) {
            Some(name) => (name, true),
            None => (rest, false),
        };
        let found = OPERATORS.iter().find(|(known, _, _)| *known == name);
        let Some((_, kind, is_negated)) = found.copied() else { return Err(unknown(spelled)) };
        if kind == TestKind::Null && (if_exists || quantifier.is_some()) {
            return Err(unknown(spelled));
        }
        Ok(Operator { quantifier, kind, is_negated, if_exists, spelled: spelled.into() })
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.spelled)
    }
}

/// Suggests the operator with the same prefix and suffix whose name is the most similar.
fn unknown(spelled: &str) -> Problem {
    let (prefix, rest) = match spelled.split_once(':') {
        Some((prefix, rest)) => (Some(prefix), rest),
        None => (None, spelled),
    };
    let suffix = if rest.ends_with(IF_EXISTS) { IF_EXISTS } else { "" };
    let name = rest.strip_suffix(IF_EXISTS).unwrap_or(rest);
    let names = OPERATORS.iter().map(|(name, _, _)| *name);
    let suggestion = similarity::closest(name, names).map(|name| {
        if name == "Null" {
            return name.to_owned();
        }
        let prefixes = ["ForAllValues", "ForAnyValue"];
        match prefix.and_then(|prefix| similarity::closest(prefix, prefixes)) {
            Some(prefix) => format!("{prefix}:{name}{suffix}"),
            None => format!("{name}{suffix}"),
        }
    });
    Problem::UnknownOperator { operator: spelled.to_owned(), suggestion }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_and_suffix_are_read_with_the_name() {
        let operator = Operator::parse("ForAllValues:StringNotLikeIfExists").unwrap();
        assert_eq!(operator.quantifier, Some(Quantifier::ForAllValues));
        assert_eq!(operator.kind, TEXT_LIKE);
        assert!(operator.is_negated && operator.if_exists);
    }

    #[test]
    fn a_wrong_operator_is_answered_with_the_one_that_was_meant() {
        let said = |operator| Operator::parse(operator).unwrap_err().to_string();
        assert_eq!(
            said("StringEqual"),
            "\"StringEqual\" is no condition operator; did you mean StringEquals?"
        );
        assert!(
            said("ForAllValue:StringEqualIfExists")
                .ends_with("did you mean ForAllValues:StringEqualsIfExists?")
        );
        assert!(said("NullIfExists").ends_with("did you mean Null?"));
        assert_eq!(said("Sometimes"), "\"Sometimes\" is no condition operator");
    }
}
