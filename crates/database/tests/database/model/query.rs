//! Random queries, and what the model answers to them.

use std::ops::Bound;

use monotable_database::schema::{KeyAttribute, KeySchema};
use monotable_database::{KeySelection, SortCondition};
use monotable_item::{Item, Value};
use monotable_storage::Direction;
use proptest::array::uniform8;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;

use super::domain::{begins_with, compare, pick};

/// A query before it is known which index it reads.
#[derive(Debug, Clone)]
pub(super) struct Query {
    /// Of the table and its indexes.
    pub(super) target: Index,
    /// A value for each key attribute.
    values: [Index; 8],
    /// How many sort key attributes have a value.
    sort_values: usize,
    /// The condition on the last of them, with the other bound of a range.
    operator: Operator,
    bound: Index,
    pub(super) is_backward: bool,
    pub(super) limit: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Operator {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Between,
    /// After one value and before or at another.
    Within,
    BeginsWith,
}

pub(super) fn query() -> impl Strategy<Value = Query> {
    let operator = prop_oneof![
        Just(Operator::Equal),
        Just(Operator::Less),
        Just(Operator::LessOrEqual),
        Just(Operator::Greater),
        Just(Operator::GreaterOrEqual),
        Just(Operator::Between),
        Just(Operator::Within),
        Just(Operator::BeginsWith),
    ];
    let values = (any::<Index>(), uniform8(any::<Index>()), any::<Index>());
    let limit = option::weighted(0.7, 1..5_usize);
    (values, 0..3_usize, operator, any::<bool>(), limit).prop_map(
        |((target, values, bound), sort_values, operator, is_backward, limit)| Query {
            target,
            values,
            sort_values,
            operator,
            bound,
            is_backward,
            limit,
        },
    )
}

impl Query {
    pub(super) fn direction(&self) -> Direction {
        if self.is_backward { Direction::Backward } else { Direction::Forward }
    }

    /// What it selects of a table or index with this key.
    pub(super) fn selection(&self, key: &KeySchema) -> KeySelection {
        let mut values = self.values.iter();
        let mut next = |attribute: &KeyAttribute| {
            pick(&attribute.name, values.next().expect("keys have up to eight attributes"))
        };
        let partition = key.partition.iter().map(&mut next).collect();
        let mut sort_equal: Vec<Value> =
            key.sort.iter().take(self.sort_values).map(&mut next).collect();
        let last = sort_equal.len().checked_sub(1).map(|last| key.sort[last].name.clone());
        let sort_last = last.and_then(|name| self.condition(&name, sort_equal.last()?));
        if sort_last.is_some() {
            sort_equal.pop();
        }
        KeySelection { partition, sort_equal, sort_last }
    }

    fn condition(&self, attribute: &str, value: &Value) -> Option<SortCondition> {
        let value = value.clone();
        Some(match (self.operator, &value) {
            (Operator::Equal, _) => return None,
            (Operator::Less, _) => SortCondition::Less(value),
            (Operator::LessOrEqual, _) => SortCondition::LessOrEqual(value),
            (Operator::Greater, _) => SortCondition::Greater(value),
            (Operator::GreaterOrEqual, _) | (Operator::BeginsWith, Value::Number(_)) => {
                SortCondition::GreaterOrEqual(value)
            }
            (Operator::Between, _) => {
                let other = pick(attribute, &self.bound);
                if compare(&value, &other).is_le() {
                    SortCondition::Between(value, other)
                } else {
                    SortCondition::Between(other, value)
                }
            }
            (Operator::Within, _) => {
                let other = pick(attribute, &self.bound);
                if compare(&value, &other).is_le() {
                    SortCondition::Within(Bound::Excluded(value), Bound::Included(other))
                } else {
                    SortCondition::Within(Bound::Included(other), Bound::Excluded(value))
                }
            }
            (Operator::BeginsWith, _) => SortCondition::BeginsWith(value),
        })
    }
}

/// Whether an entry with these keys is selected.
pub(super) fn selects(selection: &KeySelection, key: &KeySchema, entry: &Item) -> bool {
    let value = |attribute: &KeyAttribute| &entry[&attribute.name];
    let equal = |attributes: &[KeyAttribute], values: &[Value]| {
        attributes.iter().zip(values).all(|(attribute, expected)| value(attribute) == expected)
    };
    equal(&key.partition, &selection.partition)
        && equal(&key.sort, &selection.sort_equal)
        && selection.sort_last.as_ref().is_none_or(|condition| {
            fulfils(condition, value(&key.sort[selection.sort_equal.len()]))
        })
}

fn fulfils(condition: &SortCondition, value: &Value) -> bool {
    match condition {
        SortCondition::Less(bound) => compare(value, bound).is_lt(),
        SortCondition::LessOrEqual(bound) => compare(value, bound).is_le(),
        SortCondition::Greater(bound) => compare(value, bound).is_gt(),
        SortCondition::GreaterOrEqual(bound) => compare(value, bound).is_ge(),
        SortCondition::Between(low, high) => {
            compare(value, low).is_ge() && compare(value, high).is_le()
        }
        SortCondition::Within(low, high) => {
            let is_after = match low {
                Bound::Included(low) => compare(value, low).is_ge(),
                Bound::Excluded(low) => compare(value, low).is_gt(),
                Bound::Unbounded => true,
            };
            let is_before = match high {
                Bound::Included(high) => compare(value, high).is_le(),
                Bound::Excluded(high) => compare(value, high).is_lt(),
                Bound::Unbounded => true,
            };
            is_after && is_before
        }
        SortCondition::BeginsWith(prefix) => begins_with(value, prefix),
    }
}
