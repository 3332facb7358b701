//! Values that stand for themselves, outside of a document: arguments of a command, members of a
//! file.

use monotable_item::Value;

use super::decode::decode_value;
use super::reader::{self, Format};
use super::{Attribute, Tree, inline_tree};
use crate::diagnostic::Diagnostic;

/// Reads JSON as a value: plain by the attribute that it is for, else by what it looks like; or in
/// DynamoDB's typed form.
pub fn read_value(text: &str, attribute: Option<&Attribute>) -> Result<Value, String> {
    let node = reader::read(text, Format::Json).map_err(first_message)?;
    decode_value(&node, text, attribute).map_err(first_message)
}

/// Reads a tree as [`read_value`] reads its text.
pub fn value_of_tree(tree: &Tree, attribute: Option<&Attribute>) -> Result<Value, String> {
    read_value(&inline_tree(tree), attribute)
}

/// Reads the members of a JSON object, in the order of the text.
pub fn read_members(text: &str) -> Result<Vec<(String, Tree)>, String> {
    match reader::read(text, Format::Json).map_err(first_message)?.tree() {
        Tree::Map(members) => Ok(members),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::List(_) => {
            Err("expected an object".to_owned())
        }
    }
}

fn first_message(diagnostics: Vec<Diagnostic>) -> String {
    let first = diagnostics.into_iter().next();
    first.map_or_else(|| "it cannot be read".to_owned(), |diagnostic| diagnostic.message)
}

#[cfg(test)]
mod tests {
    use monotable_item::Type;

    use super::*;

    #[test]
    fn a_value_is_read_by_its_attribute_or_by_its_look() {
        let set = Attribute::new("tags", Type::StringSet);
        let texts = |all: [&str; 2]| all.map(str::to_owned).to_vec();
        let tags = Value::string_set(texts(["a", "b"]));
        assert_eq!(read_value(r#"["a", "b"]"#, Some(&set)), Ok(tags.clone()));
        assert_eq!(read_value(r#"{"SS": ["a", "b"]}"#, None), Ok(tags));
        assert_eq!(read_value("12.50", None), Ok(Value::Number("12.5".parse().unwrap())));
        let list = Value::List(vec![Value::from("a"), Value::Bool(true)]);
        assert_eq!(read_value(r#"["a", true]"#, None), Ok(list));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let number = Attribute::new("n", Type::Number);
        assert_eq!(
            read_value(r#""seven""#, Some(&number)),
            Err("expected a number, found text".to_owned())
        );
        assert!(read_value("[1, 2", None).is_err());
        assert_eq!(read_members("[]"), Err("expected an object".to_owned()));
    }
}
