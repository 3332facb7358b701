//! Names that are looked for in items, all of them in one walk.
//!
//! An item holds its attributes in byte order of their names. So do the names, and both are walked
//! once, side by side. Names are compared by their first eight bytes, which decide nearly always.

use std::cmp::Ordering;

use super::view::Cursor;
use super::walk::{Step, Walk, head_mask, name_head};
use super::{CorruptItem, ItemView, ValueView, tag};

/// Distinct names in byte order.
#[derive(Debug, Clone, Default)]
pub struct SortedNames {
    names: Box<[SoughtName]>,
}

#[derive(Debug, Clone)]
struct SoughtName {
    head: u64,
    /// Which bytes of the head are of the name.
    head_mask: u64,
    name: Box<[u8]>,
}

impl SortedNames {
    /// These names, each of them once.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> SortedNames {
        let mut names: Vec<&[u8]> = names.into_iter().map(str::as_bytes).collect();
        names.sort_unstable();
        names.dedup();
        let sought = |name: &[u8]| SoughtName {
            head: name_head(name),
            head_mask: head_mask(name.len()),
            name: name.into(),
        };
        SortedNames { names: names.into_iter().map(sought).collect() }
    }

    /// How many names there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The position of a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|known| (*known.name).cmp(name.as_bytes())).ok()
    }
}

impl SoughtName {
    /// Returns whether it is the name of an attribute.
    #[inline]
    fn is_of(&self, step: &Step<'_>) -> bool {
        let has_head = (step.first ^ self.head) & self.head_mask == 0;
        has_head && self.name.len() == step.name.len() && has_tail(&self.name, step.name)
    }

    /// Compares it with a name of an item, whose first bytes are at hand.
    #[inline]
    fn compare(&self, head: u64, name: &[u8]) -> Ordering {
        match self.head.cmp(&head) {
            Ordering::Equal if name.len() <= 8 && self.name.len() <= 8 => {
                self.name.len().cmp(&name.len())
            }
            Ordering::Equal => (*self.name).cmp(name),
            order => order,
        }
    }
}

/// Returns whether names of the same length and with the same first eight bytes are the same. The
/// last eight bytes decide that of all but long ones.
#[inline]
fn has_tail(one: &[u8], other: &[u8]) -> bool {
    match (one.len(), one.last_chunk::<8>()) {
        (..=8, _) => true,
        (9..=16, last) => last == other.last_chunk(),
        (17.., _) => one == other,
    }
}

/// A value of an item that was found and is not read yet.
#[derive(Debug, Clone, Copy)]
pub struct UnreadValue<'a>(&'a [u8]);

impl<'a> UnreadValue<'a> {
    /// The value, read in place.
    #[inline]
    pub fn view(self) -> Result<ValueView<'a>, CorruptItem> {
        Cursor(self.0).value()
    }

    /// The value if it is a text, which is found out sooner than what else it is.
    #[inline]
    pub fn text(self) -> Option<&'a [u8]> {
        match self.0 {
            [tag::STRING, rest @ ..] => Cursor(rest).bytes().ok(),
            _ => None,
        }
    }
}

impl<'a> ItemView<'a> {
    /// Calls back with the value of each attribute that has one of these names, with the position
    /// of the name. The walk ends when no name is left.
    #[inline]
    pub fn find_all(
        &self,
        names: &SortedNames,
        mut found: impl FnMut(usize, UnreadValue<'a>),
    ) -> Result<(), CorruptItem> {
        let mut walk = Walk::over(&self.attributes());
        let mut position = 0;
        while let Some(mut wanted) = names.names.get(position) {
            let Some(step) = walk.step_from(wanted.head)? else { break };
            if !wanted.is_of(&step) {
                let head = step.head();
                while wanted.compare(head, step.name) == Ordering::Less {
                    position += 1;
                    let Some(next) = names.names.get(position) else { return Ok(()) };
                    wanted = next;
                }
                if wanted.compare(head, step.name) == Ordering::Greater {
                    continue;
                }
            }
            found(position, UnreadValue(step.value));
            position += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stored::encode;
    use crate::{Item, Value};

    /// The positions that are found, and the texts there.
    fn found(names: &SortedNames, item: &Item) -> Vec<(usize, String)> {
        let stored = encode(item);
        let mut found = Vec::new();
        let view = ItemView::new(&stored).unwrap();
        view.find_all(names, |position, value| {
            let ValueView::String(text) = value.view().unwrap() else {
                panic!("{value:?} is no text")
            };
            found.push((position, String::from_utf8(text.to_vec()).unwrap()));
        })
        .unwrap();
        found
    }

    fn item<'n>(names: impl IntoIterator<Item = &'n str>) -> Item {
        names.into_iter().map(|name| (name.to_owned(), Value::from(name))).collect()
    }

    fn any_name() -> impl Strategy<Value = String> {
        prop_oneof!["[ab\0]{1,3}", "same start[ab\0]{0,9}", "[a-c]{7,9}", "é{1,5}"]
    }

    proptest! {
        #[test]
        fn every_name_finds_its_own_value(
            sought in prop::collection::vec(any_name(), 0..12),
            held in prop::collection::vec(any_name(), 0..12),
        ) {
            let names = SortedNames::new(sought.iter().map(String::as_str));
            let item = item(held.iter().map(String::as_str));
            let mut expected: Vec<(usize, String)> = item
                .keys()
                .filter_map(|name| Some((names.position(name)?, name.clone())))
                .collect();
            expected.sort();
            prop_assert_eq!(found(&names, &item), expected);
        }
    }

    #[test]
    fn a_name_that_is_given_twice_has_one_position() {
        let names = SortedNames::new(["b", "a", "b"]);
        assert_eq!((names.count(), names.position("b"), names.position("c")), (2, Some(1), None));
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let stored = encode(&item(["a", "b"]));
        let cut = &stored[..stored.len() - 1];
        let names = SortedNames::new(["b"]);
        assert!(ItemView::new(cut).unwrap().find_all(&names, |_, _| {}).is_err());
    }
}
