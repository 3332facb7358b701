//! The attributes of an item that a model asks about, found in one pass.
//!
//! An item holds its attributes in the order of their names. So do the slots, and both are walked
//! once.

use monotable_item::stored::{CorruptItem, ItemView, ValueView};

use crate::key_form::HeadBytes;

/// The names that are asked about, in order.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    names: Vec<Slot>,
}

#[derive(Debug)]
struct Slot {
    head: u64,
    name: Box<[u8]>,
}

/// The values of an item, by slot.
pub(crate) type SlotValues<'a> = Vec<Option<ValueView<'a>>>;

impl Slots {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Slots {
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        let slot = |name: &str| {
            let name = name.as_bytes();
            Slot { head: HeadBytes::of(name).number(), name: name.into() }
        };
        Slots { names: names.into_iter().map(slot).collect() }
    }

    /// The slot of a name.
    pub(crate) fn slot(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|known| (*known.name).cmp(name.as_bytes())).ok()
    }

    /// The values of an item.
    pub(crate) fn values<'a>(&self, item: &ItemView<'a>) -> Result<SlotValues<'a>, CorruptItem> {
        let mut values: SlotValues<'a> = vec![None; self.names.len()];
        let mut attributes = item.attributes();
        let mut at = 0;
        loop {
            let found = attributes.next_wanted(|name| {
                let head = HeadBytes::of(name).number();
                while let Some(slot) = self.names.get(at) {
                    if slot.head > head {
                        return false;
                    }
                    if slot.head == head && *slot.name >= *name {
                        return *slot.name == *name;
                    }
                    at += 1;
                }
                false
            })?;
            let Some(found) = found else { return Ok(values) };
            if let Some(place) = values.get_mut(at) {
                *place = Some(found);
            }
            at += 1;
            if at >= self.names.len() {
                return Ok(values);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value, stored};

    use super::*;

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
            let found = values[slots.slot(name).unwrap()];
            assert_eq!(found.is_some(), names.contains(&name), "{name}");
        }
        assert_eq!(slots.slot("c"), None);
    }
}
