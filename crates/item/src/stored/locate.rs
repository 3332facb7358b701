//! Finding the values at document paths of a stored item, in one walk over it.
//!
//! Members lie in byte order of their names and elements in order of their indexes, and so do paths
//! that are sorted. So however many paths there are, no byte of the item is looked at twice, and
//! what no path leads into is skipped by its length.

use super::{Attributes, CorruptItem, Depth, ValueView, Values};
use crate::{Path, Step, Type, Value};

/// A value of a stored item, as it lies there.
#[derive(Debug, Clone, Copy)]
pub struct StoredValue<'a> {
    bytes: &'a [u8],
    view: ValueView<'a>,
}

impl<'a> StoredValue<'a> {
    /// The type of the value.
    pub fn kind(&self) -> Type {
        self.view.kind()
    }

    /// The value, read in place.
    pub fn view(&self) -> ValueView<'a> {
        self.view
    }

    /// The bytes of the value, from its tag on.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The value's size as DynamoDB counts it.
    pub fn size_bytes(&self) -> Result<usize, CorruptItem> {
        self.view.size_bytes()
    }

    /// The value by itself.
    pub fn decode(&self) -> Result<Value, CorruptItem> {
        super::decode::value(self.view, Depth::default())
    }
}

/// Where a path leads.
#[derive(Debug, Clone, Copy)]
pub enum PathEnd<'a> {
    /// Nowhere: what should hold the value is not there, or is no map or list as the path says.
    Nowhere,
    /// To where a value could be.
    Vacant,
    /// To a value.
    Occupied(StoredValue<'a>),
}

impl<'a> PathEnd<'a> {
    /// The value, if there is one.
    pub fn value(&self) -> Option<StoredValue<'a>> {
        match self {
            PathEnd::Occupied(value) => Some(*value),
            PathEnd::Nowhere | PathEnd::Vacant => None,
        }
    }
}

/// Where paths lead in a stored item. The paths are sorted, and none occurs twice.
pub fn locate<'a>(
    attributes: Attributes<'a>,
    paths: &[&Path],
) -> Result<Vec<PathEnd<'a>>, CorruptItem> {
    debug_assert!(paths.is_sorted_by(|left, right| left < right), "paths must be sorted");
    let mut places = vec![PathEnd::Nowhere; paths.len()];
    in_members(attributes, paths, 0, &mut places, Depth::default())?;
    Ok(places)
}

/// The name that a path has at a level: its root at the first, then those of its steps.
pub(super) fn name_at(path: &Path, level: usize) -> Option<&str> {
    let Some(step) = level.checked_sub(1) else { return Some(&path.root) };
    match path.steps.get(step)? {
        Step::Member(name) => Some(name),
        Step::Index(_) => None,
    }
}

/// The index that a path has at a level, if it has one there.
pub(super) fn index_at(path: &Path, level: usize) -> Option<usize> {
    match path.steps.get(level.checked_sub(1)?)? {
        Step::Index(index) => Some(*index as usize),
        Step::Member(_) => None,
    }
}

/// How many of sorted paths go the same way as the first.
pub(super) fn group_len<'p, K: PartialEq>(
    paths: impl Iterator<Item = &'p Path>,
    key: impl Fn(&'p Path) -> Option<K>,
) -> usize {
    let mut first = None;
    paths.take_while(|path| *first.get_or_insert_with(|| key(path)) == key(path)).count()
}

/// Looks for paths that name a member at this level.
fn in_members<'a>(
    mut attributes: Attributes<'a>,
    mut paths: &[&Path],
    level: usize,
    mut places: &mut [PathEnd<'a>],
    depth: Depth,
) -> Result<(), CorruptItem> {
    let mut next = attributes.next_name()?;
    while let Some(wanted) = paths.first().and_then(|path| name_at(path, level)) {
        let count = group_len(paths.iter().copied(), |path| name_at(path, level));
        let (group, other_paths) = paths.split_at(count);
        let (found, other_places) = places.split_at_mut(count);
        (paths, places) = (other_paths, other_places);
        while next.is_some_and(|name| name < wanted.as_bytes()) {
            attributes.skip_value()?;
            next = attributes.next_name()?;
        }
        if next == Some(wanted.as_bytes()) {
            let value = stored_value(attributes.rest(), &mut attributes)?;
            in_value(value, group, level + 1, found, depth)?;
            next = attributes.next_name()?;
        } else {
            in_nothing(group, level, found);
        }
    }
    Ok(())
}

fn stored_value<'a>(
    rest: &'a [u8],
    attributes: &mut Attributes<'a>,
) -> Result<StoredValue<'a>, CorruptItem> {
    let view = attributes.value()?;
    let length = rest.len() - attributes.rest().len();
    Ok(StoredValue { bytes: rest.get(..length).unwrap_or_default(), view })
}

/// Looks for paths that name an element at this level.
fn in_elements<'a>(
    mut values: Values<'a>,
    mut paths: &[&Path],
    level: usize,
    mut places: &mut [PathEnd<'a>],
    depth: Depth,
) -> Result<(), CorruptItem> {
    let mut position = 0;
    while let Some(wanted) = paths.first().and_then(|path| index_at(path, level)) {
        let count = group_len(paths.iter().copied(), |path| index_at(path, level));
        let (group, other_paths) = paths.split_at(count);
        let (found, other_places) = places.split_at_mut(count);
        (paths, places) = (other_paths, other_places);
        while position < wanted && values.skip_next()? {
            position += 1;
        }
        let rest = values.rest();
        match values.next().transpose()? {
            Some(view) => {
                position += 1;
                let length = rest.len() - values.rest().len();
                let bytes = rest.get(..length).unwrap_or_default();
                in_value(StoredValue { bytes, view }, group, level + 1, found, depth)?;
            }
            None => in_nothing(group, level, found),
        }
    }
    Ok(())
}

/// Continues with paths that lead to a value or into it. The one that ends here sorts before the
/// others, and those that name a member before those that name an element.
fn in_value<'a>(
    value: StoredValue<'a>,
    paths: &[&Path],
    level: usize,
    places: &mut [PathEnd<'a>],
    depth: Depth,
) -> Result<(), CorruptItem> {
    let ends = usize::from(paths.first().is_some_and(|path| path.steps.len() < level));
    let (here, places) = places.split_at_mut(ends);
    here.fill(PathEnd::Occupied(value));
    let (_, paths) = paths.split_at(ends);
    if paths.is_empty() {
        return Ok(());
    }
    let members = paths.partition_point(|path| name_at(path, level).is_some());
    match value.view {
        ValueView::Map(attributes) => {
            let ((paths, _), (places, _)) = (paths.split_at(members), places.split_at_mut(members));
            in_members(attributes, paths, level, places, depth.inside()?)
        }
        ValueView::List(values) => {
            let ((_, paths), (_, places)) = (paths.split_at(members), places.split_at_mut(members));
            in_elements(values, paths, level, places, depth.inside()?)
        }
        _ => Ok(()),
    }
}

/// A member or element that is not there could be; what lies inside of it could not.
fn in_nothing(paths: &[&Path], level: usize, places: &mut [PathEnd<'_>]) {
    for (path, place) in paths.iter().zip(places) {
        if path.steps.len() == level {
            *place = PathEnd::Vacant;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::any_item;
    use super::*;
    use crate::Item;
    use crate::stored::{ItemView, encode};

    /// The value at a path of an item, if every step of it exists.
    fn lookup<'i>(item: &'i Item, path: &Path) -> Option<&'i Value> {
        path.steps.iter().try_fold(item.get(&path.root)?, |value, step| match (value, step) {
            (Value::Map(map), Step::Member(name)) => map.get(name),
            (Value::List(list), Step::Index(index)) => list.get(*index as usize),
            _ => None,
        })
    }

    /// Returns whether there could be a value at a path.
    fn has_parent(item: &Item, path: &Path) -> bool {
        let Some((last, parents)) = path.steps.split_last() else { return true };
        let parent = Path { root: path.root.clone(), steps: parents.to_vec() };
        matches!(
            (lookup(item, &parent), last),
            (Some(Value::Map(_)), Step::Member(_)) | (Some(Value::List(_)), Step::Index(_))
        )
    }

    /// Every path of an item, to values and to what lies beside them.
    fn paths_of(item: &Item) -> Vec<Path> {
        let mut paths = Vec::new();
        for (name, value) in item {
            let beside = [format!("{name}0"), String::new(), name.clone()];
            paths.extend(beside.into_iter().map(Path::attribute));
            add_paths(&Path::attribute(name), value, &mut paths);
        }
        paths
    }

    fn add_paths(parent: &Path, value: &Value, paths: &mut Vec<Path>) {
        let mut add = |step: Step, inner: Option<&Value>| {
            let mut path = parent.clone();
            path.steps.push(step);
            inner.into_iter().for_each(|inner| add_paths(&path, inner, paths));
            paths.push(path);
        };
        add(Step::Member("x".to_owned()), None);
        add(Step::Index(2), None);
        match value {
            Value::List(list) => (0..).zip(list).for_each(|(index, inner)| {
                add(Step::Index(index), Some(inner));
            }),
            Value::Map(map) => map.iter().for_each(|(name, inner)| {
                add(Step::Member(name.clone()), Some(inner));
            }),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn every_value_is_found_where_it_lies(
            item in any_item(),
            left_out in prop::collection::vec(any::<bool>(), 64),
        ) {
            let mut paths = paths_of(&item);
            paths.sort();
            paths.dedup();
            let paths: Vec<&Path> = paths
                .iter()
                .zip(left_out.iter().cycle())
                .filter_map(|(path, left_out)| (!left_out).then_some(path))
                .collect();
            let stored = encode(&item);
            let places = locate(ItemView::new(&stored).unwrap().attributes(), &paths).unwrap();
            for (path, place) in paths.iter().zip(places) {
                match place {
                    PathEnd::Occupied(value) => {
                        prop_assert_eq!(Some(&value.decode().unwrap()), lookup(&item, path));
                    }
                    PathEnd::Vacant => {
                        prop_assert_eq!(lookup(&item, path), None);
                        prop_assert!(has_parent(&item, path), "{}", path);
                    }
                    PathEnd::Nowhere => prop_assert!(!has_parent(&item, path), "{}", path),
                }
            }
        }
    }
}
