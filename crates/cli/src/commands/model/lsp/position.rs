//! Positions of the protocol: lines from 0, and columns in UTF-16 units.

use monotable_model::diagnostic::Span;
use serde_json::{Value, json};

/// The byte of a position. One beyond the end of its line is the end of the line.
pub(super) fn offset(text: &str, position: &Value) -> usize {
    let number = |name: &str| position.get(name).and_then(Value::as_u64).unwrap_or(0);
    let line_number = usize::try_from(number("line")).unwrap_or(usize::MAX);
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let Some(start) = starts.nth(line_number) else { return text.len() };
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
    let mut units = 0;
    for (at, character) in line.char_indices() {
        if units >= number("character") {
            return start + at;
        }
        units += character.len_utf16() as u64;
    }
    start + line.len()
}

/// The position of a byte.
pub(super) fn position(text: &str, offset: usize) -> Value {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// The range of some bytes.
pub(super) fn range(text: &str, span: Span) -> Value {
    json!({ "start": position(text, span.start), "end": position(text, span.end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf_16_units_both_ways() {
        let text = "a\n😀é = 1\r\nb";
        for (at, line, character) in [(0, 0, 0), (2, 1, 0), (6, 1, 2), (8, 1, 3), (14, 2, 0)] {
            let found = position(text, at);
            assert_eq!(found, json!({ "line": line, "character": character }));
            assert_eq!(offset(text, &found), at);
        }
        assert_eq!(offset(text, &json!({ "line": 1, "character": 99 })), 12);
        assert_eq!(offset(text, &json!({ "line": 9, "character": 0 })), text.len());
    }
}
