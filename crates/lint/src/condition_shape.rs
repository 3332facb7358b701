//! What conditions say, those of models and those of requests alike.

use monotable_expr::{Comparator, Condition, Operand};
use monotable_item::{Item, Path, Value};
use monotable_model::document::Expression;

/// The condition that a model's expression is, with something put in for its parameters. What it
/// asks of which paths does not depend on them.
pub(super) fn condition_of(expression: &Expression) -> Option<Condition> {
    let argument = |name: &str| {
        let is_index = expression.indexes.iter().any(|index| index == name);
        Some(if is_index { Value::from(0) } else { Value::from("S") })
    };
    expression.condition(argument).ok()
}

/// Whether the condition holds for no item that does not exist.
pub(super) fn requires_item(condition: &Condition) -> bool {
    !condition.matches(&Item::new())
}

/// The conditions that must all hold.
pub(super) fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::And(left, right) => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::In { .. }
        | Condition::Exists(_)
        | Condition::NotExists(_)
        | Condition::HasType { .. }
        | Condition::BeginsWith { .. }
        | Condition::Contains { .. }
        | Condition::Or(..)
        | Condition::Not(_) => vec![condition],
    }
}

/// The conditions that other conditions are made of.
pub(super) fn leaves(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::And(left, right) | Condition::Or(left, right) => {
            let mut all = leaves(left);
            all.extend(leaves(right));
            all
        }
        Condition::Not(inner) => leaves(inner),
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::In { .. }
        | Condition::Exists(_)
        | Condition::NotExists(_)
        | Condition::HasType { .. }
        | Condition::BeginsWith { .. }
        | Condition::Contains { .. } => vec![condition],
    }
}

/// The attribute that a condition compares with one value, if it does.
pub(super) fn equality(condition: &Condition) -> Option<&Path> {
    match condition {
        Condition::Compare { comparator: Comparator::Equal, left, right } => match (left, right) {
            (Operand::Path(path), Operand::Value(_)) | (Operand::Value(_), Operand::Path(path)) => {
                Some(path)
            }
            (
                Operand::Path(_) | Operand::Value(_) | Operand::Size(_) | Operand::Condition(_),
                _,
            ) => None,
        },
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::In { .. }
        | Condition::Exists(_)
        | Condition::NotExists(_)
        | Condition::HasType { .. }
        | Condition::BeginsWith { .. }
        | Condition::Contains { .. }
        | Condition::And(..)
        | Condition::Or(..)
        | Condition::Not(_) => None,
    }
}

/// A comparison with the size of a path: `size(path) <= right`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SizeComparison<'c> {
    pub(super) path: &'c Path,
    pub(super) comparator: Comparator,
}

/// The comparisons with sizes in a condition, with the size on the left.
pub(super) fn size_comparisons(condition: &Condition) -> Vec<SizeComparison<'_>> {
    leaves(condition).into_iter().filter_map(size_comparison).collect()
}

fn size_comparison(condition: &Condition) -> Option<SizeComparison<'_>> {
    let Condition::Compare { comparator, left, right } = condition else { return None };
    match (size_path(left), size_path(right)) {
        (Some(path), _) => Some(SizeComparison { path, comparator: *comparator }),
        (None, Some(path)) => Some(SizeComparison { path, comparator: turned(*comparator) }),
        (None, None) => None,
    }
}

fn size_path(operand: &Operand) -> Option<&Path> {
    match operand {
        Operand::Size(inner) => match inner.as_ref() {
            Operand::Path(path) => Some(path),
            Operand::Value(_) | Operand::Size(_) | Operand::Condition(_) => None,
        },
        Operand::Path(_) | Operand::Value(_) | Operand::Condition(_) => None,
    }
}

fn turned(comparator: Comparator) -> Comparator {
    match comparator {
        Comparator::Less => Comparator::Greater,
        Comparator::LessOrEqual => Comparator::GreaterOrEqual,
        Comparator::Greater => Comparator::Less,
        Comparator::GreaterOrEqual => Comparator::LessOrEqual,
        Comparator::Equal | Comparator::NotEqual => comparator,
    }
}

/// Whether a condition asks if a path exists, or if it does not.
pub(super) fn asks_existence(condition: &Condition, path: &Path) -> bool {
    leaves(condition).into_iter().any(|leaf| match leaf {
        Condition::Exists(asked) | Condition::NotExists(asked) => asked == path,
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::In { .. }
        | Condition::HasType { .. }
        | Condition::BeginsWith { .. }
        | Condition::Contains { .. }
        | Condition::And(..)
        | Condition::Or(..)
        | Condition::Not(_) => false,
    })
}
