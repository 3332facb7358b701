//! Members of a table, in the order in which they are written.

use crate::document::Tree;

/// Members so far. What has its default value is left out.
#[derive(Default)]
pub(crate) struct Members(Vec<(String, Tree)>);

impl Members {
    pub(crate) fn new() -> Members {
        Members::default()
    }

    /// Adds a member.
    pub(crate) fn put(&mut self, name: &str, value: Tree) {
        self.0.push((name.to_owned(), value));
    }

    /// Adds a member that may not be there.
    pub(crate) fn put_some(&mut self, name: &str, value: Option<Tree>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    pub(crate) fn text(&mut self, name: &str, value: Option<&str>) {
        self.put_some(name, value.map(text));
    }

    pub(crate) fn count(&mut self, name: &str, value: Option<u64>) {
        self.put_some(name, value.map(|value| Tree::Number(value.to_string())));
    }

    pub(crate) fn quantity(&mut self, name: &str, value: Option<f64>) {
        self.put_some(name, value.map(|value| Tree::Number(value.to_string())));
    }

    /// Adds a member that is true; what is false is left out.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.put_some(name, value.then_some(Tree::Bool(true)));
    }

    /// Adds a list that is not empty.
    pub(crate) fn list(&mut self, name: &str, values: Vec<Tree>) {
        if !values.is_empty() {
            self.put(name, Tree::List(values));
        }
    }

    /// Adds a table that is not empty.
    pub(crate) fn map(&mut self, name: &str, members: Vec<(String, Tree)>) {
        if !members.is_empty() {
            self.put(name, Tree::Map(members));
        }
    }

    /// Whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members with one before them.
    pub(crate) fn after(mut self, name: &str, value: Tree) -> Tree {
        self.0.insert(0, (name.to_owned(), value));
        self.into_tree()
    }

    pub(crate) fn into_tree(self) -> Tree {
        Tree::Map(self.0)
    }
}

/// A text.
pub(crate) fn text(value: &str) -> Tree {
    Tree::String(value.to_owned())
}

/// A list of texts.
pub(crate) fn texts(values: &[String]) -> Vec<Tree> {
    values.iter().map(|value| text(value)).collect()
}

/// Tables by the name of what they are made of.
pub(crate) fn by_name<'a, T: 'a>(
    all: impl IntoIterator<Item = &'a T>,
    name: impl Fn(&T) -> &str,
    encode: impl Fn(&T) -> Tree,
) -> Vec<(String, Tree)> {
    all.into_iter().map(|one| (name(one).to_owned(), encode(one))).collect()
}
