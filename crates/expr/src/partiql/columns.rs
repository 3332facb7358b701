//! The columns of a `SELECT`.
//!
//! A column is the value at a path, under the name of the path's last member: `SELECT m.k[0]`
//! returns `{"k[0]": …}`. A projection expression, in contrast, keeps the surrounding maps and
//! lists.

use std::collections::BTreeSet;

use monotable_item::{Item, Path, Step};

use crate::Projection;
use crate::eval::lookup;

/// What a `SELECT` returns of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    paths: Vec<Path>,
}

impl Columns {
    /// Columns with distinct names.
    pub(super) fn new(paths: Vec<Path>) -> Columns {
        Columns { paths }
    }

    /// The name of a column.
    pub fn name(path: &Path) -> String {
        let mut name = path.root.clone();
        for step in &path.steps {
            match step {
                Step::Member(member) => name.clone_from(member),
                Step::Index(index) => name.push_str(&format!("[{index}]")),
            }
        }
        name
    }

    /// The paths, in the order of the text.
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// Returns whether every column is a whole attribute, so that a projection is equivalent.
    pub fn are_attributes(&self) -> bool {
        self.paths.iter().all(Path::is_attribute)
    }

    /// Returns the attributes that contain the columns.
    pub fn attributes(&self) -> Projection {
        let mut seen = BTreeSet::new();
        let roots = self.paths.iter().map(|path| &path.root);
        let distinct = roots.filter(|root| seen.insert(root.as_str()));
        Projection::of_attributes(distinct.cloned().collect::<Vec<_>>())
    }

    /// Returns the columns of an item. A path that leads nowhere yields no column.
    pub fn of(&self, item: &Item) -> Item {
        let columns = self.paths.iter().filter_map(|path| {
            let value = lookup(item, path)?;
            Some((Columns::name(path), value.clone()))
        });
        columns.collect()
    }
}
