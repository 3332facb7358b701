//! Projection expressions: paths, separated by commas.

use super::path::path;
use super::{Cursor, Findings, Grammar, check_length};
use crate::ParseError;
use crate::ast::ParsedProjection;
use crate::lexer::TokenKind;

/// Parses a projection expression.
pub fn parse_projection(text: &str) -> Result<ParsedProjection, ParseError> {
    check_length(text)?;
    // Projections have no keywords: `AND` is a name here, though a reserved one.
    let mut cursor = Cursor::new(text, &[]);
    let mut findings = Findings::default();
    let mut paths = vec![path(&mut cursor, &mut findings)?];
    while cursor.accept(TokenKind::Comma) {
        paths.push(path(&mut cursor, &mut findings)?);
    }
    cursor.expect(TokenKind::End)?;
    findings.conclude(Grammar::Condition)?;
    Ok(ParsedProjection { paths })
}
