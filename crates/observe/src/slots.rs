//! The attributes of an item that a model asks about, found in one pass.
//!
//! An item holds its attributes in the order of their names. So do the slots, and both are walked
//! once.

use monotable_item::stored::{CorruptItem, ItemView, ValueView};

/// The names that are asked about, in order.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    names: Vec<Box<[u8]>>,
}

/// The values of an item, by slot.
pub(crate) type SlotValues<'a> = Vec<Option<ValueView<'a>>>;

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
        let mut values: SlotValues<'a> = vec![None; self.names.len()];
        let mut slots = self.names.iter().zip(&mut values);
        let mut slot = slots.next();
        for attribute in item.attributes() {
            let (name, value) = attribute?;
            while let Some((wanted, place)) = &mut slot {
                match wanted.as_ref().cmp(name) {
                    std::cmp::Ordering::Less => slot = slots.next(),
                    std::cmp::Ordering::Equal => {
                        **place = Some(value);
                        slot = slots.next();
                        break;
                    }
                    std::cmp::Ordering::Greater => break,
                }
            }
            if slot.is_none() {
                break;
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use monotable_item::{Item, Value, stored};

    use super::*;

    #[test]
    fn every_slot_gets_the_value_of_its_name() {
        let names = ["a", "b", "c", "é", "zz"];
        let item: Item =
            names.iter().map(|name| ((*name).to_owned(), Value::from(*name))).collect();
        let stored = stored::encode(&item);
        let slots = Slots::new(["zz", "0", "b", "b", "d", "é", "{"]);
        let values = slots.values(&ItemView::new(&stored).unwrap()).unwrap();
        for name in ["0", "b", "d", "zz", "é", "{"] {
            let found = values[slots.slot(name).unwrap()];
            assert_eq!(found.is_some(), names.contains(&name), "{name}");
        }
        assert_eq!(slots.slot("c"), None);
    }
}
