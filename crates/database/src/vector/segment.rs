//! A part of the sketches of a range, contiguous in memory.

use std::mem::size_of;

use super::sketch::Form;

/// How many vectors a segment holds.
pub(super) const SEGMENT_VECTORS: usize = 1024;

/// Sketches with the keys of their entries. Values that a filter can ask for are kept as hashes,
/// called marks.
#[derive(Debug, Clone, Default)]
pub(super) struct Segment {
    codes: Vec<i8>,
    forms: Vec<Form>,
    marks: Vec<u32>,
    /// The concatenated keys, without their common prefix, and where each ends.
    keys: Vec<u8>,
    key_ends: Vec<u32>,
}

/// What is added to a segment for a vector.
pub(super) struct NewSketch<'a> {
    pub(super) codes: &'a [i8],
    pub(super) form: Form,
    pub(super) marks: &'a [u32],
    /// The key of the entry, without the common prefix of the range.
    pub(super) key: &'a [u8],
}

/// The memory that a vector takes besides its key.
pub(super) fn sketch_bytes(dimensions: usize, filters: usize) -> usize {
    dimensions + size_of::<Form>() + (filters + 1) * size_of::<u32>()
}

impl Segment {
    /// A segment with room for everything that it will hold except the keys.
    pub(super) fn with_room(dimensions: usize, filters: usize) -> Segment {
        Segment {
            codes: Vec::with_capacity(SEGMENT_VECTORS * dimensions),
            forms: Vec::with_capacity(SEGMENT_VECTORS),
            marks: Vec::with_capacity(SEGMENT_VECTORS * filters),
            keys: Vec::new(),
            key_ends: Vec::with_capacity(SEGMENT_VECTORS),
        }
    }

    pub(super) fn push(&mut self, sketch: &NewSketch<'_>) {
        self.codes.extend_from_slice(sketch.codes);
        self.forms.push(sketch.form);
        self.marks.extend_from_slice(sketch.marks);
        self.keys.extend_from_slice(sketch.key);
        self.key_ends.push(self.keys.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.len() >= SEGMENT_VECTORS
    }

    /// The sketches in the order in which they came.
    pub(super) fn sketches(&self) -> impl Iterator<Item = (&Form, &[i8])> {
        let dimensions = (self.codes.len() / self.len().max(1)).max(1);
        self.forms.iter().zip(self.codes.chunks_exact(dimensions))
    }

    /// The marks of a vector.
    pub(super) fn marks(&self, slot: usize) -> &[u32] {
        let filters = self.marks.len() / self.len().max(1);
        self.marks.get(slot * filters..(slot + 1) * filters).unwrap_or_default()
    }

    /// The rest of the key of a vector's entry.
    pub(super) fn key(&self, slot: usize) -> &[u8] {
        let end = |slot: usize| self.key_ends.get(slot).map_or(0, |end| *end as usize);
        let begin = slot.checked_sub(1).map_or(0, end);
        self.keys.get(begin..end(slot)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::Distance;
    use super::super::sketch::sketch;
    use super::*;

    #[test]
    fn what_was_pushed_is_found_by_its_place() {
        let mut segment = Segment::with_room(2, 1);
        for (number, key) in [(1.0_f32, &b"a"[..]), (2.0, b""), (3.0, b"long")] {
            let mut codes = Vec::new();
            let stored = [number.to_le_bytes(), number.to_le_bytes()].concat();
            let form = sketch(Distance::Euclidean, &stored, &mut codes);
            let marks = [number as u32];
            segment.push(&NewSketch { codes: &codes, form, marks: &marks, key });
        }
        assert_eq!((segment.len(), segment.sketches().count()), (3, 3));
        assert!(segment.sketches().all(|(_, codes)| codes == [127, 127]));
        let found = [0, 1, 2].map(|slot| (segment.marks(slot), segment.key(slot)));
        assert_eq!(found, [(&[1][..], &b"a"[..]), (&[2], b""), (&[3], b"long")]);
    }

    #[test]
    fn nothing_is_found_in_an_empty_segment() {
        let segment = Segment::default();
        assert_eq!(
            (segment.sketches().count(), segment.marks(0), segment.key(0)),
            (0, &[][..], &[][..])
        );
    }
}
