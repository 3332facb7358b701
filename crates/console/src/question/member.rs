//! Members of questions and answers.

use monotable_item::Item;
use monotable_model::document::{Model, Table, Tree};
use monotable_model::item_json::wire_item;

use super::Complaint;

/// A member that is a text.
pub(super) fn text<'t>(tree: &'t Tree, name: &'static str) -> Result<&'t str, Complaint> {
    tree.member(name).and_then(Tree::text).ok_or(Complaint::Missing { member: name })
}

/// A list of which a question may have so many elements.
pub(super) fn list<'t>(
    tree: &'t Tree,
    name: &'static str,
    count_max: usize,
) -> Result<&'t [Tree], Complaint> {
    let elements = tree.member(name).map(Tree::elements).unwrap_or_default();
    if elements.len() > count_max {
        return Err(Complaint::TooMany { what: name, count: elements.len(), count_max });
    }
    Ok(elements)
}

/// An item in DynamoDB's JSON.
pub(super) fn item(tree: &Tree) -> Result<Item, Complaint> {
    wire_item(tree).map_err(|(attribute, fault)| Complaint::Unfit {
        reasons: format!("attribute {attribute} {fault}"),
    })
}

/// The table that the service calls so, or else the model.
pub(super) fn table<'m>(model: &'m Model, name: &str) -> Result<&'m Table, Complaint> {
    let physical = model.tables.iter().find(|table| table.is_called(name));
    let unknown = || Complaint::Unknown { what: "table", name: name.to_owned() };
    physical.or_else(|| model.table(name)).ok_or_else(unknown)
}

/// A map of an answer.
pub(super) fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A text of an answer.
pub(super) fn string(text: impl Into<String>) -> Tree {
    Tree::String(text.into())
}

/// A text of an answer that may be absent.
pub(super) fn optional(text: Option<&str>) -> Tree {
    text.map_or(Tree::Null, string)
}

/// Texts of an answer.
pub(super) fn strings<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Tree {
    Tree::List(texts.into_iter().map(string).collect())
}
