//! Lines that fit.

use crate::display_width::{char_width, display_width};

/// What a text may be broken after, besides spaces.
const MARKS: [char; 4] = ['#', ',', '/', '('];

/// Breaks text into lines of at most this many cells: after spaces, and after the marks that part
/// keys and lists, where there are any; in the middle of a word otherwise.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        if display_width(&line) + display_width(word.trim_end()) > width && !line.is_empty() {
            lines.push(finished(&line));
            line.clear();
        }
        for character in word.chars() {
            if display_width(&line) + char_width(character) > width && character != ' ' {
                lines.push(finished(&line));
                line.clear();
            }
            line.push(character);
        }
    }
    if !line.trim_end().is_empty() || lines.is_empty() {
        lines.push(finished(&line));
    }
    lines
}

/// The widest part of a text that is not broken if it need not be.
pub(super) fn longest_word(text: &str) -> usize {
    words(text).iter().map(|word| display_width(word.trim_end())).max().unwrap_or(0)
}

/// The parts that a text may be broken into. A mark that begins a part stays with what follows.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        let ends = character == ' ' || MARKS.contains(&character) && at > start;
        if ends {
            let end = at + character.len_utf8();
            words.extend(text.get(start..end));
            start = end;
        }
    }
    words.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    words
}

fn finished(line: &str) -> String {
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_after_spaces_and_marks() {
        assert_eq!(wrap("PK = ORDER#{OrderId}", 12), ["PK = ORDER#", "{OrderId}"]);
        assert_eq!(wrap("a b c", 80), ["a b c"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("SK = #ORDER#7", 8), ["SK =", "#ORDER#7"]);
    }

    #[test]
    fn a_long_word_is_broken_and_nothing_is_lost() {
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("注文注文", 5), ["注文", "注文"]);
    }
}
