//! Places in an item that an update can change.

use monotable_item::{Item, Map, Path, Step, Value};

/// Where the last element of a path lies: in an item or map, or in a list.
pub(super) enum Place<'i, 'p> {
    Member(&'i mut Map, &'p str),
    Element(&'i mut Vec<Value>, usize),
}

impl<'i, 'p> Place<'i, 'p> {
    /// The place of a path, if its parent exists and is a map or list as the path says. The value
    /// itself need not exist.
    pub(super) fn of(item: &'i mut Item, path: &'p Path) -> Option<Place<'i, 'p>> {
        let Some((last, parents)) = path.steps.split_last() else {
            return Some(Place::Member(item, &path.root));
        };
        let parent = parents.iter().try_fold(item.get_mut(&path.root)?, step_into)?;
        match (parent, last) {
            (Value::Map(map), Step::Member(name)) => Some(Place::Member(map, name)),
            (Value::List(list), Step::Index(index)) => Some(Place::Element(list, *index as usize)),
            _ => None,
        }
    }

    /// Writes the value, or gives it back if it belongs beyond the end of a list.
    pub(super) fn write(self, value: Value) -> Option<Value> {
        match self {
            Place::Member(map, name) => {
                map.insert(name.to_owned(), value);
                None
            }
            Place::Element(list, index) => match list.get_mut(index) {
                Some(element) => {
                    *element = value;
                    None
                }
                None => Some(value),
            },
        }
    }

    /// Adds the value at the end of the list, or writes it.
    pub(super) fn append(self, value: Value) {
        match self {
            Place::Member(map, name) => {
                map.insert(name.to_owned(), value);
            }
            Place::Element(list, _) => list.push(value),
        }
    }

    /// Whether there is a value.
    pub(super) fn is_occupied(&self) -> bool {
        match self {
            Place::Member(map, name) => map.contains_key(*name),
            Place::Element(list, index) => *index < list.len(),
        }
    }

    /// Removes the value, if there is one.
    pub(super) fn remove(self) {
        match self {
            Place::Member(map, name) => {
                map.remove(name);
            }
            Place::Element(list, index) => {
                if index < list.len() {
                    list.remove(index);
                }
            }
        }
    }
}

fn step_into<'i>(value: &'i mut Value, step: &Step) -> Option<&'i mut Value> {
    match (value, step) {
        (Value::Map(map), Step::Member(name)) => map.get_mut(name),
        (Value::List(list), Step::Index(index)) => list.get_mut(*index as usize),
        _ => None,
    }
}
