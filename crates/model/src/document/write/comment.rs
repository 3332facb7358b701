//! Comments of a file, and putting them back.
//!
//! A comment on lines of its own belongs to the member on the next line, a comment behind a value
//! to that value. Where the member of a comment has no line of its own any more, the comment goes
//! to what encloses it, so that none is ever lost.

use std::collections::BTreeMap;

use super::Line;
use crate::diagnostic::Place;
use crate::document::Places;
use crate::document::places::MemberSpans;

/// The comments of a document by the members that they belong to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comments {
    /// What stands at the top, before an empty line.
    top: Vec<String>,
    /// Lines before a member.
    before: BTreeMap<Place, Vec<String>>,
    /// What stands behind a member on its line.
    behind: BTreeMap<Place, String>,
    /// What stands after the last member.
    end: Vec<String>,
}

impl Comments {
    /// The comments of a TOML or YAML text whose members have these places.
    pub fn of(text: &str, places: &Places) -> Comments {
        let layout = Layout::of(places);
        let mut comments = Comments::default();
        let mut waiting: Vec<String> = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            let comment = layout.comment(text, start, end);
            match (layout.member_on_line(start, end), comment) {
                (Some(place), comment) => {
                    comments.add(place, std::mem::take(&mut waiting));
                    comments.behind.extend(comment.map(|comment| (place.clone(), comment)));
                }
                (None, Some(comment)) => waiting.push(comment),
                (None, None) if line.trim().is_empty() && comments.is_empty() => {
                    comments.top.append(&mut waiting);
                }
                (None, None) => {}
            }
            start = end;
        }
        comments.end = waiting;
        comments
    }

    fn is_empty(&self) -> bool {
        self.top.is_empty() && self.before.is_empty() && self.behind.is_empty()
    }

    fn add(&mut self, place: &Place, lines: Vec<String>) {
        if !lines.is_empty() {
            self.before.entry(place.clone()).or_default().extend(lines);
        }
    }

    /// The lines of a document with the comments in between.
    pub(super) fn merge(&self, lines: Vec<Line>) -> Vec<Line> {
        let mut moved = self.clone();
        moved.settle(&lines);
        let mut merged = Vec::new();
        let comment = |text: &String| Line { place: None, text: text.clone() };
        merged.extend(moved.top.iter().map(comment));
        if !moved.top.is_empty() {
            merged.push(Line { place: None, text: String::new() });
        }
        for mut line in lines {
            if let Some(place) = &line.place {
                let indent = line.text.len() - line.text.trim_start().len();
                let indent = line.text.get(..indent).unwrap_or_default().to_owned();
                let before = moved.before.get(place).into_iter().flatten();
                merged.extend(before.map(|text| comment(&format!("{indent}{text}"))));
                if let Some(behind) = moved.behind.get(place) {
                    line.text = format!("{} {behind}", line.text);
                }
            }
            merged.push(line);
        }
        merged.extend(moved.end.iter().map(comment));
        merged
    }

    /// Moves comments whose members have no lines to the first of what is in them, as in a list
    /// whose elements have headings, or to what encloses them.
    fn settle(&mut self, lines: &[Line]) {
        let home = |place: &Place| {
            let places = || lines.iter().filter_map(|line| line.place.as_ref());
            if !places().any(|own| own == place)
                && let Some(first) = places().find(|inner| inner.is_within(place))
            {
                return Some(first.clone());
            }
            let mut place = Some(place.clone());
            while let Some(candidate) = &place {
                if lines.iter().any(|line| line.place.as_ref() == Some(candidate)) {
                    return place;
                }
                place = candidate.parent();
            }
            None
        };
        for (place, comments) in std::mem::take(&mut self.before) {
            match home(&place) {
                Some(place) => self.before.entry(place).or_default().extend(comments),
                None => self.top.extend(comments),
            }
        }
        for (place, comment) in std::mem::take(&mut self.behind) {
            match home(&place) {
                Some(home) if home == place => {
                    self.behind.insert(place, comment);
                }
                Some(home) => self.before.entry(home).or_default().push(comment),
                None => self.top.push(comment),
            }
        }
    }
}

/// Where members begin, and where a `#` is not a comment.
struct Layout<'p> {
    begins: BTreeMap<usize, Vec<MemberSpans<'p>>>,
    /// Names and texts by their first byte. They do not overlap.
    opaque: BTreeMap<usize, usize>,
}

impl<'p> Layout<'p> {
    fn of(places: &'p Places) -> Layout<'p> {
        let mut layout = Layout { begins: BTreeMap::new(), opaque: BTreeMap::new() };
        for member in places.members() {
            if let Some(key) = member.key {
                layout.opaque.insert(key.start, key.end);
            }
            if member.is_text {
                layout.opaque.insert(member.value.start, member.value.end);
            }
            layout.begins.entry(begin(&member)).or_default().push(member);
        }
        layout
    }

    /// The member that a line is about: the last name of `[a.b]` and `a.b = 1`, but nothing that is
    /// inside the value of another member of the line.
    fn member_on_line(&self, start: usize, end: usize) -> Option<&'p Place> {
        let on_line = || self.begins.range(start..end).flat_map(|(_, members)| members);
        let is_inside = |inner: &MemberSpans<'_>| {
            on_line().any(|outer| outer.place != inner.place && encloses(outer, inner))
        };
        let outer = on_line().filter(|member| !is_inside(member));
        outer.max_by_key(|member| begin(member)).map(|member| member.place)
    }

    /// The comment on a line.
    fn comment(&self, text: &str, start: usize, end: usize) -> Option<String> {
        let line = text.get(start..end)?;
        let is_opaque = |offset: usize| {
            let before = self.opaque.range(..=offset).next_back();
            before.is_some_and(|(_, end)| offset < *end)
        };
        let found = line.match_indices('#').find(|(offset, _)| !is_opaque(start + offset));
        found
            .and_then(|(offset, _)| line.get(offset..))
            .map(|comment| comment.trim_end().to_owned())
    }
}

fn begin(member: &MemberSpans<'_>) -> usize {
    member.key.unwrap_or(member.value).start
}

/// Whether a member lies in the value of another: an element, or what follows a name.
fn encloses(outer: &MemberSpans<'_>, inner: &MemberSpans<'_>) -> bool {
    let is_written = outer.key.is_none_or(|key| outer.value.start >= key.end);
    let is_in_value = outer.value.start <= begin(inner) && begin(inner) < outer.value.end;
    is_written && is_in_value && inner.place.is_within(outer.place)
}
