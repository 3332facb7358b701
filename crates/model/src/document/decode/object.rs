//! Tables of a document, member by member.

use super::context::{At, Context};
use crate::diagnostic::{Diagnostic, Place, nearest};
use crate::document::node::{Content, Entry};

/// A table whose members have fixed names. Members are taken one by one; what is left at the end is
/// unknown.
pub(super) struct Object<'n> {
    what: &'static str,
    pub(super) at: At<'n>,
    entries: Vec<&'n Entry>,
    asked: Vec<&'static str>,
}

impl<'n> Object<'n> {
    /// Opens a node as a table. `what` is its name in messages, such as `a table`.
    pub(super) fn open(
        cx: &mut Context<'_>,
        at: &At<'n>,
        what: &'static str,
    ) -> Option<Object<'n>> {
        let entries = entries(cx, at, what)?;
        Some(Object { what, at: at.clone(), entries, asked: Vec::new() })
    }

    /// Takes a member. One that is `null` is not there.
    pub(super) fn take(&mut self, name: &'static str) -> Option<At<'n>> {
        self.asked.push(name);
        let position = self.entries.iter().position(|entry| entry.key == name)?;
        let entry = self.entries.swap_remove(position);
        if entry.value.content == Content::Null {
            return None;
        }
        Some(At { node: &entry.value, place: self.at.place.member(name) })
    }

    /// Takes a member and decodes it.
    pub(super) fn optional<T>(
        &mut self,
        cx: &mut Context<'_>,
        name: &'static str,
        decode: impl FnOnce(&mut Context<'_>, &At<'n>) -> Option<T>,
    ) -> Option<T> {
        decode(cx, &self.take(name)?)
    }

    /// Takes a member that must be there, and decodes it.
    pub(super) fn required<T>(
        &mut self,
        cx: &mut Context<'_>,
        name: &'static str,
        decode: impl FnOnce(&mut Context<'_>, &At<'n>) -> Option<T>,
    ) -> Option<T> {
        let Some(at) = self.take(name) else {
            let message = format!("{} needs the member {name}", self.what);
            let place = self.at.place.clone();
            cx.report(Diagnostic::error("missing-member", place, message));
            return None;
        };
        decode(cx, &at)
    }

    /// Reports the members that nobody asked for.
    pub(super) fn finish(self, cx: &mut Context<'_>) {
        let mut unknown = self.entries;
        unknown.sort_by_key(|entry| entry.key_span.start);
        for entry in unknown {
            let place = self.at.place.member(&entry.key);
            let message = format!("{} has no member {}", self.what, entry.key);
            let mut diagnostic =
                Diagnostic::error("unknown-member", place, message).with_span(entry.key_span);
            diagnostic.suggestion = Some(match nearest(&entry.key, self.asked.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("it may have {}", self.asked.join(", ")),
            });
            cx.report(diagnostic);
        }
    }
}

/// The members of a table whose names are the author's.
pub(super) fn named<'n>(
    cx: &mut Context<'_>,
    at: &At<'n>,
    what: &'static str,
) -> Vec<(&'n str, At<'n>)> {
    let entries = entries(cx, at, what).unwrap_or_default();
    let member = |entry: &'n Entry| {
        (entry.key.as_str(), At { node: &entry.value, place: at.place.member(&entry.key) })
    };
    entries.into_iter().map(member).collect()
}

/// The entries of a table, each name once.
fn entries<'n>(cx: &mut Context<'_>, at: &At<'n>, what: &str) -> Option<Vec<&'n Entry>> {
    let Content::Map(entries) = &at.node.content else {
        cx.wrong_type(at, what);
        return None;
    };
    let mut distinct: Vec<&Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match distinct.iter().find(|earlier| earlier.key == entry.key) {
            None => distinct.push(entry),
            Some(earlier) => report_duplicate(cx, &at.place, earlier, entry),
        }
    }
    Some(distinct)
}

fn report_duplicate(cx: &mut Context<'_>, place: &Place, earlier: &Entry, entry: &Entry) {
    let place = place.member(&entry.key);
    let message = format!("{} is given twice", entry.key);
    let mut diagnostic = Diagnostic::error("duplicate-member", place.clone(), message)
        .with_span(entry.key_span)
        .with_note_at(place, "it is given here first");
    if let Some(note) = diagnostic.notes.last_mut() {
        note.span = Some(earlier.key_span);
    }
    cx.report(diagnostic);
}
