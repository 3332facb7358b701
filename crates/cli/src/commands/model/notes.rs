//! Notes of imports and exports: a line each, on standard error.

use std::io::{self, Write};

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Tree;

use super::rendering::object;

/// Prints notes for people. Those that say the same of several places are one line.
pub(super) fn print(about: &str, notes: &[Diagnostic]) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    let mut said: Vec<&str> = Vec::new();
    for note in notes {
        if said.contains(&note.message.as_str()) {
            continue;
        }
        said.push(&note.message);
        let places = notes.iter().filter(|other| other.message == note.message);
        let places: Vec<&str> = places.map(|other| other.place.as_str()).collect();
        let place = match places.as_slice() {
            [] | [""] => about.to_owned(),
            [first, rest @ ..] if rest.len() > 2 => format!("{first} and {} more", rest.len()),
            all => all.join(", "),
        };
        writeln!(stderr, "note: {place}: {}", note.message)?;
    }
    Ok(())
}

/// Notes for programs.
pub(super) fn tree(notes: &[Diagnostic]) -> Tree {
    let note = |note: &Diagnostic| {
        object([
            ("path", Tree::String(note.place.as_str().to_owned())),
            ("message", Tree::String(note.message.clone())),
        ])
    };
    Tree::List(notes.iter().map(note).collect())
}
