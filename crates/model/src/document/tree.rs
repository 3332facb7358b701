//! Plain trees: what TOML, YAML and JSON have in common.

/// A value without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// Nothing. TOML cannot say it.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, as decimal text so that nothing is lost.
    Number(String),
    /// Text.
    String(String),
    /// Values in order.
    List(Vec<Tree>),
    /// Values by name, in the order of the file.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// The member of this name, if it is a map that has one.
    pub fn member(&self, name: &str) -> Option<&Tree> {
        self.members().iter().find_map(|(other, value)| (other == name).then_some(value))
    }

    /// The members of a map, in order; nothing else has any.
    pub fn members(&self) -> &[(String, Tree)] {
        match self {
            Tree::Map(members) => members,
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::List(_) => &[],
        }
    }

    /// The elements of a list, in order; nothing else has any.
    pub fn elements(&self) -> &[Tree] {
        match self {
            Tree::List(elements) => elements,
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) | Tree::Map(_) => &[],
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Tree::String(text) => Some(text),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::List(_) | Tree::Map(_) => None,
        }
    }

    /// The number, if it is one, as exactly as a float can.
    pub fn number(&self) -> Option<f64> {
        match self {
            Tree::Number(text) => text.parse().ok(),
            Tree::Null | Tree::Bool(_) | Tree::String(_) | Tree::List(_) | Tree::Map(_) => None,
        }
    }

    /// Whether it is `true`.
    pub fn is_true(&self) -> bool {
        matches!(self, Tree::Bool(true))
    }
}
