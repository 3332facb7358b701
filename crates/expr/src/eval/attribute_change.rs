//! Changes of whole attributes, as requests say them that have no update expression.
//!
//! They differ from the actions of an expression in two ways: `Add` also appends to lists, and an
//! attribute of another type is an error of its own.

use std::borrow::Cow;

use monotable_item::stored::{ListPart, NewValue, StoredValue, ValueView};
use monotable_item::{Path, Value};

use super::update::{Action, Change, Outcome, Reading, Update};
use crate::{EvaluationError, UpdateError};

/// What becomes of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeChange {
    /// It gets this value.
    Put(Value),
    /// A number is added to it, members to a set, or elements at the end of a list. A missing
    /// attribute gets the value.
    Add(Value),
    /// It loses the members of this set, and is removed with the last one.
    Delete(Value),
    /// It is removed.
    Remove,
}

impl Update {
    /// An update of whole attributes, each named once.
    pub fn of_attributes(changes: impl IntoIterator<Item = (String, AttributeChange)>) -> Update {
        let action = |(name, change): (String, AttributeChange)| Action {
            target: Path::attribute(name),
            change: Change::Attribute(change),
        };
        Update { actions: changes.into_iter().map(action).collect() }
    }
}

impl AttributeChange {
    /// Returns whether the change brings an absent item into being.
    pub(super) fn creates_item(&self) -> bool {
        match self {
            AttributeChange::Put(_) | AttributeChange::Add(_) => true,
            AttributeChange::Delete(_) | AttributeChange::Remove => false,
        }
    }

    /// The value that the change writes, if it writes one.
    pub(super) fn written(&self) -> Option<&Value> {
        match self {
            AttributeChange::Put(value) | AttributeChange::Add(value) => Some(value),
            AttributeChange::Delete(_) | AttributeChange::Remove => None,
        }
    }

    /// What becomes of an attribute.
    pub(super) fn outcome<'a>(
        &'a self,
        reading: &mut Reading<'_, 'a>,
        target: &Path,
    ) -> Result<Outcome<'a>, EvaluationError> {
        match self {
            AttributeChange::Put(value) => {
                Ok(Outcome::Write(NewValue::Value(Cow::Borrowed(value))))
            }
            AttributeChange::Add(Value::List(elements)) => append(reading.value(target), elements),
            AttributeChange::Add(value) => {
                reading.add(target, value).map(Outcome::Write).map_err(of_attribute)
            }
            AttributeChange::Delete(members) => {
                reading.delete(target, members).map_err(of_attribute)
            }
            AttributeChange::Remove => Ok(Outcome::Remove),
        }
    }
}

fn append<'a>(
    existing: Option<StoredValue<'a>>,
    elements: &'a [Value],
) -> Result<Outcome<'a>, EvaluationError> {
    let mut parts = Vec::with_capacity(2);
    if let Some(existing) = existing {
        let ValueView::List(list) = existing.view() else {
            return Err(UpdateError::AttributeType.into());
        };
        parts.push(ListPart::Stored(list));
    }
    parts.push(ListPart::Values(elements));
    Ok(Outcome::Write(NewValue::Joined(parts)))
}

fn of_attribute(error: EvaluationError) -> EvaluationError {
    match error {
        EvaluationError::Update(UpdateError::OperandType) => UpdateError::AttributeType.into(),
        EvaluationError::Update(_) | EvaluationError::Corrupt(_) => error,
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Number, NumberError};

    use super::*;

    fn numbers(members: &[i64]) -> Value {
        Value::number_set(members.iter().copied().map(Number::from).collect())
    }

    fn list(elements: &[i64]) -> Value {
        Value::List(elements.iter().copied().map(Value::from).collect())
    }

    /// The attribute after the change, given its value before.
    fn apply(
        change: AttributeChange,
        existing: Option<Value>,
    ) -> Result<Option<Value>, EvaluationError> {
        let item: Item = existing.into_iter().map(|value| ("a".to_owned(), value)).collect();
        let update = Update::of_attributes([("a".to_owned(), change)]);
        update.apply(&item).map(|mut item| item.remove("a"))
    }

    #[test]
    fn put_replaces_a_value_of_any_type() {
        let put = || AttributeChange::Put(Value::from(1));
        assert_eq!(apply(put(), None), Ok(Some(Value::from(1))));
        assert_eq!(apply(put(), Some(list(&[2]))), Ok(Some(Value::from(1))));
    }

    #[test]
    fn add_sums_unites_and_appends() {
        let add = |value: Value, existing| apply(AttributeChange::Add(value), existing);
        assert_eq!(add(Value::from(-2), Some(Value::from(5))), Ok(Some(Value::from(3))));
        assert_eq!(add(Value::from(-2), None), Ok(Some(Value::from(-2))));
        assert_eq!(add(numbers(&[2, 3]), Some(numbers(&[1, 2]))), Ok(Some(numbers(&[1, 2, 3]))));
        assert_eq!(add(numbers(&[2]), None), Ok(Some(numbers(&[2]))));
        assert_eq!(add(list(&[1, 1]), Some(list(&[3, 1]))), Ok(Some(list(&[3, 1, 1, 1]))));
        assert_eq!(add(list(&[1]), None), Ok(Some(list(&[1]))));
    }

    #[test]
    fn delete_takes_members_and_the_set_with_the_last_one() {
        let delete = |members, existing| apply(AttributeChange::Delete(members), existing);
        assert_eq!(delete(numbers(&[2, 9]), Some(numbers(&[1, 2]))), Ok(Some(numbers(&[1]))));
        assert_eq!(delete(numbers(&[1, 2]), Some(numbers(&[1, 2]))), Ok(None));
        assert_eq!(delete(numbers(&[1]), None), Ok(None));
    }

    #[test]
    fn remove_takes_an_attribute_of_any_type() {
        assert_eq!(apply(AttributeChange::Remove, Some(list(&[1]))), Ok(None));
        assert_eq!(apply(AttributeChange::Remove, None), Ok(None));
    }

    #[test]
    fn an_attribute_of_another_type_is_an_error_of_its_own() {
        let mismatch = Err(UpdateError::AttributeType.into());
        let text = || Some(Value::from("text"));
        assert_eq!(apply(AttributeChange::Add(Value::from(1)), text()), mismatch);
        assert_eq!(apply(AttributeChange::Add(list(&[1])), text()), mismatch);
        assert_eq!(apply(AttributeChange::Add(numbers(&[1])), text()), mismatch);
        assert_eq!(apply(AttributeChange::Delete(numbers(&[1])), text()), mismatch);
        let strings = Some(Value::string_set(vec!["1".to_owned()]));
        assert_eq!(apply(AttributeChange::Delete(numbers(&[1])), strings), mismatch);
    }

    #[test]
    fn a_sum_that_cannot_be_stored_is_an_error_of_numbers() {
        let large = || Value::Number("9e125".parse().unwrap());
        assert_eq!(
            apply(AttributeChange::Add(large()), Some(large())),
            Err(UpdateError::Number(NumberError::Overflow).into())
        );
    }

    #[test]
    fn only_put_and_add_make_an_absent_item() {
        let creates = |change| Update::of_attributes([("a".to_owned(), change)]).creates_item();
        assert!(creates(AttributeChange::Put(Value::Null)));
        assert!(creates(AttributeChange::Add(Value::from(1))));
        assert!(!creates(AttributeChange::Delete(numbers(&[1]))));
        assert!(!creates(AttributeChange::Remove));
    }

    #[test]
    fn a_change_costs_as_much_as_the_same_action_of_an_expression() {
        let size = |change| Update::of_attributes([("a".to_owned(), change)]).size_bytes();
        assert_eq!(size(AttributeChange::Remove), 5);
        assert_eq!(size(AttributeChange::Put(Value::from("text"))), 5 + 18 + 4);
    }
}
