//! Where a template finds the values of attributes.

use monotable_item::{Item, Path, Step, Value};

/// Values by path. An [`Item`] is one, also while it is still being put together.
pub trait Attributes {
    /// The value at a path.
    fn value(&self, path: &Path) -> Option<&Value>;

    /// The shard to write into, for templates that leave it to the caller.
    fn chosen_shard(&self) -> Option<u32> {
        None
    }
}

impl Attributes for Item {
    fn value(&self, path: &Path) -> Option<&Value> {
        descend(self.get(&path.root)?, path)
    }
}

/// The value at a path whose root is known.
pub fn descend<'a>(root: &'a Value, path: &Path) -> Option<&'a Value> {
    path.steps.iter().try_fold(root, |value, step| match (value, step) {
        (Value::Map(map), Step::Member(name)) => map.get(name),
        (Value::List(list), Step::Index(index)) => list.get(*index as usize),
        _ => None,
    })
}

/// Attributes together with the shard that the caller chose.
#[derive(Debug, Clone, Copy)]
pub struct InShard<'a, A: ?Sized> {
    /// The attributes.
    pub attributes: &'a A,
    /// The number of the shard.
    pub shard: u32,
}

impl<A: Attributes + ?Sized> Attributes for InShard<'_, A> {
    fn value(&self, path: &Path) -> Option<&Value> {
        self.attributes.value(path)
    }

    fn chosen_shard(&self) -> Option<u32> {
        Some(self.shard)
    }
}
