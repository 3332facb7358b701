//! Diagnostics for programs: one JSON document, the same members in the same order for ever.

use super::{Diagnostic, Note, Place, SourceFile, Span};
use crate::document::Tree;

/// Diagnostics as a list of JSON objects with `severity`, `code`, `message`, `file`, `path`,
/// `start` and `end` (each with `line`, `column`, `offset`), `notes` and `suggestion`. What is not
/// known is
/// `null`.
pub fn render_json(diagnostics: &[Diagnostic], file: &SourceFile) -> Tree {
    Tree::List(diagnostics.iter().map(|diagnostic| one(diagnostic, file)).collect())
}

fn one(diagnostic: &Diagnostic, file: &SourceFile) -> Tree {
    let notes = diagnostic.notes.iter().map(|remark| note(remark, file)).collect();
    object([
        ("severity", text(diagnostic.severity.name())),
        ("code", text(diagnostic.code)),
        ("message", text(&diagnostic.message)),
        ("file", text(file.name())),
        ("path", text(diagnostic.place.as_str())),
        ("start", position(diagnostic.span, file, |span| span.start)),
        ("end", position(diagnostic.span, file, |span| span.end)),
        ("notes", Tree::List(notes)),
        ("suggestion", diagnostic.suggestion.as_deref().map_or(Tree::Null, text)),
    ])
}

fn note(note: &Note, file: &SourceFile) -> Tree {
    object([
        ("message", text(&note.message)),
        ("path", note.place.as_ref().map(Place::as_str).map_or(Tree::Null, text)),
        ("start", position(note.span, file, |span| span.start)),
        ("end", position(note.span, file, |span| span.end)),
    ])
}

fn position(span: Option<Span>, file: &SourceFile, end: fn(Span) -> usize) -> Tree {
    let Some(offset) = span.map(end) else { return Tree::Null };
    let at = file.position(offset);
    object([("line", number(at.line)), ("column", number(at.column)), ("offset", number(offset))])
}

fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    Tree::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Tree {
    Tree::String(text.to_owned())
}

fn number(number: usize) -> Tree {
    Tree::Number(number.to_string())
}
