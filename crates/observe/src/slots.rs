//! The attributes of an item that a model asks about, found in one pass.

use monotable_item::stored::{CorruptItem, ItemView, SortedNames, UnreadValue, ValueView};

/// How many values take no memory of their own.
const INLINE_MAX: usize = 16;

/// The values of an item, by the positions of their names.
#[derive(Debug)]
pub(crate) struct SlotValues<'a> {
    held: SlotSet,
    first: [Option<UnreadValue<'a>>; INLINE_MAX],
    more: Vec<Option<UnreadValue<'a>>>,
}

/// Some slots, to be compared with others at once. The 64th and all after it are one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SlotSet(u64);

impl SlotSet {
    #[inline]
    pub(crate) fn add(&mut self, slot: usize) {
        self.0 |= 1 << slot.min(63);
    }

    /// These and those of another.
    pub(crate) fn and(self, other: SlotSet) -> SlotSet {
        SlotSet(self.0 | other.0)
    }
}

impl FromIterator<usize> for SlotSet {
    fn from_iter<T: IntoIterator<Item = usize>>(slots: T) -> SlotSet {
        let mut set = SlotSet::default();
        slots.into_iter().for_each(|slot| set.add(slot));
        set
    }
}

impl<'a> SlotValues<'a> {
    /// No values, with room for those of so many names.
    #[inline]
    pub(crate) fn with_room(count: usize) -> SlotValues<'a> {
        let mut more = Vec::new();
        if count > INLINE_MAX {
            more.resize(count - INLINE_MAX, None);
        }
        SlotValues { held: SlotSet::default(), first: [None; INLINE_MAX], more }
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
        self.unread(slot)?.view().ok()
    }

    /// The value of a slot, if the item has one and it is a text.
    #[inline]
    pub(crate) fn text(&self, slot: usize) -> Option<&'a [u8]> {
        self.unread(slot)?.text()
    }

    /// Returns whether a slot has a value.
    #[inline]
    pub(crate) fn has(&self, slot: usize) -> bool {
        self.unread(slot).is_some()
    }

    /// Returns whether none of these slots has a value. It may be wrong in saying no, if there are
    /// more slots than a set tells apart.
    #[inline]
    pub(crate) fn has_none(&self, slots: SlotSet) -> bool {
        self.held.0 & slots.0 == 0
    }

    #[inline]
    fn unread(&self, slot: usize) -> Option<UnreadValue<'a>> {
        match self.first.get(slot) {
            Some(value) => *value,
            None => self.more.get(slot - INLINE_MAX).copied().flatten(),
        }
    }

    #[inline]
    fn put(&mut self, slot: usize, value: UnreadValue<'a>) {
        self.held.add(slot);
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
        let names: Vec<String> = (0..80).map(|number| format!("name {number:02}")).collect();
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
        assert!(values.get(80).is_none() && !values.has(80));
        let held = |slots: &[usize]| !values.has_none(slots.iter().copied().collect());
        assert!(held(&[1, 2]) && !held(&[1, 3, 61]) && !held(&[]));
        // Of those that are one, some have a value.
        assert!(held(&[65]));
    }
}
