//! Reading the string form: `ORDER#{placed_at:time(s)}#{id:06}`.
//!
//! Literals are found first; what is between braces is split at its colons into a subject (a path
//! or a shard) and encodings, and each of those is read by itself. Every piece knows where it
//! stands in the text, so that an error points at it.

mod encoding;
mod error;
mod placeholder;
mod span;

pub use error::{SyntaxError, SyntaxErrorKind};

use super::delimiter::Delimiter;
use super::key_template::{Template, TemplateError};
use super::segment::Segment;
use span::Piece;

/// Reads a template.
pub(crate) fn parse(text: &str) -> Result<Template, SyntaxError> {
    parse_piece(Piece::whole(text))
}

fn parse_piece(piece: Piece<'_>) -> Result<Template, SyntaxError> {
    let (delimiter, mut rest) = split_delimiter(piece)?;
    let mut segments = Vec::new();
    while let Some(first) = rest.text.chars().next() {
        let (segment, after) = match first {
            '{' if !rest.text.starts_with("{{") => read_placeholder(rest)?,
            '}' if !rest.text.starts_with("}}") => {
                return Err(rest.take(1).error(SyntaxErrorKind::StrayBrace));
            }
            _ => read_literal(rest),
        };
        segments.push(segment);
        rest = after;
    }
    Template::assemble(delimiter, segments).map_err(|error| {
        piece.error(match error {
            TemplateError::Empty => SyntaxErrorKind::Empty,
            TemplateError::NotAlone { kind } => SyntaxErrorKind::NotAlone { kind },
            TemplateError::OptionalPlace => SyntaxErrorKind::OptionalPlace,
            TemplateError::NoStringForm => {
                unreachable!("assembling does not ask for the string form")
            }
        })
    })
}

/// `{!_}` at the beginning names the delimiter.
fn split_delimiter(piece: Piece<'_>) -> Result<(Delimiter, Piece<'_>), SyntaxError> {
    if !piece.text.starts_with("{!") {
        return Ok((Delimiter::default(), piece));
    }
    let named = piece.skip(2);
    let mut characters = named.text.chars();
    let (Some(character), Some('}')) = (characters.next(), characters.next()) else {
        return Err(piece.take(2).error(SyntaxErrorKind::BadDelimiter));
    };
    let delimiter = Delimiter::new(character)
        .ok_or_else(|| named.take(character.len_utf8()).error(SyntaxErrorKind::BadDelimiter))?;
    Ok((delimiter, named.skip(character.len_utf8() + 1)))
}

/// Reads up to the next brace; a doubled brace stands for one.
fn read_literal(piece: Piece<'_>) -> (Segment, Piece<'_>) {
    for (doubled, brace) in [("{{", "{"), ("}}", "}")] {
        if piece.text.starts_with(doubled) {
            return (Segment::Literal(brace.to_owned()), piece.skip(2));
        }
    }
    let end = piece.text.find(['{', '}']).unwrap_or(piece.text.len());
    (Segment::Literal(piece.take(end).text.to_owned()), piece.skip(end))
}

/// Reads from an opening brace to the closing one. Quoted templates may have braces of their own.
fn read_placeholder(piece: Piece<'_>) -> Result<(Segment, Piece<'_>), SyntaxError> {
    let inside = piece.skip(1);
    let mut quoted = false;
    for (offset, character) in inside.text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '}' if !quoted => {
                let segment = placeholder::parse(inside.take(offset))?;
                return Ok((segment, inside.skip(offset + 1)));
            }
            '{' if !quoted => {
                return Err(inside.skip(offset).take(1).error(SyntaxErrorKind::StrayBrace));
            }
            _ => {}
        }
    }
    Err(piece.error(SyntaxErrorKind::Unclosed))
}

#[cfg(test)]
mod tests;
