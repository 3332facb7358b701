//! Items in DynamoDB's JSON, as they stand in requests, answers and exports: every value under the
//! name of its type, as in `{"S": "text"}`, `{"N": "17"}` or `{"L": [{"S": "a"}]}`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Item, Number, Type, Value};
use thiserror::Error;

use crate::document::Tree;

/// Why a tree is not a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WireFault {
    /// A bare value, without a table that names its type.
    #[error("has no type: the service expects {{\"{suggested}\": …}}")]
    Untyped {
        /// The type that was probably meant.
        suggested: &'static str,
    },
    /// The type has another name.
    #[error("has the type {name}, which does not exist")]
    UnknownType {
        /// What stands in its place.
        name: String,
    },
    /// What stands under the type is not of it.
    #[error("is called {}, and its content is not", kind.code())]
    Content {
        /// The type.
        kind: Type,
    },
}

/// Reads a value.
pub fn wire_value(tree: &Tree) -> Result<Value, WireFault> {
    let [(name, content)] = tree.members() else {
        return Err(WireFault::Untyped { suggested: suggested(tree) });
    };
    let unknown = || WireFault::UnknownType { name: name.clone() };
    let kind = Type::from_code(name).ok_or_else(unknown)?;
    typed(kind, content)
}

/// Reads the values of an item or of a key, or says which attribute is none.
pub fn wire_item(tree: &Tree) -> Result<Item, (&str, WireFault)> {
    let attribute = |(name, value): &'_ (String, Tree)| match wire_value(value) {
        Ok(value) => Ok((name.clone(), value)),
        Err(fault) => Err(fault),
    };
    let mut item = Item::new();
    for member in tree.members() {
        let (name, value) = attribute(member).map_err(|fault| (member.0.as_str(), fault))?;
        item.insert(name, value);
    }
    Ok(item)
}

/// Writes an item in DynamoDB's JSON.
pub fn tree_of_item(item: &Item) -> Tree {
    Tree::Map(item.iter().map(|(name, value)| (name.clone(), tree_of_value(value))).collect())
}

/// Writes a value with its type.
pub fn tree_of_value(value: &Value) -> Tree {
    let text = |text: String| Tree::String(text);
    let content = match value {
        Value::String(content) => text(content.clone()),
        Value::Number(number) => text(number.to_string()),
        Value::Binary(bytes) => text(BASE64.encode(bytes)),
        Value::Bool(flag) => Tree::Bool(*flag),
        Value::Null => Tree::Bool(true),
        Value::List(values) => Tree::List(values.iter().map(tree_of_value).collect()),
        Value::Map(map) => tree_of_item(map),
        Value::StringSet(all) => Tree::List(all.iter().map(|one| text(one.clone())).collect()),
        Value::NumberSet(all) => Tree::List(all.iter().map(|one| text(one.to_string())).collect()),
        Value::BinarySet(all) => {
            Tree::List(all.iter().map(|one| text(BASE64.encode(one))).collect())
        }
    };
    Tree::Map(vec![(value.kind().code().to_owned(), content)])
}

fn typed(kind: Type, content: &Tree) -> Result<Value, WireFault> {
    let fault = || WireFault::Content { kind };
    match kind {
        Type::String => text(content).map(Value::String).ok_or_else(fault),
        Type::Number => number(content).map(Value::Number).ok_or_else(fault),
        Type::Binary => binary(content).map(Value::Binary).ok_or_else(fault),
        Type::Bool => match content {
            Tree::Bool(flag) => Ok(Value::Bool(*flag)),
            Tree::Null | Tree::Number(_) | Tree::String(_) | Tree::List(_) | Tree::Map(_) => {
                Err(fault())
            }
        },
        Type::Null => content.is_true().then_some(Value::Null).ok_or_else(fault),
        Type::List => match content {
            Tree::List(elements) => {
                elements.iter().map(wire_value).collect::<Result<_, _>>().map(Value::List)
            }
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::Map(_) => {
                Err(fault())
            }
        },
        Type::Map => wire_item(content).map(Value::Map).map_err(|(_, fault)| fault),
        Type::StringSet => all(content, text).map(Value::string_set).ok_or_else(fault),
        Type::NumberSet => all(content, number).map(Value::number_set).ok_or_else(fault),
        Type::BinarySet => all(content, binary).map(Value::binary_set).ok_or_else(fault),
    }
}

fn all<T>(content: &Tree, read: fn(&Tree) -> Option<T>) -> Option<Vec<T>> {
    let elements = content.elements();
    if elements.is_empty() { None } else { elements.iter().map(read).collect() }
}

fn text(content: &Tree) -> Option<String> {
    content.text().map(str::to_owned)
}

fn number(content: &Tree) -> Option<Number> {
    content.text()?.parse().ok()
}

fn binary(content: &Tree) -> Option<Vec<u8>> {
    BASE64.decode(content.text()?).ok()
}

/// The type that a bare value would have.
fn suggested(tree: &Tree) -> &'static str {
    match tree {
        Tree::Null => "NULL",
        Tree::Bool(_) => "BOOL",
        Tree::Number(_) => "N",
        Tree::String(_) => "S",
        Tree::List(_) => "L",
        Tree::Map(_) => "M",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::read_json;

    fn value(json: &str) -> Result<Value, WireFault> {
        wire_value(&read_json(json).unwrap())
    }

    #[test]
    fn every_type_is_read() {
        let facts = [
            (r#"{"S": "a"}"#, Value::from("a")),
            (r#"{"N": "-1.5"}"#, Value::Number("-1.5".parse().unwrap())),
            (r#"{"B": "AQI="}"#, Value::Binary(vec![1, 2])),
            (r#"{"BOOL": false}"#, Value::Bool(false)),
            (r#"{"NULL": true}"#, Value::Null),
            (r#"{"L": [{"S": "a"}]}"#, Value::List(vec![Value::from("a")])),
            (r#"{"M": {"a": {"N": "1"}}}"#, Value::Map([("a".to_owned(), Value::from(1))].into())),
            (r#"{"SS": ["b", "a"]}"#, Value::StringSet(vec!["a".to_owned(), "b".to_owned()])),
            (r#"{"NS": ["2"]}"#, Value::NumberSet(vec!["2".parse().unwrap()])),
            (r#"{"BS": ["AQ=="]}"#, Value::BinarySet(vec![vec![1]])),
        ];
        for (json, expected) in facts {
            assert_eq!(value(json), Ok(expected), "{json}");
        }
    }

    #[test]
    fn what_is_no_value_says_why() {
        let untyped = |suggested| Err(WireFault::Untyped { suggested });
        assert_eq!(value(r#""a""#), untyped("S"));
        assert_eq!(value("17"), untyped("N"));
        assert_eq!(value(r#"{"S": "a", "N": "1"}"#), untyped("M"));
        assert_eq!(value(r#"{"X": "a"}"#), Err(WireFault::UnknownType { name: "X".to_owned() }));
        for (json, kind) in [
            (r#"{"N": 17}"#, Type::Number),
            (r#"{"N": "one"}"#, Type::Number),
            (r#"{"SS": []}"#, Type::StringSet),
            (r#"{"B": "?"}"#, Type::Binary),
        ] {
            assert_eq!(value(json), Err(WireFault::Content { kind }), "{json}");
        }
    }
}
