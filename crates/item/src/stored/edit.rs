//! Changing parts of a stored item and copying the others as they lie.
//!
//! What an update costs is then a copy of the item, however many attributes, members or elements
//! the item has. Sizes are added up before anything is copied, so that an item which would be too
//! large is never made.

use super::encode::{push_bytes, push_head, push_length};
use super::locate::{group_len, index_at, name_at};
use super::{Attributes, CorruptItem, ItemView, NewValue, PathEnd, ValueView, Values, tag};
use crate::size::ELEMENT_BYTES;
use crate::{Path, Step};

/// One change of an item.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    /// What is changed.
    pub path: &'a Path,
    /// Where that lies. A value cannot go [`PathEnd::Nowhere`].
    pub place: PathEnd<'a>,
    /// What it becomes; nothing removes it.
    pub value: Option<NewValue<'a>>,
}

/// Changes of an item, of which none is inside another.
///
/// All paths mean the item as it is. A value at an index beyond the end of its list is appended to
/// it, in the order of the indexes.
#[derive(Debug, Clone)]
pub struct Edits<'a> {
    item: ItemView<'a>,
    edits: Vec<Edit<'a>>,
}

/// What becomes of an attribute.
#[derive(Debug, Clone, Copy)]
pub enum AttributeEdit<'e, 'a> {
    /// Nothing.
    Kept,
    /// It gets a value, or loses the one that it has.
    Replaced(&'e Edit<'a>),
    /// It stays the map or list that it is, and changes inside.
    ChangedInside,
}

impl<'a> Edits<'a> {
    /// Changes of an item, given in any order. To remove what is not there changes nothing.
    pub fn new(item: ItemView<'a>, mut edits: Vec<Edit<'a>>) -> Edits<'a> {
        edits.retain(|edit| edit.value.is_some() || edit.place.value().is_some());
        edits.sort_unstable_by(|left, right| left.path.cmp(right.path));
        Edits { item, edits }
    }

    /// The item as it is.
    pub fn item(&self) -> ItemView<'a> {
        self.item
    }

    /// What becomes of an attribute.
    pub fn attribute(&self, name: &str) -> AttributeEdit<'_, 'a> {
        let first = self.edits.partition_point(|edit| edit.path.root.as_str() < name);
        match self.edits.get(first).filter(|edit| edit.path.root == name) {
            None => AttributeEdit::Kept,
            Some(edit) if edit.path.is_attribute() => AttributeEdit::Replaced(edit),
            Some(_) => AttributeEdit::ChangedInside,
        }
    }

    /// The size that the item will have, or more than `size_bytes_max` if it is more than that: no
    /// more is counted then.
    pub fn size_bytes(&self, size_bytes_max: usize) -> Result<usize, CorruptItem> {
        let mut removed_bytes = 0;
        for edit in &self.edits {
            removed_bytes += match edit.place {
                PathEnd::Occupied(value) => holder_bytes(edit.path) + value.size_bytes()?,
                PathEnd::Vacant | PathEnd::Nowhere => 0,
            };
        }
        let size_bytes = self.item.size_bytes().checked_sub(removed_bytes);
        let mut size_bytes = size_bytes.ok_or(CorruptItem("less than its parts"))?;
        for edit in &self.edits {
            if size_bytes > size_bytes_max {
                break;
            }
            if let Some(value) = &edit.value {
                size_bytes += holder_bytes(edit.path) + value.size_bytes()?;
            }
        }
        Ok(size_bytes)
    }

    /// How many maps and lists lie around the deepest of the new values.
    pub fn nesting(&self) -> Result<usize, CorruptItem> {
        let mut deepest = 0;
        for edit in &self.edits {
            if let Some(value) = &edit.value {
                deepest = deepest.max(edit.path.steps.len() + value.nesting()?);
            }
        }
        Ok(deepest)
    }

    /// The stored form of the item after the changes, which has this size. Metadata is not copied:
    /// the item that comes out of it is another write.
    pub fn write(&self, size_bytes: usize) -> Result<Vec<u8>, CorruptItem> {
        let attributes = self.item.attributes();
        let mut content = Content {
            bytes: Vec::with_capacity(
                attributes.rest().len().min(size_bytes) + size_bytes / 8 + 64,
            ),
            count: 0,
        };
        push_head(size_bytes, self.attribute_count(), &mut content.bytes);
        content.members(attributes, &self.edits, 0)?;
        debug_assert_eq!(content.count, self.attribute_count(), "attributes are miscounted");
        Ok(content.bytes)
    }

    fn attribute_count(&self) -> usize {
        let before = self.item.attributes().count_left();
        let roots = self.edits.iter().filter(|edit| edit.path.is_attribute());
        roots.fold(before, |count, edit| match (&edit.place, &edit.value) {
            (PathEnd::Occupied(_), None) => count.saturating_sub(1),
            (PathEnd::Vacant | PathEnd::Nowhere, Some(_)) => count + 1,
            (PathEnd::Occupied(_), Some(_)) | (PathEnd::Vacant | PathEnd::Nowhere, None) => count,
        })
    }
}

/// Changes inside of something that is not there: they were located in another item.
const CHANGED_NOWHERE: CorruptItem = CorruptItem("a change leads nowhere");

/// What the item, map or list that holds a value counts for it beside the value.
fn holder_bytes(path: &Path) -> usize {
    match path.steps.last() {
        None => path.root.len(),
        Some(Step::Member(name)) => ELEMENT_BYTES + name.len(),
        Some(Step::Index(_)) => ELEMENT_BYTES,
    }
}

/// The content of an item, map or list in the making.
struct Content {
    bytes: Vec<u8>,
    count: usize,
}

impl Content {
    /// Writes members with the changes that name them at this level. What lies between two changes
    /// is copied at once.
    fn members(
        &mut self,
        mut attributes: Attributes<'_>,
        mut edits: &[Edit<'_>],
        level: usize,
    ) -> Result<(), CorruptItem> {
        let mut kept = attributes.rest();
        while let Some(name) = edits.first().and_then(|edit| name_at(edit.path, level)) {
            let paths = edits.iter().map(|edit| edit.path);
            let (group, rest) = edits.split_at(group_len(paths, |path| name_at(path, level)));
            edits = rest;
            let mut found = None;
            let mut after = attributes;
            while let Some(next) = after.next_name()? {
                if next > name.as_bytes() {
                    break;
                }
                if next == name.as_bytes() {
                    found = Some(after.value()?);
                    break;
                }
                after.skip_value()?;
                attributes = after;
                self.count += 1;
            }
            self.keep(kept, attributes.rest());
            if found.is_some() {
                attributes = after;
            }
            kept = attributes.rest();
            self.member(name, found, group, level)?;
        }
        self.count += attributes.count_left();
        self.bytes.extend_from_slice(kept);
        Ok(())
    }

    /// Writes a member that is changed.
    fn member(
        &mut self,
        name: &str,
        old: Option<ValueView<'_>>,
        edits: &[Edit<'_>],
        level: usize,
    ) -> Result<(), CorruptItem> {
        match (edits, old) {
            ([Edit { path, value, .. }], _) if path.steps.len() == level => {
                if let Some(value) = value {
                    push_bytes(name.as_bytes(), &mut self.bytes);
                    value.push(&mut self.bytes);
                    self.count += 1;
                }
                Ok(())
            }
            (_, Some(old)) => {
                push_bytes(name.as_bytes(), &mut self.bytes);
                self.inside(old, edits, level + 1)
            }
            (_, None) => Err(CHANGED_NOWHERE),
        }
    }

    /// Writes elements with the changes that name them at this level.
    fn elements(
        &mut self,
        mut values: Values<'_>,
        mut edits: &[Edit<'_>],
        level: usize,
    ) -> Result<(), CorruptItem> {
        let mut kept = values.rest();
        let mut position = 0;
        while let Some(index) = edits.first().and_then(|edit| index_at(edit.path, level)) {
            let paths = edits.iter().map(|edit| edit.path);
            let (group, rest) = edits.split_at(group_len(paths, |path| index_at(path, level)));
            edits = rest;
            while position < index && values.skip_next()? {
                position += 1;
                self.count += 1;
            }
            self.keep(kept, values.rest());
            let old = values.next().transpose()?;
            position += usize::from(old.is_some());
            kept = values.rest();
            self.element(old, group, level)?;
        }
        self.count += values.count_left();
        self.bytes.extend_from_slice(kept);
        Ok(())
    }

    /// Writes an element that is changed, or one that is appended.
    fn element(
        &mut self,
        old: Option<ValueView<'_>>,
        edits: &[Edit<'_>],
        level: usize,
    ) -> Result<(), CorruptItem> {
        match (edits, old) {
            ([Edit { path, value, .. }], _) if path.steps.len() == level => {
                if let Some(value) = value {
                    value.push(&mut self.bytes);
                    self.count += 1;
                }
                Ok(())
            }
            (_, Some(old)) => self.inside(old, edits, level + 1),
            (_, None) => Err(CHANGED_NOWHERE),
        }
    }

    /// Writes a map or list that is changed inside.
    fn inside(
        &mut self,
        old: ValueView<'_>,
        edits: &[Edit<'_>],
        level: usize,
    ) -> Result<(), CorruptItem> {
        let mut inner = Content { bytes: Vec::new(), count: 0 };
        let tag = match old {
            ValueView::Map(attributes) => {
                inner.bytes.reserve(attributes.rest().len() + 64);
                inner.members(attributes, edits, level)?;
                tag::MAP
            }
            ValueView::List(values) => {
                inner.bytes.reserve(values.rest().len() + 64);
                inner.elements(values, edits, level)?;
                tag::LIST
            }
            _ => return Err(CHANGED_NOWHERE),
        };
        let mut count = Vec::with_capacity(8);
        push_length(inner.count, &mut count);
        self.bytes.push(tag);
        push_length(count.len() + inner.bytes.len(), &mut self.bytes);
        self.bytes.extend_from_slice(&count);
        self.bytes.extend_from_slice(&inner.bytes);
        self.count += 1;
        Ok(())
    }

    /// Copies what lies before `rest`.
    fn keep(&mut self, kept: &[u8], rest: &[u8]) {
        let length = kept.len() - rest.len();
        self.bytes.extend_from_slice(kept.get(..length).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::super::tests::{any_item, any_value};
    use super::*;
    use crate::stored::{encode, locate};
    use crate::{Item, Value, item_nesting, item_size_bytes};

    fn edits<'a>(item: &'a [u8], paths: &'a [Path], values: &'a [Option<Value>]) -> Edits<'a> {
        let item = ItemView::new(item).unwrap();
        let places = locate(item.attributes(), &paths.iter().collect::<Vec<_>>()).unwrap();
        let edit = |((path, place), value): ((&'a Path, PathEnd<'a>), &'a Option<Value>)| Edit {
            path,
            place,
            value: value.as_ref().map(|value| NewValue::Value(Cow::Borrowed(value))),
        };
        Edits::new(item, paths.iter().zip(places).zip(values).map(edit).collect())
    }

    proptest! {
        #[test]
        fn editing_is_decoding_changing_and_encoding(
            mut item in any_item(),
            changes in prop::collection::btree_map("[a-e]{1,3}", prop::option::of(any_value()),
                0..8),
        ) {
            let stored = encode(&item);
            let paths: Vec<Path> = changes.keys().map(Path::attribute).collect();
            let values: Vec<Option<Value>> = changes.values().cloned().collect();
            let edits = edits(&stored, &paths, &values);
            for (name, value) in changes {
                item.remove(&name);
                item.extend(value.map(|value| (name, value)));
            }
            let size_bytes = edits.size_bytes(usize::MAX).unwrap();
            prop_assert_eq!(size_bytes, item_size_bytes(&item));
            prop_assert!(edits.nesting().unwrap() <= item_nesting(&item));
            prop_assert_eq!(edits.write(size_bytes).unwrap(), encode(&item));
        }
    }

    #[test]
    fn no_more_is_counted_than_what_is_too_much() {
        let stored = encode(&Item::new());
        let paths = ["a", "b", "c"].map(Path::attribute);
        let value = || Some(Value::from("ten bytes."));
        let values = [value(), value(), value()];
        let edits = edits(&stored, &paths, &values);
        assert_eq!(edits.size_bytes(10).unwrap(), 11);
        assert_eq!(edits.size_bytes(11).unwrap(), 22);
        assert_eq!(edits.size_bytes(33).unwrap(), 33);
    }
}
