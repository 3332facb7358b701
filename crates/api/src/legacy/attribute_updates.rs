//! `AttributeUpdates`.

use std::collections::BTreeMap;

use monotable_expr::{AttributeChange, Update};
use monotable_item::{Type, Value};
use monotable_protocol::shapes::AttributeValueUpdate;

use super::comparison::read_value;
use crate::error::ApiError;
use crate::validate::constraint::{old, one_of};
use crate::validate::item::check_name_size;
use crate::wording::value::ValueLayer;

const VALUE_REQUIRED: &str = "Only DELETE action is allowed when no attribute value is specified";

/// What is done to an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Put,
    Add,
    Delete,
}

/// The update of an item. An empty one is none, and makes the item if it is absent.
pub(crate) fn attribute_updates(
    updates: &Option<BTreeMap<String, AttributeValueUpdate>>,
    layer: ValueLayer,
) -> Result<Option<Update>, ApiError> {
    let Some(updates) = updates.as_ref().filter(|updates| !updates.is_empty()) else {
        return Ok(None);
    };
    let changes: Result<Vec<(String, AttributeChange)>, ApiError> = updates
        .iter()
        .map(|(attribute, update)| Ok((attribute.clone(), read(attribute, update, layer)?)))
        .collect();
    Ok(Some(Update::of_attributes(changes?)))
}

fn read(
    attribute: &str,
    update: &AttributeValueUpdate,
    layer: ValueLayer,
) -> Result<AttributeChange, ApiError> {
    check_name_size(attribute)?;
    let action = Action::read(attribute, update.action.as_deref())?;
    let value = update.value.as_ref().map(|value| read_value(value, layer)).transpose()?;
    match (action, value) {
        (Action::Put, Some(value)) => Ok(AttributeChange::Put(value)),
        (Action::Add, Some(value)) => added(value),
        (Action::Delete, Some(value)) => deleted(value),
        (Action::Delete, None) => Ok(AttributeChange::Remove),
        (Action::Put | Action::Add, None) => Err(ApiError::parameter(VALUE_REQUIRED)),
    }
}

impl Action {
    fn read(attribute: &str, name: Option<&str>) -> Result<Action, ApiError> {
        match name {
            Some("PUT") | None => Ok(Action::Put),
            Some("ADD") => Ok(Action::Add),
            Some("DELETE") => Ok(Action::Delete),
            Some(other) => {
                let path = format!("attributeUpdates.{attribute}.member.action");
                let violation = old(other, &path, &one_of(&["ADD", "DELETE", "PUT"]));
                Err(ApiError::validation(violation))
            }
        }
    }
}

fn added(value: Value) -> Result<AttributeChange, ApiError> {
    match value.kind() {
        Type::Number | Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet => {
            Ok(AttributeChange::Add(value))
        }
        kind @ (Type::String | Type::Binary | Type::Bool | Type::Null | Type::Map) => {
            Err(ApiError::parameter(format!(
                "ADD action is not supported for the type {}",
                kind.code()
            )))
        }
    }
}

fn deleted(value: Value) -> Result<AttributeChange, ApiError> {
    match value.kind() {
        Type::StringSet | Type::NumberSet | Type::BinarySet => Ok(AttributeChange::Delete(value)),
        kind @ (Type::String
        | Type::Number
        | Type::Binary
        | Type::Bool
        | Type::Null
        | Type::List
        | Type::Map) => Err(ApiError::parameter(format!(
            "DELETE action with value is not supported for the type {}",
            kind.code()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Number};
    use monotable_protocol::{ValueError, WireValue};

    use super::*;

    fn numbers(members: &[i64]) -> Value {
        Value::number_set(members.iter().copied().map(Number::from).collect())
    }

    fn update(action: Option<&str>, value: Option<Value>) -> AttributeValueUpdate {
        AttributeValueUpdate {
            value: value.map(|value| WireValue(Ok(value))),
            action: action.map(str::to_owned),
        }
    }

    fn read_all(updates: &[(&str, AttributeValueUpdate)]) -> Result<Option<Update>, String> {
        let updates = updates.iter().map(|(name, update)| ((*name).to_owned(), update.clone()));
        attribute_updates(&Some(updates.collect()), ValueLayer::Current)
            .map_err(|error| error.message().unwrap().to_owned())
    }

    #[track_caller]
    fn check_refusal(update: AttributeValueUpdate, text: &str) {
        let prefix = "One or more parameter values were invalid: ";
        assert_eq!(read_all(&[("a", update)]), Err(format!("{prefix}{text}")));
    }

    #[test]
    fn only_delete_comes_without_a_value() {
        let text = "Only DELETE action is allowed when no attribute value is specified";
        for action in [None, Some("PUT"), Some("ADD")] {
            check_refusal(update(action, None), text);
        }
        assert!(read_all(&[("a", update(Some("DELETE"), None))]).is_ok());
    }

    #[test]
    fn delete_takes_sets_only() {
        let refused = [
            Value::from("s"),
            Value::from(1),
            Value::Binary(vec![1]),
            Value::Bool(true),
            Value::Null,
            Value::List(vec![]),
            Value::Map(Item::new()),
        ];
        for value in refused {
            let code = value.kind().code();
            let text = format!("DELETE action with value is not supported for the type {code}");
            check_refusal(update(Some("DELETE"), Some(value)), &text);
        }
    }

    #[test]
    fn add_takes_numbers_sets_and_lists() {
        let refused = [
            Value::from("s"),
            Value::Binary(vec![1]),
            Value::Bool(true),
            Value::Null,
            Value::Map(Item::new()),
        ];
        for value in refused {
            let text = format!("ADD action is not supported for the type {}", value.kind().code());
            check_refusal(update(Some("ADD"), Some(value)), &text);
        }
    }

    #[test]
    fn an_unknown_action_is_refused_with_its_place() {
        assert_eq!(
            read_all(&[("a", update(Some("put"), None))]),
            Err("Value 'put' at 'attributeUpdates.a.member.action' failed to satisfy constraint: \
                 Member must satisfy enum value set: [ADD, DELETE, PUT]"
                .to_owned())
        );
    }

    #[test]
    fn an_invalid_value_is_refused_before_its_action() {
        let invalid = AttributeValueUpdate {
            value: Some(WireValue(Err(ValueError::SeveralTypes))),
            action: Some("DELETE".to_owned()),
        };
        let text = read_all(&[("a", invalid)]).unwrap_err();
        assert!(text.starts_with("Supplied AttributeValue has more than one datatypes set"));
    }

    #[test]
    fn every_action_is_applied() {
        let updates = [
            ("added", update(Some("ADD"), Some(Value::from(2)))),
            ("appended", update(Some("ADD"), Some(Value::List(vec![Value::from(2)])))),
            ("deleted", update(Some("DELETE"), Some(numbers(&[2])))),
            ("put", update(None, Some(Value::from("new")))),
            ("removed", update(Some("DELETE"), None)),
        ];
        let before = Item::from([
            ("added".to_owned(), Value::from(1)),
            ("appended".to_owned(), Value::List(vec![Value::from(1)])),
            ("deleted".to_owned(), numbers(&[1, 2])),
            ("kept".to_owned(), Value::Null),
            ("removed".to_owned(), Value::Null),
        ]);
        let after = Item::from([
            ("added".to_owned(), Value::from(3)),
            ("appended".to_owned(), Value::List(vec![Value::from(1), Value::from(2)])),
            ("deleted".to_owned(), numbers(&[1])),
            ("kept".to_owned(), Value::Null),
            ("put".to_owned(), Value::from("new")),
        ]);
        assert_eq!(read_all(&updates).unwrap().unwrap().apply(&before), Ok(after));
    }

    #[test]
    fn no_updates_are_no_update() {
        assert_eq!(read_all(&[]), Ok(None));
        assert_eq!(attribute_updates(&None, ValueLayer::Current), Ok(None));
    }
}
