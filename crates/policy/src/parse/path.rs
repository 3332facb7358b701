//! Where in a document something stands.

use std::fmt;

use crate::error::{PolicyError, Problem};

/// A place in a document. It is a chain to the root, so that making one costs nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Member(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The whole document.
    pub(super) fn root() -> Path<'static> {
        Path { parent: None, step: Step::Root }
    }

    /// A member of the object that stands here.
    pub(super) fn member(&'a self, name: &'a str) -> Path<'a> {
        Path { parent: Some(self), step: Step::Member(name) }
    }

    /// A member of the list that stands here.
    pub(super) fn index(&'a self, index: usize) -> Path<'a> {
        Path { parent: Some(self), step: Step::Index(index) }
    }

    /// Says that something is wrong here.
    pub(super) fn error(&self, problem: Problem) -> PolicyError {
        PolicyError::Invalid { path: self.to_string(), problem }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_at_root = self.parent.is_none_or(|parent| matches!(parent.step, Step::Root));
        if let Some(parent) = self.parent.filter(|_| !is_at_root) {
            write!(formatter, "{parent}")?;
        }
        match self.step {
            Step::Root => write!(formatter, "document"),
            Step::Index(index) => write!(formatter, "[{index}]"),
            Step::Member(name) if !is_plain(name) => write!(formatter, "[{name:?}]"),
            Step::Member(name) if is_at_root => write!(formatter, "{name}"),
            Step::Member(name) => write!(formatter, ".{name}"),
        }
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_like_the_way_to_its_place() {
        let root = Path::root();
        let statements = root.member("Statement");
        let statement = statements.index(2);
        let condition = statement.member("Condition");
        let operator = condition.member("ForAllValues:StringLike");
        assert_eq!(root.to_string(), "document");
        assert_eq!(statement.to_string(), "Statement[2]");
        assert_eq!(operator.to_string(), "Statement[2].Condition[\"ForAllValues:StringLike\"]");
    }
}
