//! Reading stored items: exports, scans, and items one a line.
//!
//! Three forms are read, all of DynamoDB's typed JSON:
//!
//! ```text
//! {"Item": {"PK": {"S": "a"}}}              a line of an export to S3
//! {"PK": {"S": "a"}}                        an item a line
//! {"Items": [{"PK": {"S": "a"}}, …], …}     what `aws dynamodb scan --output json` prints, on any number of lines
//! ```
//!
//! A line may say the table that its item is in as `"$table"`; else it is the one that the caller says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use monotable_item::{Item, Type, Value};
use thiserror::Error;

use super::StoredItem;
use crate::document::{Tree, read_json};

/// The member of a line that names its table.
const TABLE: &str = "$table";

/// Why items cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct ExportError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: ExportFault,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExportFault {
    /// It is not JSON.
    #[error("this is not JSON: {0}")]
    Syntax(String),
    /// It is JSON and no item.
    #[error("expected an item such as {{\"PK\": {{\"S\": \"a\"}}}}")]
    NoItem,
    /// A value does not name its type, or is not of the type that it names.
    #[error("{attribute} is not a typed value such as {{\"S\": \"a\"}}")]
    Untyped {
        /// The attribute.
        attribute: String,
    },
}

/// Reads items. Those that do not say their table are in the given one.
pub fn read_export(text: &str, table: &str) -> Result<Vec<StoredItem>, ExportError> {
    if let Some(items) = whole_scan(text) {
        let items = items.iter().map(|tree| stored(tree, table));
        return items.collect::<Result<_, _>>().map_err(|fault| ExportError { line: 1, fault });
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line): (usize, &str)| {
        let fault = |fault| ExportError { line: index + 1, fault };
        let tree = read_json(line).map_err(|message| fault(ExportFault::Syntax(message)))?;
        stored(&tree, table).map_err(fault)
    };
    lines.map(read).collect()
}

/// The items of a document that is the answer of a scan.
fn whole_scan(text: &str) -> Option<Vec<Tree>> {
    // An export has thousands of lines, of which the first tells that they are not one document.
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let is_line = read_json(first).is_ok_and(|tree| member(&tree, "Items").is_none());
    if is_line {
        return None;
    }
    match read_json(text).ok()? {
        Tree::Map(members) => members.into_iter().find_map(|(name, value)| match value {
            Tree::List(items) if name == "Items" => Some(items),
            _ => None,
        }),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::List(_) => None,
    }
}

fn stored(tree: &Tree, table: &str) -> Result<StoredItem, ExportFault> {
    let table = match member(tree, TABLE) {
        Some(Tree::String(name)) => name.clone(),
        _ => table.to_owned(),
    };
    let item = match member(tree, "Item") {
        Some(wrapped @ Tree::Map(members)) if !is_typed(members) => item(wrapped),
        _ => item(tree),
    };
    Ok(StoredItem { table, item: item? })
}

/// Whether these are the members of one typed value: then `Item` is an attribute.
fn is_typed(members: &[(String, Tree)]) -> bool {
    matches!(members, [(name, _)] if Type::from_code(name).is_some())
}

fn item(tree: &Tree) -> Result<Item, ExportFault> {
    let Tree::Map(members) = tree else { return Err(ExportFault::NoItem) };
    let attributes = members.iter().filter(|(name, _)| name != TABLE);
    let attribute = |(name, typed): &(String, Tree)| {
        let value = value(typed).ok_or_else(|| ExportFault::Untyped { attribute: name.clone() })?;
        Ok((name.clone(), value))
    };
    attributes.map(attribute).collect()
}

/// The value of `{"S": "a"}`.
fn value(tree: &Tree) -> Option<Value> {
    let Tree::Map(members) = tree else { return None };
    let [(code, content)] = members.as_slice() else { return None };
    match (Type::from_code(code)?, content) {
        (Type::String, Tree::String(text)) => Some(Value::String(text.clone())),
        (Type::Number, Tree::String(text)) => text.parse().ok().map(Value::Number),
        (Type::Binary, Tree::String(text)) => BASE64.decode(text).ok().map(Value::Binary),
        (Type::Bool, Tree::Bool(is_true)) => Some(Value::Bool(*is_true)),
        (Type::Null, Tree::Bool(true)) => Some(Value::Null),
        (Type::List, Tree::List(values)) => {
            values.iter().map(value).collect::<Option<_>>().map(Value::List)
        }
        (Type::Map, Tree::Map(members)) => {
            let member = |(name, typed): &(String, Tree)| Some((name.clone(), value(typed)?));
            members.iter().map(member).collect::<Option<_>>().map(Value::Map)
        }
        (Type::StringSet, content) => Some(Value::string_set(texts(content)?)),
        (Type::NumberSet, content) => {
            let numbers = texts(content)?.into_iter().map(|text| text.parse().ok());
            Some(Value::number_set(numbers.collect::<Option<Vec<_>>>()?))
        }
        (Type::BinarySet, content) => {
            let binaries = texts(content)?.into_iter().map(|text| BASE64.decode(text).ok());
            Some(Value::binary_set(binaries.collect::<Option<Vec<_>>>()?))
        }
        (
            Type::String
            | Type::Number
            | Type::Binary
            | Type::Bool
            | Type::Null
            | Type::List
            | Type::Map,
            _,
        ) => None,
    }
}

fn texts(tree: &Tree) -> Option<Vec<String>> {
    let Tree::List(members) = tree else { return None };
    let text = |member: &Tree| match member {
        Tree::String(text) => Some(text.clone()),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => None,
    };
    members.iter().map(text).collect()
}

fn member<'t>(tree: &'t Tree, name: &str) -> Option<&'t Tree> {
    let Tree::Map(members) = tree else { return None };
    members.iter().find(|(other, _)| other == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<Item> {
        let stored = read_export(text, "T").unwrap();
        stored.into_iter().map(|stored| stored.item).collect()
    }

    #[test]
    fn exports_scans_and_plain_lines_hold_the_same_items() {
        let expected = vec![
            Item::from([("PK".to_owned(), Value::from("a")), ("n".to_owned(), Value::from(1))]),
            Item::from([("PK".to_owned(), Value::from("b"))]),
        ];
        let (first, second) = (r#"{"PK": {"S": "a"}, "n": {"N": "1"}}"#, r#"{"PK": {"S": "b"}}"#);
        assert_eq!(items(&format!("{first}\n\n{second}\n")), expected);
        assert_eq!(items(&format!("{{\"Item\": {first}}}\n{{\"Item\": {second}}}")), expected);
        assert_eq!(
            items(&format!("{{\n\"Items\": [\n{first},\n{second}\n], \"Count\": 2}}")),
            expected
        );
        assert_eq!(items(&format!("{{\"Items\": [{first}, {second}]}}")), expected);
    }

    #[test]
    fn an_attribute_may_be_called_item() {
        let expected = Item::from([("Item".to_owned(), Value::from("a"))]);
        assert_eq!(items(r#"{"Item": {"S": "a"}}"#), [expected]);
    }

    #[test]
    fn a_line_says_its_table() {
        let stored = read_export(r#"{"$table": "U", "PK": {"S": "a"}}"#, "T").unwrap();
        assert_eq!(stored[0].table, "U");
        assert_eq!(stored[0].item.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text| read_export(text, "T").unwrap_err().to_string();
        let untyped = "line 2: n is not a typed value such as {\"S\": \"a\"}";
        assert_eq!(error("{\"PK\": {\"S\": \"a\"}}\n{\"n\": 1}"), untyped);
        assert_eq!(error("5"), "line 1: expected an item such as {\"PK\": {\"S\": \"a\"}}");
        assert!(error("{\"PK\"").starts_with("line 1: this is not JSON: "));
    }
}
