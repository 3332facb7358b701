//! Nodes: a tree as it was read, with the place of every key and value in the file.

use super::Tree;
use crate::diagnostic::Span;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// The bytes of the value, quotes included. A table of TOML that has a header is its header.
    pub(crate) span: Span,
    /// The value.
    pub(crate) content: Content,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number as decimal text.
    Number(String),
    /// Text.
    String(String),
    /// Values in order.
    List(Vec<Node>),
    /// Values by name.
    Map(Vec<Entry>),
}

/// A member of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The name.
    pub(crate) key: String,
    /// The bytes of the name.
    pub(crate) key_span: Span,
    /// The value.
    pub(crate) value: Node,
}

impl Node {
    /// What kind of value it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.content {
            Content::Null => "nothing",
            Content::Bool(_) => "true or false",
            Content::Number(_) => "a number",
            Content::String(_) => "text",
            Content::List(_) => "a list",
            Content::Map(_) => "a table",
        }
    }

    /// The value without its places.
    pub(crate) fn tree(&self) -> Tree {
        match &self.content {
            Content::Null => Tree::Null,
            Content::Bool(value) => Tree::Bool(*value),
            Content::Number(text) => Tree::Number(text.clone()),
            Content::String(text) => Tree::String(text.clone()),
            Content::List(nodes) => Tree::List(nodes.iter().map(Node::tree).collect()),
            Content::Map(entries) => Tree::Map(
                entries.iter().map(|entry| (entry.key.clone(), entry.value.tree())).collect(),
            ),
        }
    }
}
