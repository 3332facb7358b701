//! Where the members of a model stand in its file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::node::{Content, Node};
use crate::diagnostic::{Diagnostic, Place, Span};

/// The bytes of every member of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    members: BTreeMap<Place, Spans>,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Spans {
    key: Option<Span>,
    value: Span,
    is_map: bool,
    is_text: bool,
}

/// The bytes of one member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberSpans<'p> {
    /// The member.
    pub place: &'p Place,
    /// Its name, if it has one.
    pub key: Option<Span>,
    /// Its value, quotes included. A table of TOML that has a header is its header.
    pub value: Span,
    /// Whether the value is text, in which nothing is what it looks like.
    pub is_text: bool,
}

impl Places {
    /// The places of all members below a node that was read from a text.
    pub(crate) fn of(root: &Node, text: &str) -> Places {
        let mut places = Places { members: BTreeMap::new(), text: text.to_owned() };
        places.add(&Place::root(), None, root);
        places
    }

    fn add(&mut self, place: &Place, key: Option<Span>, node: &Node) {
        let is_map = matches!(node.content, Content::Map(_));
        let is_text = matches!(node.content, Content::String(_));
        self.members.insert(place.clone(), Spans { key, value: node.span, is_map, is_text });
        match &node.content {
            Content::Map(entries) => {
                for entry in entries {
                    self.add(&place.member(&entry.key), Some(entry.key_span), &entry.value);
                }
            }
            Content::List(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    self.add(&place.index(index), None, node);
                }
            }
            Content::Null | Content::Bool(_) | Content::Number(_) | Content::String(_) => {}
        }
    }

    /// What to underline for a place: a value, or the name of a table. A member that is not in the
    /// file is shown by what encloses it; the document itself has no span.
    pub fn span(&self, place: &Place) -> Option<Span> {
        let mut place = place.clone();
        loop {
            if place == Place::root() {
                return None;
            }
            if let Some(spans) = self.members.get(&place) {
                return Some(spans.key.filter(|_| spans.is_map).unwrap_or(spans.value));
            }
            place = place.parent()?;
        }
    }

    /// The bytes of a part of a text, such as one segment of a template. A text with escapes in it
    /// is shown as a whole.
    pub fn span_within(&self, place: &Place, part: &Range<usize>) -> Option<Span> {
        let value = self.members.get(place)?.value;
        Some(within(&self.text, value, part))
    }

    /// Every member but the document itself, with the bytes of its name and value.
    pub fn members(&self) -> impl Iterator<Item = MemberSpans<'_>> {
        let members = self.members.iter().filter(|(place, _)| **place != Place::root());
        members.map(|(place, spans)| MemberSpans {
            place,
            key: spans.key,
            value: spans.value,
            is_text: spans.is_text,
        })
    }

    /// The innermost member whose name or value holds a byte, or ends at it.
    pub fn at(&self, offset: usize) -> Option<MemberSpans<'_>> {
        let holds = |span: &Span| span.start <= offset && offset <= span.end;
        let width = |member: &MemberSpans<'_>| {
            let spans = [member.key, Some(member.value)].into_iter().flatten().filter(holds);
            spans.map(|span| span.end - span.start).min()
        };
        let holding = self.members().filter_map(|member| Some((width(&member)?, member)));
        // Of a table and its last member, which may have one header, the longer path is meant.
        let innermost = holding
            .min_by_key(|(width, member)| (*width, std::cmp::Reverse(member.place.as_str().len())));
        innermost.map(|(_, member)| member)
    }

    /// Gives every diagnostic and note that has a place but no span its span.
    pub fn locate(&self, diagnostics: &mut [Diagnostic]) {
        for diagnostic in diagnostics {
            let part = diagnostic.part.as_ref();
            let within = part.and_then(|part| self.span_within(&diagnostic.place, part));
            let found = within.or_else(|| self.span(&diagnostic.place));
            diagnostic.span = diagnostic.span.or(found);
            for note in &mut diagnostic.notes {
                if note.span.is_none() {
                    note.span = note.place.as_ref().and_then(|place| self.span(place));
                }
            }
        }
    }
}

/// The bytes of a part of the text that stands at a span, quotes included.
pub(crate) fn within(text: &str, value: Span, part: &Range<usize>) -> Span {
    let written = text.get(value.start..value.end).unwrap_or_default();
    if written.contains('\\') || written.contains("''") && !written.starts_with("'''") {
        return value;
    }
    let quotes = ["\"\"\"\n", "'''\n", "\"\"\"", "'''", "\"", "'"];
    let opening = quotes.iter().find(|quote| written.starts_with(**quote));
    let start = value.start + opening.map_or(0, |quote| quote.len());
    let found = Span::new(start + part.start, start + part.end.max(part.start + 1));
    if found.end <= value.end { found } else { value }
}
