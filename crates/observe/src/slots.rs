//! The attributes of an item that a model asks about, found in one pass.

use monotable_item::stored::{CorruptItem, ItemView, SortedNames, ValueView};

/// How many values take no memory of their own.
const INLINE_MAX: usize = 16;

/// The values of an item, by the positions of their names.
#[derive(Debug)]
pub(crate) struct SlotValues<'a> {
    first: [Option<ValueView<'a>>; INLINE_MAX],
    more: Vec<Option<ValueView<'a>>>,
}

impl<'a> SlotValues<'a> {
    /// No values, with room for those of so many names.
    #[inline]
    pub(crate) fn with_room(count: usize) -> SlotValues<'a> {
        let mut more = Vec::new();
        if count > INLINE_MAX {
            more.resize(count - INLINE_MAX, None);
        }
        SlotValues { first: [None; INLINE_MAX], more }
    }

    /// Takes the values of these names out of an item.
    #[inline]
    pub(crate) fn read(
        &mut self,
        names: &SortedNames,
        item: &ItemView<'a>,
    ) -> Result<(), CorruptItem> {
        item.find_all(names, |slot, value| self.put(slot, value))
    }

    /// The value of a slot, if the item has one.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<ValueView<'a>> {
        match self.first.get(slot) {
            Some(value) => *value,
            None => self.more.get(slot - INLINE_MAX).copied().flatten(),
        }
    }

    /// Returns whether a slot has a value.
    #[inline]
    pub(crate) fn has(&self, slot: usize) -> bool {
        match self.first.get(slot) {
            Some(value) => value.is_some(),
            None => self.get(slot).is_some(),
        }
    }

    #[inline]
    fn put(&mut self, slot: usize, value: ValueView<'a>) {
        if let Some(place) = self.first.get_mut(slot) {
            *place = Some(value);
        } else if let Some(place) = self.more.get_mut(slot - INLINE_MAX) {
            *place = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value, stored};

    use super::*;

    #[test]
    fn there_can_be_many_slots() {
        let names: Vec<String> = (0..40).map(|number| format!("name {number:02}")).collect();
        let even = names.iter().step_by(2);
        let item: Item = even.map(|name| (name.clone(), Value::from(name.as_str()))).collect();
        let stored = stored::encode(&item);
        let sorted = SortedNames::new(names.iter().map(String::as_str));
        let mut values = SlotValues::with_room(sorted.count());
        values.read(&sorted, &ItemView::new(&stored).unwrap()).unwrap();
        for (slot, name) in names.iter().enumerate() {
            let is_held = item.contains_key(name);
            assert_eq!(
                (values.get(slot).is_some(), values.has(slot)),
                (is_held, is_held),
                "{name}"
            );
        }
        assert!(values.get(40).is_none() && !values.has(40));
    }
}
