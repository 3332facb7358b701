//! Where the bytes of one text stand in another, which differs from it in one piece.

use monotable_model::diagnostic::Span;

/// The piece in which a text differs from an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shift {
    /// How many bytes at the beginning are the same.
    before: usize,
    /// How many bytes the piece has in the earlier text.
    earlier: usize,
    /// How many bytes the piece has in the text.
    present: usize,
}

impl Shift {
    /// What differs between two texts.
    pub(super) fn between(earlier: &str, present: &str) -> Shift {
        let (one, other) = (earlier.as_bytes(), present.as_bytes());
        let before = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let room = one.len().min(other.len()) - before;
        let pairs = one.iter().rev().zip(other.iter().rev()).take(room);
        let after = pairs.take_while(|(one, other)| one == other).count();
        Shift { before, earlier: one.len() - before - after, present: other.len() - before - after }
    }

    /// Where a byte of the text stands in the earlier one; nothing inside of the piece.
    pub(super) fn to_earlier(self, offset: usize) -> Option<usize> {
        moved(offset, self.before, self.present, self.earlier)
    }

    /// Where bytes of the earlier text stand in this one; nothing if the piece cuts them.
    pub(super) fn to_present(self, span: Span) -> Option<Span> {
        let moved = |offset| moved(offset, self.before, self.earlier, self.present);
        let is_beside = span.end <= self.before || span.start >= self.before + self.earlier;
        is_beside.then_some(())?;
        // An empty piece touches what ends and what begins there, and belongs to neither.
        if span.end <= self.before {
            return Some(span);
        }
        Some(Span::new(moved(span.start)?, moved(span.end)?))
    }
}

fn moved(offset: usize, before: usize, from: usize, to: usize) -> Option<usize> {
    if offset <= before {
        return Some(offset);
    }
    let behind = offset.checked_sub(before + from)?;
    Some(before + to + behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_and_behind_the_change_is_found_again() {
        let shift = Shift::between("one two three", "one 2 three");
        assert_eq!([3, 4, 5, 6, 10].map(|at| shift.to_earlier(at)), [3, 4, 7, 8, 12].map(Some));
        let spans = [(0, 3), (8, 13), (3, 8), (4, 5)].map(|(start, end)| Span::new(start, end));
        let moved = [Some(Span::new(0, 3)), Some(Span::new(6, 11)), None, None];
        assert_eq!(spans.map(|span| shift.to_present(span)), moved);
        let longer = Shift::between("one two three", "one twenty-two three");
        assert_eq!([7, 10].map(|at| longer.to_earlier(at)), [None, None]);
    }

    #[test]
    fn a_repeated_letter_is_not_counted_twice() {
        let shift = Shift::between("aaa", "aaaaa");
        assert_eq!(shift, Shift { before: 3, earlier: 0, present: 2 });
        assert_eq!(shift.to_present(Span::new(1, 3)), Some(Span::new(1, 3)));
        let same = Shift::between("é", "é");
        assert_eq!((same.to_earlier(2), same.to_earlier(0)), (Some(2), Some(0)));
    }
}
