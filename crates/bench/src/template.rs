//! Requests that are written once and then only get other digits.
//!
//! A body is built with a marker of eight bytes wherever an item's [`Field`] belongs, such as
//! `~S03~~~~` for the store of the fourth item. The marks are found once; from then on a request
//! for other items costs a few stores into the same bytes.

use crate::data::{Dataset, Field};

const MARKER_BYTES: usize = 8;

/// A request that can be made out for any items.
#[derive(Debug, Clone)]
pub struct Template {
    bytes: Vec<u8>,
    slots: Vec<Slot>,
    stride: u64,
}

/// Where digits belong.
#[derive(Debug, Clone, Copy)]
struct Slot {
    offset: usize,
    field: Field,
    member: u64,
}

/// The marker of a field of one of the items of a request.
pub fn marker(field: Field, member: usize) -> String {
    format!("~{}{member:02}~~~~", letter(field))
}

impl Template {
    /// Makes a template of a request with markers. Its items are the one that is asked for and
    /// those
    /// `stride` further each.
    pub fn new(request: Vec<u8>, stride: u64) -> Template {
        let windows = request.windows(MARKER_BYTES).enumerate();
        let slots = windows.filter_map(|(offset, window)| read_marker(offset, window)).collect();
        Template { bytes: request, slots, stride }
    }

    /// Makes the request out for an item.
    pub fn fill(&mut self, dataset: &Dataset, item: u64, revision: u64) -> &[u8] {
        for slot in &self.slots {
            let item = (item + slot.member * self.stride) % dataset.items();
            let number = dataset.number(slot.field, item, revision);
            let target = self.bytes.get_mut(slot.offset..slot.offset + MARKER_BYTES);
            write_digits(target.expect("slots lie within the request"), number);
        }
        &self.bytes
    }
}

fn letter(field: Field) -> char {
    match field {
        Field::Store => 'S',
        Field::Order => 'O',
        Field::Customer => 'C',
        Field::Placed => 'P',
        Field::Revision => 'R',
        Field::Expiry => 'E',
        Field::Table => 'T',
    }
}

fn read_marker(offset: usize, window: &[u8]) -> Option<Slot> {
    let text = str::from_utf8(window).ok()?.strip_prefix('~')?.strip_suffix("~~~~")?;
    let field = Field::ALL.into_iter().find(|field| text.starts_with(letter(*field)))?;
    Some(Slot { offset, field, member: text.get(1..)?.parse().ok()? })
}

fn write_digits(target: &mut [u8], mut number: u64) {
    for digit in target.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_become_the_digits_of_their_items() {
        let (first, second) = (marker(Field::Order, 0), marker(Field::Order, 1));
        let revision = marker(Field::Revision, 1);
        let text = format!("<{first}|{second}|{revision}>");
        let mut template = Template::new(text.into_bytes(), 2);
        let dataset = Dataset::new(25);
        assert_eq!(template.fill(&dataset, 3, 7), b"<00000003|00000005|00000007>");
        assert_eq!(template.fill(&dataset, 24, 80_000_000), b"<00000024|00000001|80000000>");
    }

    #[test]
    fn what_only_resembles_a_marker_is_left_alone() {
        let text = b"~X00~~~~ ~S0a~~~~ ~S00~~~ 00000000";
        let mut template = Template::new(text.to_vec(), 1);
        assert_eq!(template.fill(&Dataset::new(25), 1, 1), text);
    }
}
