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
//! A line may say the table that its item is in as `"$table"`; else it is the one that the caller
//! says.

use monotable_item::{Item, Type};
use monotable_model::document::{Tree, read_json};
use monotable_model::item_json::{WireFault, wire_value};
use thiserror::Error;

use super::StoredItem;

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
    #[error("{attribute} {fault}")]
    Value {
        /// The attribute.
        attribute: String,
        /// What is wrong with its value.
        fault: WireFault,
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
    let is_line = read_json(first).is_ok_and(|tree| tree.member("Items").is_none());
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
    let table = match tree.member(TABLE) {
        Some(Tree::String(name)) => name.clone(),
        _ => table.to_owned(),
    };
    let item = match tree.member("Item") {
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
    let attribute = |(name, typed): &(String, Tree)| match wire_value(typed) {
        Ok(value) => Ok((name.clone(), value)),
        Err(fault) => Err(ExportFault::Value { attribute: name.clone(), fault }),
    };
    attributes.map(attribute).collect()
}

#[cfg(test)]
mod tests {
    use monotable_item::Value;

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
        let untyped = "line 2: n has no type: the service expects {\"N\": …}";
        assert_eq!(error("{\"PK\": {\"S\": \"a\"}}\n{\"n\": 1}"), untyped);
        assert_eq!(error("5"), "line 1: expected an item such as {\"PK\": {\"S\": \"a\"}}");
        assert!(error("{\"PK\"").starts_with("line 1: this is not JSON: "));
    }
}
