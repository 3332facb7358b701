//! Document paths: `name`, `#name.member[0]`.

use super::{Cursor, Findings};
use crate::ParseError;
use crate::ast::{ParsedName, ParsedPath, ParsedStep};
use crate::lexer::TokenKind;
use crate::reserved::is_reserved;

/// The largest list index. The next one is refused.
const INDEX_MAX: u32 = u32::MAX - 1;

/// Returns whether a path can begin at the current token.
pub(super) fn at_path(cursor: &Cursor<'_>) -> bool {
    cursor.kind() == TokenKind::Name || cursor.at_free_word()
}

/// Parses a path.
pub(super) fn path(
    cursor: &mut Cursor<'_>,
    findings: &mut Findings,
) -> Result<ParsedPath, ParseError> {
    let mut path = ParsedPath { root: name(cursor, findings)?, steps: Vec::new() };
    steps(cursor, findings, &mut path)?;
    Ok(path)
}

/// Parses the steps that follow a path, if any.
pub(super) fn steps(
    cursor: &mut Cursor<'_>,
    findings: &mut Findings,
    path: &mut ParsedPath,
) -> Result<(), ParseError> {
    loop {
        if cursor.accept(TokenKind::Dot) {
            path.steps.push(ParsedStep::Member(name(cursor, findings)?));
        } else if cursor.accept(TokenKind::OpenBracket) {
            path.steps.push(ParsedStep::Index(index(cursor, findings)?));
            cursor.expect(TokenKind::CloseBracket)?;
        } else {
            return Ok(());
        }
    }
}

fn name(cursor: &mut Cursor<'_>, findings: &mut Findings) -> Result<ParsedName, ParseError> {
    if !at_path(cursor) {
        return Err(cursor.unexpected());
    }
    let text = cursor.token_text().to_owned();
    let placeholder = cursor.kind() == TokenKind::Name;
    cursor.advance();
    if placeholder {
        return Ok(ParsedName::Placeholder(text));
    }
    if is_reserved(&text) {
        findings.path(ParseError::ReservedWord { word: text.clone() });
    }
    Ok(ParsedName::Bare(text))
}

fn index(cursor: &mut Cursor<'_>, findings: &mut Findings) -> Result<u32, ParseError> {
    if cursor.kind() != TokenKind::Integer {
        return Err(cursor.unexpected());
    }
    let text = cursor.token_text();
    cursor.advance();
    match text.parse() {
        Ok(index) if index <= INDEX_MAX => Ok(index),
        Ok(_) | Err(_) => {
            findings.path(ParseError::IndexOutOfRange { index: text.to_owned() });
            Ok(0)
        }
    }
}
