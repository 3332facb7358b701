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
    #[error("has the type {}, which its content does not fit", kind.code())]
    Content {
        /// The type.
        kind: Type,
    },
}

/// Reads a value as the service reads requests.
pub fn wire_value(tree: &Tree) -> Result<Value, WireFault> {
    let [(name, content)] = tree.members() else {
        return Err(WireFault::Untyped { suggested: suggested(tree) });
    };
    let unknown = || WireFault::UnknownType { name: name.clone() };
    let kind = Type::from_code(name).ok_or_else(unknown)?;
    Reader::Service.typed(kind, content)
}

/// Reads the values of an item or of a key as the service does, or says which attribute is none.
pub fn wire_item(tree: &Tree) -> Result<Item, (&str, WireFault)> {
    item(tree, wire_value)
}

/// Reads a value as other tools write it: plain values stand among typed ones, and numbers and
/// flags stand with or without quotes.
pub fn tool_value(tree: &Tree) -> Result<Value, WireFault> {
    let [(name, content)] = tree.members() else { return plain_value(tree) };
    match Type::from_code(name).filter(|kind| fits(content, *kind)) {
        Some(kind) => Reader::Tools.typed(kind, content),
        None => plain_value(tree),
    }
}

/// Reads a value that has no type of its own. What it holds is read by [`tool_value`].
pub fn plain_value(tree: &Tree) -> Result<Value, WireFault> {
    match tree {
        Tree::Null => Ok(Value::Null),
        Tree::Bool(flag) => Ok(Value::Bool(*flag)),
        Tree::Number(_) => Reader::Tools.typed(Type::Number, tree),
        Tree::String(text) => Ok(Value::from(text.as_str())),
        Tree::List(_) => Reader::Tools.typed(Type::List, tree),
        Tree::Map(_) => Reader::Tools.typed(Type::Map, tree),
    }
}

fn item(tree: &Tree, read: ReadValue) -> Result<Item, (&str, WireFault)> {
    let attribute = |(name, value): &'_ (String, Tree)| match read(value) {
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

type ReadValue = fn(&Tree) -> Result<Value, WireFault>;

/// Whose form of DynamoDB's JSON is read.
#[derive(Clone, Copy)]
enum Reader {
    Service,
    Tools,
}

impl Reader {
    /// Reads what stands under the name of a type.
    fn typed(self, kind: Type, content: &Tree) -> Result<Value, WireFault> {
        let value = match kind {
            Type::String => text(content).map(Value::String),
            Type::Number => self.number(content).map(Value::Number),
            Type::Binary => binary(content).map(Value::Binary),
            Type::Bool => self.flag(content).map(Value::Bool),
            Type::Null => self.is_null(content).then_some(Value::Null),
            Type::List => return self.list(content),
            Type::Map => {
                return item(content, self.inner()).map(Value::Map).map_err(|(_, fault)| fault);
            }
            Type::StringSet => self.all(content, text).map(Value::string_set),
            Type::NumberSet => {
                self.all(content, |content| self.number(content)).map(Value::number_set)
            }
            Type::BinarySet => self.all(content, binary).map(Value::binary_set),
        };
        value.ok_or(WireFault::Content { kind })
    }

    /// How values inside of values are read.
    fn inner(self) -> ReadValue {
        match self {
            Reader::Service => wire_value,
            Reader::Tools => tool_value,
        }
    }

    fn list(self, content: &Tree) -> Result<Value, WireFault> {
        let Tree::List(elements) = content else {
            return Err(WireFault::Content { kind: Type::List });
        };
        elements.iter().map(self.inner()).collect::<Result<_, _>>().map(Value::List)
    }

    fn number(self, content: &Tree) -> Option<Number> {
        match (self, content) {
            (_, Tree::String(text)) | (Reader::Tools, Tree::Number(text)) => text.parse().ok(),
            (Reader::Service, Tree::Number(_))
            | (_, Tree::Null | Tree::Bool(_) | Tree::List(_) | Tree::Map(_)) => None,
        }
    }

    fn flag(self, content: &Tree) -> Option<bool> {
        match (self, content) {
            (_, Tree::Bool(flag)) => Some(*flag),
            (Reader::Tools, Tree::String(text)) => text.parse().ok(),
            (Reader::Service, Tree::String(_))
            | (_, Tree::Null | Tree::Number(_) | Tree::List(_) | Tree::Map(_)) => None,
        }
    }

    fn is_null(self, content: &Tree) -> bool {
        match self {
            Reader::Service => content.is_true(),
            Reader::Tools => true,
        }
    }

    /// The members of a set. The service has no empty sets.
    fn all<T>(self, content: &Tree, read: impl Fn(&Tree) -> Option<T>) -> Option<Vec<T>> {
        let elements = content.elements();
        match self {
            Reader::Service if elements.is_empty() => None,
            Reader::Service | Reader::Tools => elements.iter().map(read).collect(),
        }
    }
}

/// Whether a tool can have meant the type by what stands under its name. Otherwise the name is that
/// of an attribute.
fn fits(content: &Tree, kind: Type) -> bool {
    match kind {
        Type::String | Type::Binary => matches!(content, Tree::String(_)),
        Type::Number => matches!(content, Tree::String(_) | Tree::Number(_)),
        Type::Bool | Type::Null => matches!(content, Tree::Bool(_) | Tree::String(_)),
        Type::List | Type::StringSet | Type::NumberSet | Type::BinarySet => {
            matches!(content, Tree::List(_))
        }
        Type::Map => matches!(content, Tree::Map(_)),
    }
}

fn text(content: &Tree) -> Option<String> {
    content.text().map(str::to_owned)
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
    fn tools_write_plain_values_among_typed_ones() {
        let facts = [
            (r#"{"N": 17}"#, Value::from(17)),
            (r#"{"BOOL": "true"}"#, Value::Bool(true)),
            (r#"{"NULL": false}"#, Value::Null),
            (r#"{"SS": []}"#, Value::StringSet(Vec::new())),
            (r#"{"NS": ["2", 1]}"#, Value::NumberSet(vec![1.into(), 2.into()])),
            (r#"["a", {"S": "b"}]"#, Value::List(vec![Value::from("a"), Value::from("b")])),
            (r#"{"S": {"N": "1"}}"#, Value::Map([("S".to_owned(), Value::from(1))].into())),
        ];
        for (json, expected) in facts {
            assert_eq!(tool_value(&read_json(json).unwrap()), Ok(expected), "{json}");
        }
        let kind = Type::Number;
        assert_eq!(
            tool_value(&read_json(r#"{"price": {"N": "one"}}"#).unwrap()),
            Err(WireFault::Content { kind })
        );
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
