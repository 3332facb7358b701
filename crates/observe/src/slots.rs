//! The attributes of an item that a model asks about, found in one pass.
//!
//! An item holds its attributes in the order of their names. So do the slots, and both are walked
//! once.

use monotable_item::stored::{CorruptItem, ItemView, ValueView};

/// How many values take no memory of their own.
const INLINE_MAX: usize = 16;

/// The names that are asked about, in order.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    names: Vec<Box<[u8]>>,
}

/// The values of an item, by slot.
#[derive(Debug)]
pub(crate) struct SlotValues<'a> {
    first: [Option<ValueView<'a>>; INLINE_MAX],
    more: Vec<Option<ValueView<'a>>>,
}

impl<'a> SlotValues<'a> {
    /// The value of a slot, if the item has one.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<ValueView<'a>> {
        match self.first.get(slot) {
            Some(value) => *value,
            None => self.more.get(slot - INLINE_MAX).copied().flatten(),
        }
    }

    fn put(&mut self, slot: usize, value: ValueView<'a>) {
        if let Some(place) = self.first.get_mut(slot) {
            *place = Some(value);
        } else if let Some(place) = self.more.get_mut(slot - INLINE_MAX) {
            *place = Some(value);
        }
    }
}

impl Slots {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Slots {
        let mut names: Vec<Box<[u8]>> =
            names.into_iter().map(|name| name.as_bytes().into()).collect();
        names.sort_unstable();
        names.dedup();
        Slots { names }
    }

    /// The slot of a name.
    pub(crate) fn slot(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|known| (**known).cmp(name.as_bytes())).ok()
    }

    /// The values of an item.
    pub(crate) fn values<'a>(&self, item: &ItemView<'a>) -> Result<SlotValues<'a>, CorruptItem> {
        let more = vec![None; self.names.len().saturating_sub(INLINE_MAX)];
        let mut values = SlotValues { first: [None; INLINE_MAX], more };
        let mut attributes = item.attributes();
        let mut at = 0;
        while at < self.names.len() {
            let found = attributes.next_wanted(|name| self.is_at(&mut at, name))?;
            let Some(found) = found else { break };
            values.put(at, found);
            at += 1;
        }
        Ok(values)
    }

    /// Returns whether a name is the next one that is asked about, after those that come before it.
    #[inline]
    fn is_at(&self, at: &mut usize, name: &[u8]) -> bool {
        while let Some(wanted) = self.names.get(*at) {
            // Most names differ in the first byte.
            match wanted.first().cmp(&name.first()).then_with(|| (**wanted).cmp(name)) {
                std::cmp::Ordering::Less => *at += 1,
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Greater => return false,
            }
        }
        false
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
        let slots = Slots::new(names.iter().map(String::as_str));
        let values = slots.values(&ItemView::new(&stored).unwrap()).unwrap();
        for (slot, name) in names.iter().enumerate() {
            assert_eq!(values.get(slot).is_some(), item.contains_key(name), "{name}");
        }
        assert!(values.get(40).is_none());
    }

    #[test]
    fn every_slot_gets_the_value_of_its_name() {
        let names = ["a", "b", "c", "long name 2", "long nam", "é", "zz"];
        let item: Item =
            names.iter().map(|name| ((*name).to_owned(), Value::from(*name))).collect();
        let stored = stored::encode(&item);
        let slots = Slots::new([
            "zz",
            "0",
            "b",
            "b",
            "d",
            "é",
            "{",
            "long name",
            "long name 1",
            "long name 2",
        ]);
        let values = slots.values(&ItemView::new(&stored).unwrap()).unwrap();
        for name in ["0", "b", "d", "zz", "é", "{", "long name", "long name 1", "long name 2"] {
            let found = values.get(slots.slot(name).unwrap());
            assert_eq!(found.is_some(), names.contains(&name), "{name}");
        }
        assert_eq!(slots.slot("c"), None);
    }
}
