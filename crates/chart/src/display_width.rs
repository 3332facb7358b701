//! How wide text is where every character has a cell.

/// Characters that take two cells, by their first and last: East Asian scripts, full-width forms,
/// pictures.
const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115f),
    (0x2e80, 0x303e),
    (0x3041, 0xa4cf),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x1f900, 0x1f9ff),
    (0x20000, 0x3fffd),
];

/// Characters that take none: marks on the one before, and joiners.
const NARROW: &[(u32, u32)] =
    &[(0x0300, 0x036f), (0x200b, 0x200f), (0x20d0, 0x20ff), (0xfe00, 0xfe0f), (0xfeff, 0xfeff)];

/// The cells of a character.
pub fn char_width(character: char) -> usize {
    let code = u32::from(character);
    let is_in =
        |ranges: &[(u32, u32)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&code));
    match code {
        0x20..0x300 => 1,
        _ if is_in(WIDE) => 2,
        _ if is_in(NARROW) => 0,
        _ => 1,
    }
}

/// The cells of a text.
pub fn display_width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Text without characters that would move the cursor, break the line or turn the direction of
/// writing: a terminal must show what is stored, and do nothing else.
pub fn printable(text: &str) -> String {
    let shown = |character: char| match character {
        '\n' => '↵',
        '\t' => '⇥',
        _ if is_unseen(character) => '\u{fffd}',
        _ => character,
    };
    text.chars().map(shown).collect()
}

/// Returns whether a character is for control, or turns the direction of what follows.
pub(super) fn is_unseen(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_none = matches!(character, '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}');
    character.is_control() || turns || is_none
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_cells_and_marks_none() {
        assert_eq!(display_width("ORDER#"), 6);
        assert_eq!(display_width("注文"), 4);
        assert_eq!(display_width("e\u{301}"), 1);
        assert_eq!(display_width("─│…"), 3);
    }

    #[test]
    fn nothing_that_controls_a_terminal_is_left() {
        assert_eq!(printable("a\x1b[31mb\nc\td\u{202e}"), "a\u{fffd}[31mb↵c⇥d\u{fffd}");
    }
}
