//! From the ends of a range of parts to one of DynamoDB's key conditions.
//!
//! `BETWEEN` includes both its ends, and a key condition is one comparison, so ends that are left
//! out and ends that are open are replaced by texts next to them.

use monotable_expr::KeyComparison;
use monotable_item::Value;

/// An end of a range, as the beginning of the keys that lie at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Open,
    Included(String),
    Excluded(String),
}

/// Keys that begin with `prefix`, and whose next part lies between two ends.
pub(super) struct KeyRange<'a> {
    pub(super) prefix: &'a str,
    pub(super) lower: End,
    pub(super) upper: End,
    /// The literal after the part; `Some("")` if something else follows, `None` if nothing does.
    pub(super) follow: Option<&'a str>,
    /// Whether all texts of the part have the same width.
    pub(super) fixed_width: bool,
}

/// The first or the last key of a range: at a text, or just beside it.
#[derive(Debug, PartialEq, Eq)]
enum Limit {
    At(String),
    Beside(String),
}

impl KeyRange<'_> {
    /// The one comparison, if there is one that is exact.
    pub(super) fn condition(&self) -> Option<KeyComparison> {
        let text = Value::String;
        match (self.lower_limit(), self.upper_limit(), self.prefix) {
            (Some(Limit::At(lower)), None, "") => Some(KeyComparison::GreaterOrEqual(text(lower))),
            (Some(Limit::Beside(lower)), None, "") => Some(KeyComparison::Greater(text(lower))),
            (None, Some(Limit::At(upper)), "") => Some(KeyComparison::LessOrEqual(text(upper))),
            (None, Some(Limit::Beside(upper)), "") => Some(KeyComparison::Less(text(upper))),
            (lower, upper, _) => {
                let (lower, upper) = (self.included_lower(lower), self.included_upper(upper)?);
                (lower <= upper).then(|| KeyComparison::Between(text(lower), text(upper)))
            }
        }
    }

    /// Whether the first end lies after the second.
    pub(super) fn is_reversed(&self) -> bool {
        match (&self.lower, &self.upper) {
            (End::Open, _) | (_, End::Open) => false,
            (
                End::Included(lower) | End::Excluded(lower),
                End::Included(upper) | End::Excluded(upper),
            ) => lower > upper,
        }
    }

    /// Keys at an excluded end go on after it, so the first one kept lies after all of those.
    fn lower_limit(&self) -> Option<Limit> {
        match (&self.lower, self.follow) {
            (End::Open, _) => None,
            (End::Included(text), _) => Some(Limit::At(text.clone())),
            (End::Excluded(text), None) => Some(Limit::Beside(text.clone())),
            (End::Excluded(text), Some(follow)) => {
                Some(Limit::At(after_all(&(text.clone() + follow))))
            }
        }
    }

    fn upper_limit(&self) -> Option<Limit> {
        match (&self.upper, self.follow) {
            (End::Open, _) => None,
            (End::Included(text), None) => Some(Limit::At(text.clone())),
            (End::Included(text), Some(follow)) => {
                Some(Limit::Beside(after_all(&(text.clone() + follow))))
            }
            (End::Excluded(text), _) => Some(Limit::Beside(text.clone())),
        }
    }

    fn included_lower(&self, limit: Option<Limit>) -> String {
        match limit {
            None => self.prefix.to_owned(),
            Some(Limit::At(text)) => text,
            // No text lies between another and the same with the least character behind it.
            Some(Limit::Beside(text)) => text + "\0",
        }
    }

    /// A text at which no key can lie does as well included as excluded. Where a key can, its last
    /// character is lowered, and the greatest one follows: no text of the same width is between.
    fn included_upper(&self, limit: Option<Limit>) -> Option<String> {
        match limit {
            None => Some(after_all(self.prefix)),
            Some(Limit::At(text)) => Some(text),
            Some(Limit::Beside(text)) if self.follow.is_some() => Some(text),
            Some(Limit::Beside(text)) => self.fixed_width.then(|| before(&text)).flatten(),
        }
    }
}

/// The least text that is greater than all that begin with this one: `ORDER#` gives `ORDER$`.
pub fn after_all(text: &str) -> String {
    let mut kept = text.to_owned();
    while let Some(last) = kept.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            kept.push(next);
            return kept;
        }
    }
    // Only a text of nothing but the greatest character gets here: nothing is greater but longer.
    format!("{text}{}", char::MAX)
}

/// A text that is greater than all of the same width that are less than this one, and less than it.
pub fn before(text: &str) -> Option<String> {
    let mut kept = text.to_owned();
    let last = kept.pop()?;
    let previous = ('\0'..last).next_back()?;
    kept.extend([previous, char::MAX]);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_after_all_with_a_beginning_has_its_last_character_raised() {
        assert_eq!(after_all("ORDER#"), "ORDER$");
        assert_eq!(after_all("a\u{d7ff}"), "a\u{e000}");
        assert_eq!(after_all("a\u{10ffff}"), "b");
    }

    #[test]
    fn the_text_before_another_of_the_same_width_has_its_last_character_lowered() {
        assert_eq!(before("123").as_deref(), Some("122\u{10ffff}"));
        assert_eq!(before("\0"), None);
    }
}
