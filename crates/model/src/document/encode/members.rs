//! Members of a table, in the order in which they are written.

use crate::document::Tree;

/// Members so far. What has its default value is left out.
#[derive(Debug, Default)]
pub struct Members(Vec<(String, Tree)>);

impl Members {
    /// No members.
    pub fn new() -> Members {
        Members::default()
    }

    /// Adds a member.
    pub fn put(&mut self, name: &str, value: Tree) {
        self.0.push((name.to_owned(), value));
    }

    /// Adds a member that may not be there.
    pub fn put_some(&mut self, name: &str, value: Option<Tree>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    /// Adds a text that may not be there.
    pub fn text(&mut self, name: &str, value: Option<&str>) {
        self.put_some(name, value.map(text));
    }

    /// Adds a whole number that may not be there.
    pub fn count(&mut self, name: &str, value: Option<u64>) {
        self.put_some(name, value.map(|value| Tree::Number(value.to_string())));
    }

    /// Adds a number that may not be there.
    pub fn quantity(&mut self, name: &str, value: Option<f64>) {
        self.put_some(name, value.map(|value| Tree::Number(value.to_string())));
    }

    /// Adds a member that is true; what is false is left out.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.put_some(name, value.then_some(Tree::Bool(true)));
    }

    /// Adds a list that is not empty.
    pub fn list(&mut self, name: &str, values: Vec<Tree>) {
        if !values.is_empty() {
            self.put(name, Tree::List(values));
        }
    }

    /// Adds a table that is not empty.
    pub fn map(&mut self, name: &str, members: Vec<(String, Tree)>) {
        if !members.is_empty() {
            self.put(name, Tree::Map(members));
        }
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members with one before them.
    pub fn after(mut self, name: &str, value: Tree) -> Tree {
        self.0.insert(0, (name.to_owned(), value));
        self.into_tree()
    }

    /// The table that has them.
    pub fn into_tree(self) -> Tree {
        Tree::Map(self.0)
    }
}

/// A text.
pub fn text(value: &str) -> Tree {
    Tree::String(value.to_owned())
}

/// A list of texts.
pub fn texts(values: &[String]) -> Vec<Tree> {
    values.iter().map(|value| text(value)).collect()
}

/// Tables by the name of what they are made of.
pub fn by_name<'a, T: 'a>(
    all: impl IntoIterator<Item = &'a T>,
    name: impl Fn(&T) -> &str,
    encode: impl Fn(&T) -> Tree,
) -> Vec<(String, Tree)> {
    all.into_iter().map(|one| (name(one).to_owned(), encode(one))).collect()
}
