//! Projections: the parts of an item to return.
//!
//! The paths form a tree, so that one pass over it collects them all. Elements of a list come back
//! in the order of the list and without gaps, whatever the order of the paths: `l[2], l[0]` of `[a,
//! b, c]` is `[a, c]`. A path that leads to nothing is left out, with the parents it would have
//! had.

use std::collections::{BTreeMap, BTreeSet};

use monotable_item::{Item, Map, Path, Step, Value};

/// Paths of an item to return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    paths: Vec<Path>,
    attributes: BTreeMap<String, Part>,
}

/// What of a value is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Whole,
    Members(BTreeMap<String, Part>),
    Elements(BTreeMap<u32, Part>),
}

impl Projection {
    /// A projection of paths that neither overlap nor conflict.
    pub(crate) fn new(paths: Vec<Path>) -> Projection {
        let mut attributes = BTreeMap::new();
        for path in &paths {
            insert(attributes.entry(path.root.clone()), &path.steps);
        }
        Projection { paths, attributes }
    }

    /// A projection of whole attributes, each named once.
    pub fn of_attributes(names: impl IntoIterator<Item = String>) -> Projection {
        Projection::new(names.into_iter().map(Path::attribute).collect())
    }

    /// What the item has of the paths.
    pub fn project(&self, item: &Item) -> Item {
        project_members(&self.attributes, item)
    }

    /// The attributes that the projection reads.
    pub fn roots(&self) -> BTreeSet<&str> {
        self.attributes.keys().map(String::as_str).collect()
    }

    /// The paths, in the order of the text.
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }
}

/// Adds the part that the steps lead to below an entry.
fn insert<K: Ord>(entry: std::collections::btree_map::Entry<'_, K, Part>, steps: &[Step]) {
    let Some((step, rest)) = steps.split_first() else {
        entry.or_insert(Part::Whole);
        return;
    };
    match step {
        Step::Member(name) => {
            let part = entry.or_insert_with(|| Part::Members(BTreeMap::new()));
            if let Part::Members(members) = part {
                insert(members.entry(name.clone()), rest);
            }
        }
        Step::Index(index) => {
            let part = entry.or_insert_with(|| Part::Elements(BTreeMap::new()));
            if let Part::Elements(elements) = part {
                insert(elements.entry(*index), rest);
            }
        }
    }
}

fn project_members(parts: &BTreeMap<String, Part>, map: &Map) -> Map {
    let members = parts.iter().filter_map(|(name, part)| {
        let value = project_value(part, map.get(name)?)?;
        Some((name.clone(), value))
    });
    members.collect()
}

fn project_value(part: &Part, value: &Value) -> Option<Value> {
    match (part, value) {
        (Part::Whole, value) => Some(value.clone()),
        (Part::Members(parts), Value::Map(map)) => {
            let members = project_members(parts, map);
            (!members.is_empty()).then_some(Value::Map(members))
        }
        (Part::Elements(parts), Value::List(list)) => {
            let elements: Vec<Value> = parts
                .iter()
                .filter_map(|(index, part)| project_value(part, list.get(*index as usize)?))
                .collect();
            (!elements.is_empty()).then_some(Value::List(elements))
        }
        (Part::Members(_) | Part::Elements(_), _) => None,
    }
}
