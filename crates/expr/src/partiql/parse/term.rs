//! Terms: literals, paths, parameters, calls and expressions in parentheses.

use super::super::error::{ExpectedToken, PartiqlError, SyntaxError};
use super::super::keyword;
use super::super::lexer::{Span, TokenKind};
use super::super::syntax::{Expr, ExprKind, PathExpr, StepExpr};
use super::cursor::Cursor;
use super::expression::{expression, unexpected};

/// Parses a term.
pub(super) fn term(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let span = cursor.span();
    match cursor.kind() {
        TokenKind::Plus | TokenKind::Minus => signed(cursor),
        TokenKind::OpenParenthesis => group(cursor, span),
        TokenKind::OpenBracket => {
            cursor.advance();
            let (end, expected) = (TokenKind::CloseBracket, ExpectedToken::CloseBracket);
            Ok(Expr { kind: ExprKind::List(elements(cursor, end, expected)?), span })
        }
        TokenKind::OpenBag => {
            cursor.advance();
            let (end, expected) = (TokenKind::CloseBag, ExpectedToken::CloseBag);
            Ok(Expr { kind: ExprKind::Bag(elements(cursor, end, expected)?), span })
        }
        TokenKind::OpenBrace => structure(cursor, span),
        TokenKind::Word | TokenKind::QuotedName => word(cursor, span),
        _ => scalar(cursor, span),
    }
}

fn scalar(cursor: &mut Cursor<'_>, span: Span) -> Result<Expr, PartiqlError> {
    let kind = match cursor.kind() {
        TokenKind::Text => ExprKind::Text(cursor.unquoted()),
        TokenKind::Number => ExprKind::Number(cursor.token_text().to_owned()),
        TokenKind::Parameter => ExprKind::Parameter(cursor.parameter()),
        _ => return Err(unexpected(cursor)),
    };
    cursor.advance();
    Ok(Expr { kind, span })
}

/// Parses any number of signs, and the number that they belong to.
fn signed(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let mut is_negative = false;
    loop {
        match cursor.kind() {
            TokenKind::Minus => is_negative = !is_negative,
            TokenKind::Plus => {}
            _ => break,
        }
        cursor.advance();
    }
    let span = cursor.span();
    if cursor.kind() == TokenKind::End {
        return Err(unexpected(cursor));
    }
    if cursor.kind() != TokenKind::Number {
        return Err(cursor.syntax(SyntaxError::UnexpectedOperator));
    }
    let sign = if is_negative { "-" } else { "" };
    let number = format!("{sign}{}", cursor.token_text());
    cursor.advance();
    Ok(Expr { kind: ExprKind::Number(number), span })
}

/// Parses what is in parentheses: one expression is itself, several are a list.
fn group(cursor: &mut Cursor<'_>, span: Span) -> Result<Expr, PartiqlError> {
    cursor.advance();
    let (end, expected) = (TokenKind::CloseParenthesis, ExpectedToken::CloseParenthesis);
    if cursor.kind() == end {
        return Err(unexpected(cursor));
    }
    let mut inside = elements(cursor, end, expected)?;
    match (inside.pop(), inside.is_empty()) {
        (Some(only), true) => Ok(only),
        (last, _) => {
            inside.extend(last);
            Ok(Expr { kind: ExprKind::List(inside), span })
        }
    }
}

/// Parses expressions separated by commas, up to a closing token.
fn elements(
    cursor: &mut Cursor<'_>,
    end: TokenKind,
    expected: ExpectedToken,
) -> Result<Vec<Expr>, PartiqlError> {
    let mut elements = Vec::new();
    if cursor.accept(end) {
        return Ok(elements);
    }
    loop {
        elements.push(element(cursor)?);
        if !cursor.accept(TokenKind::Comma) {
            cursor.expect(end, expected)?;
            return Ok(elements);
        }
    }
}

fn element(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let span = cursor.span();
    // `COUNT(*)` is valid syntax, and is refused later for what it means.
    if cursor.kind() == TokenKind::Star && cursor.next_kind() == TokenKind::CloseParenthesis {
        cursor.advance();
        return Ok(Expr { kind: ExprKind::Star, span });
    }
    expression(cursor)
}

fn structure(cursor: &mut Cursor<'_>, span: Span) -> Result<Expr, PartiqlError> {
    cursor.advance();
    let mut members = Vec::new();
    if cursor.accept(TokenKind::CloseBrace) {
        return Ok(Expr { kind: ExprKind::Struct(members), span });
    }
    loop {
        let name = expression(cursor)?;
        cursor.expect(TokenKind::Colon, ExpectedToken::Colon)?;
        members.push((name, expression(cursor)?));
        if !cursor.accept(TokenKind::Comma) {
            cursor.expect(TokenKind::CloseBrace, ExpectedToken::CloseBrace)?;
            return Ok(Expr { kind: ExprKind::Struct(members), span });
        }
    }
}

/// Parses a path, a call, or one of the words that are values.
fn word(cursor: &mut Cursor<'_>, span: Span) -> Result<Expr, PartiqlError> {
    let text = cursor.token_text();
    let is_bare = cursor.kind() == TokenKind::Word;
    let is_callable = !keyword::is_keyword(text) || keyword::is_function(text);
    if is_bare && is_callable && cursor.next_kind() == TokenKind::OpenParenthesis {
        cursor.advance();
        cursor.advance();
        let name = text.to_ascii_lowercase();
        let (end, expected) = (TokenKind::CloseParenthesis, ExpectedToken::CloseParenthesis);
        let arguments = elements(cursor, end, expected)?;
        return Ok(Expr { kind: ExprKind::Call { name, arguments }, span });
    }
    let values = [
        ("true", ExprKind::Bool(true)),
        ("false", ExprKind::Bool(false)),
        ("null", ExprKind::Null),
        ("missing", ExprKind::Missing),
    ];
    let value = values.into_iter().find(|(word, _)| is_bare && text.eq_ignore_ascii_case(word));
    if let Some((_, kind)) = value {
        cursor.advance();
        return Ok(Expr { kind, span });
    }
    Ok(Expr { kind: ExprKind::Path(path(cursor)?), span })
}

/// Parses a path.
pub(super) fn path(cursor: &mut Cursor<'_>) -> Result<PathExpr, PartiqlError> {
    let Some(root) = cursor.name() else { return Err(unexpected(cursor)) };
    let mut path = PathExpr { root, steps: Vec::new() };
    loop {
        if cursor.accept(TokenKind::Dot) {
            let name = cursor.name();
            let name = name.ok_or_else(|| cursor.syntax(SyntaxError::PathComponent))?;
            path.steps.push(StepExpr::Member(name));
        } else if cursor.accept(TokenKind::OpenBracket) {
            path.steps.push(subscript(cursor)?);
            cursor.expect(TokenKind::CloseBracket, ExpectedToken::CloseBracket)?;
        } else {
            return Ok(path);
        }
    }
}

/// Parses what is between brackets in a path: a number, or the name of a member as a string.
fn subscript(cursor: &mut Cursor<'_>) -> Result<StepExpr, PartiqlError> {
    if cursor.kind() == TokenKind::Text {
        let name = cursor.unquoted();
        cursor.advance();
        return Ok(StepExpr::Member(name));
    }
    cursor.enter()?;
    let index = term(cursor)?;
    cursor.leave();
    match index.kind {
        ExprKind::Number(number) => Ok(StepExpr::Index(number, index.span)),
        _ => Err(cursor.syntax(SyntaxError::PathComponent)),
    }
}
