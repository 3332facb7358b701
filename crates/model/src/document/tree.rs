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
