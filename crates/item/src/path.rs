//! Document paths: where in an item a value lies, such as `address.lines[0]`.

use std::fmt;

/// A path with its placeholders already replaced: an attribute name, then map members and list
/// indexes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    /// The attribute that the path starts from.
    pub root: String,
    /// The steps below it, outermost first.
    pub steps: Vec<Step>,
}

/// One step of a [`Path`] below its root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `.name`: a member of a map.
    Member(String),
    /// `[index]`: an element of a list.
    Index(u32),
}

impl Path {
    /// The path of a whole attribute.
    pub fn attribute(name: impl Into<String>) -> Path {
        Path { root: name.into(), steps: Vec::new() }
    }

    /// Returns whether the path names a whole attribute.
    pub fn is_attribute(&self) -> bool {
        self.steps.is_empty()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        for step in &self.steps {
            match step {
                Step::Member(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
