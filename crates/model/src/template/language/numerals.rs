//! Numbers as texts: all of a fixed width between two, and all without padding between two.

use std::ops::RangeInclusive;

use super::automaton::{Automaton, Builder};
use super::char_set::{CharSet, next, previous};

/// How many digits a number can have.
const WIDTHS: RangeInclusive<u32> = 1..=38;

/// All texts over an alphabet, as long as `low` and `high`, from the one to the other.
pub(crate) fn fixed_between(alphabet: &CharSet, low: &str, high: &str) -> Automaton {
    debug_assert_eq!(low.chars().count(), high.chars().count());
    let length = low.chars().count();
    // Four states for each place: bound to both ends, to the low one, to the high one, to none.
    let place = |at: usize, on_low: bool, on_high: bool| {
        at * 4 + usize::from(!on_low) + 2 * usize::from(!on_high)
    };
    let mut builder = Builder::with_states((length + 1) * 4);
    for (at, (low, high)) in low.chars().zip(high.chars()).enumerate() {
        for (on_low, on_high) in [(true, true), (true, false), (false, true), (false, false)] {
            for (low_stays, high_stays) in
                [(true, true), (true, false), (false, true), (false, false)]
            {
                let follows = low_stays <= on_low && high_stays <= on_high;
                let from_low = side(low, on_low, low_stays, |c| (next(c), None));
                let to_high = side(high, on_high, high_stays, |c| (None, previous(c)));
                if let (true, Some(from_low), Some(to_high)) = (follows, from_low, to_high) {
                    let set = alphabet.intersection(&from_low).intersection(&to_high);
                    builder.edge(
                        place(at, on_low, on_high),
                        set,
                        place(at + 1, low_stays, high_stays),
                    );
                }
            }
        }
    }
    (0..4).for_each(|state| builder.accept(length * 4 + state));
    builder.finish(0)
}

/// The characters that keep a text on an end, or that leave it on the side `beyond` gives.
fn side(
    end: char,
    on_end: bool,
    stays: bool,
    beyond: impl Fn(char) -> (Option<char>, Option<char>),
) -> Option<CharSet> {
    match (on_end, stays) {
        (true, true) => Some(CharSet::from_ranges([(end, end)])),
        (false, false) => Some(CharSet::all()),
        (false, true) => None,
        (true, false) => match beyond(end) {
            (None, None) => None,
            (low, high) => {
                Some(CharSet::from_ranges([(low.unwrap_or('\0'), high.unwrap_or(char::MAX))]))
            }
        },
    }
}

/// The numbers from `low` to `high`, zero-padded. Neither may be negative or wider.
pub(crate) fn padded_between(low: i128, high: i128, width: usize) -> Automaton {
    if low > high {
        return Automaton::nothing();
    }
    let text = |number: i128| format!("{number:0>width$}");
    fixed_between(&CharSet::digits(), &text(low), &text(high))
}

/// The whole numbers from `low` to `high`, without padding.
pub(crate) fn plain_between(low: i128, high: i128) -> Automaton {
    let positive = unsigned_between(low.max(0), high);
    let negative = unsigned_between((-high).max(1), -low);
    let negative = Automaton::concat(&[Automaton::literal("-"), negative]);
    Automaton::union([positive, negative])
}

fn unsigned_between(low: i128, high: i128) -> Automaton {
    let least = |width: u32| if width == 1 { 0 } else { 10_i128.pow(width - 1) };
    let most = |width: u32| 10_i128.pow(width) - 1;
    // Of most widths all numbers are between the two. Together these are one small part, where a
    // part for each of them would make every language with a number a large one.
    let is_whole = |width: &u32| *width > 1 && low <= least(*width) && most(*width) <= high;
    let whole: Vec<u32> = WIDTHS.filter(is_whole).collect();
    let at_ends = WIDTHS
        .filter(|width| !is_whole(width))
        .map(|width| padded_between(low.max(least(width)), high.min(most(width)), width as usize));
    let between = whole.first().zip(whole.last()).map(|(first, last)| {
        let after_first =
            Automaton::repeat(&CharSet::digits(), *first as usize - 1, Some(*last as usize - 1));
        let first_digit = CharSet::from_ranges([('1', '9')]);
        Automaton::concat(&[Automaton::sequence([first_digit]), after_first])
    });
    Automaton::union(at_ends.chain(between))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn padded_numbers_are_those_between(low in 0..1000_i128, high in 0..1000_i128) {
            let automaton = padded_between(low, high, 3);
            for number in 0..1000 {
                let within = number >= low && number <= high;
                prop_assert_eq!(automaton.accepts(&format!("{number:03}")), within);
            }
        }

        #[test]
        fn plain_numbers_are_those_between(low in -150..150_i128, high in -150..150_i128) {
            let automaton = plain_between(low, high);
            for number in -160..160_i128 {
                let within = number >= low && number <= high;
                prop_assert_eq!(automaton.accepts(&number.to_string()), within, "{}", number);
            }
            prop_assert!(!automaton.accepts("-0") && !automaton.accepts("01")
                && !automaton.accepts(""));
        }

        #[test]
        fn plain_numbers_of_any_width_are_those_between(
            low in -100_000_000..100_000_000_i128,
            high in -100_000_000..100_000_000_i128,
            digits in prop::collection::vec(0..10_u8, 1..10),
        ) {
            let automaton = plain_between(low, high);
            let number = digits.iter().fold(0, |sum, digit| sum * 10 + i128::from(*digit));
            for number in [number, -number, low, low - 1, high, high + 1] {
                let within = number >= low && number <= high;
                prop_assert_eq!(automaton.accepts(&number.to_string()), within, "{}", number);
            }
        }
    }
}
