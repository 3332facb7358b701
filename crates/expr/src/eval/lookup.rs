//! Finds the value that a document path leads to.

use monotable_item::{Item, Path, Step, Value};

/// The value at a path, if every step of it exists.
pub(crate) fn lookup<'i>(item: &'i Item, path: &Path) -> Option<&'i Value> {
    path.steps.iter().try_fold(item.get(&path.root)?, step_into)
}

fn step_into<'i>(value: &'i Value, step: &Step) -> Option<&'i Value> {
    match (value, step) {
        (Value::Map(map), Step::Member(name)) => map.get(name),
        (Value::List(list), Step::Index(index)) => list.get(*index as usize),
        _ => None,
    }
}
