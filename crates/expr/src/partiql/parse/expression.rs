//! Operators, from the weakest binding to the strongest.

use super::super::error::{PartiqlError, SyntaxError};
use super::super::keyword;
use super::super::lexer::{Span, TokenKind};
use super::super::syntax::{BinaryOperator, Expr, ExprKind};
use super::cursor::Cursor;
use super::term::term;
use crate::operation::{Arithmetic, Comparator};

/// The types that `IS` knows, and how many may follow the first word.
const TYPES: [&str; 34] = [
    "ANY",
    "BAG",
    "BIT",
    "BLOB",
    "BOOL",
    "BOOLEAN",
    "CHAR",
    "CHARACTER",
    "CLOB",
    "DATE",
    "DEC",
    "DECIMAL",
    "DOUBLE",
    "FLOAT",
    "INT",
    "INT2",
    "INT4",
    "INT8",
    "INTEGER",
    "LIST",
    "MISSING",
    "NULL",
    "NUMERIC",
    "REAL",
    "SEXP",
    "SMALLINT",
    "STRING",
    "STRUCT",
    "SYMBOL",
    "TIME",
    "TIMESTAMP",
    "TUPLE",
    "VARCHAR",
    "BIGINT",
];

/// Parses an expression.
pub(super) fn expression(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    cursor.enter()?;
    let mut left = conjunction(cursor)?;
    while let Some(span) = operator_keyword(cursor, "OR")? {
        let right = right_side(cursor, conjunction)?;
        left = binary(BinaryOperator::Or, left, right, span);
    }
    cursor.leave();
    Ok(left)
}

fn conjunction(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let mut left = negation(cursor)?;
    while let Some(span) = operator_keyword(cursor, "AND")? {
        let right = right_side(cursor, negation)?;
        left = binary(BinaryOperator::And, left, right, span);
    }
    Ok(left)
}

fn negation(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let Some(span) = operator_keyword(cursor, "NOT")? else { return comparison(cursor) };
    cursor.enter()?;
    let negated = negation(cursor)?;
    cursor.leave();
    Ok(Expr { kind: ExprKind::Not(Box::new(negated)), span })
}

/// Parses comparisons, `IS`, `IN`, `BETWEEN` and `LIKE`, which have the same precedence.
fn comparison(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let mut left = sum(cursor)?;
    loop {
        let span = cursor.span();
        let negated = cursor.at_keyword("NOT") && followed_by_negatable(cursor);
        if negated {
            cursor.advance();
        }
        let compared = match compared(cursor, left, span)? {
            Compared::More(expr) => expr,
            Compared::Done(expr) => return Ok(expr),
        };
        left =
            if negated { Expr { kind: ExprKind::Not(Box::new(compared)), span } } else { compared };
    }
}

enum Compared {
    /// Something was compared, and the result may be compared again.
    More(Expr),
    /// There is no operator.
    Done(Expr),
}

fn compared(cursor: &mut Cursor<'_>, left: Expr, span: Span) -> Result<Compared, PartiqlError> {
    if let Some(comparator) = comparator(cursor.kind()) {
        cursor.operator()?;
        cursor.advance();
        let right = right_side(cursor, sum)?;
        return Ok(Compared::More(binary(BinaryOperator::Compare(comparator), left, right, span)));
    }
    if operator_keyword(cursor, "IS")?.is_some() {
        return is(cursor, left, span).map(Compared::More);
    }
    if operator_keyword(cursor, "IN")?.is_some() {
        let right = right_side(cursor, sum)?;
        return Ok(Compared::More(binary(BinaryOperator::In, left, right, span)));
    }
    if operator_keyword(cursor, "BETWEEN")?.is_some() {
        return between(cursor, left, span).map(Compared::More);
    }
    if operator_keyword(cursor, "LIKE")?.is_some() {
        let right = right_side(cursor, sum)?;
        let operator = BinaryOperator::Unsupported("LIKE");
        return Ok(Compared::More(binary(operator, left, right, span)));
    }
    Ok(Compared::Done(left))
}

fn is(cursor: &mut Cursor<'_>, left: Expr, span: Span) -> Result<Expr, PartiqlError> {
    let negated = cursor.accept_keyword("NOT");
    let name = cursor.token_text().to_ascii_uppercase();
    if cursor.kind() != TokenKind::Word || !TYPES.contains(&name.as_str()) {
        return Err(cursor.syntax(SyntaxError::ExpectedType));
    }
    cursor.advance();
    if !cursor.accept_keyword("PRECISION") {
        cursor.accept_keyword("VARYING");
    }
    let is = Expr { kind: ExprKind::Is(Box::new(left), name), span };
    Ok(if negated { Expr { kind: ExprKind::Not(Box::new(is)), span } } else { is })
}

fn between(cursor: &mut Cursor<'_>, left: Expr, span: Span) -> Result<Expr, PartiqlError> {
    let lower = right_side(cursor, sum)?;
    cursor.expect_keyword("AND")?;
    let upper = right_side(cursor, sum)?;
    Ok(Expr { kind: ExprKind::Between(Box::new([left, lower, upper])), span })
}

fn sum(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let mut left = term(cursor)?;
    loop {
        let span = cursor.span();
        let operator = match cursor.kind() {
            TokenKind::Plus => BinaryOperator::Arithmetic(Arithmetic::Plus),
            TokenKind::Minus => BinaryOperator::Arithmetic(Arithmetic::Minus),
            TokenKind::Star => BinaryOperator::Unsupported("*"),
            TokenKind::OtherOperator => BinaryOperator::Unsupported(match cursor.token_text() {
                "/" => "/",
                "%" => "%",
                _ => "||",
            }),
            _ => return Ok(left),
        };
        cursor.operator()?;
        cursor.advance();
        let right = right_side(cursor, term)?;
        left = binary(operator, left, right, span);
    }
}

/// Parses the operand after an operator. A missing one has a message of its own.
fn right_side(
    cursor: &mut Cursor<'_>,
    parse: fn(&mut Cursor<'_>) -> Result<Expr, PartiqlError>,
) -> Result<Expr, PartiqlError> {
    match cursor.kind() {
        TokenKind::End | TokenKind::Semicolon => Err(cursor.syntax(SyntaxError::MissingOperand)),
        _ => parse(cursor),
    }
}

fn binary(operator: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}

/// Skips an operator that is a keyword, and returns its position.
fn operator_keyword(cursor: &mut Cursor<'_>, keyword: &str) -> Result<Option<Span>, PartiqlError> {
    let span = cursor.span();
    if !cursor.at_keyword(keyword) {
        return Ok(None);
    }
    cursor.operator()?;
    cursor.advance();
    Ok(Some(span))
}

/// Returns whether the `NOT` at the cursor belongs to the operator after it.
fn followed_by_negatable(cursor: &Cursor<'_>) -> bool {
    let next = cursor.next_text();
    ["IN", "BETWEEN", "LIKE"].iter().any(|keyword| next.eq_ignore_ascii_case(keyword))
}

fn comparator(kind: TokenKind) -> Option<Comparator> {
    match kind {
        TokenKind::Equal => Some(Comparator::Equal),
        TokenKind::NotEqual => Some(Comparator::NotEqual),
        TokenKind::Less => Some(Comparator::Less),
        TokenKind::LessOrEqual => Some(Comparator::LessOrEqual),
        TokenKind::Greater => Some(Comparator::Greater),
        TokenKind::GreaterOrEqual => Some(Comparator::GreaterOrEqual),
        _ => None,
    }
}

/// Returns why the current token cannot begin a term.
pub(super) fn unexpected(cursor: &Cursor<'_>) -> PartiqlError {
    let text = cursor.token_text();
    let is_comparator = comparator(cursor.kind()).is_some()
        || matches!(cursor.kind(), TokenKind::Star | TokenKind::OtherOperator);
    cursor.syntax(match cursor.kind() {
        TokenKind::Word if keyword::is_operator(text) => SyntaxError::UnexpectedOperator,
        TokenKind::Word => SyntaxError::UnexpectedKeyword,
        _ if is_comparator => SyntaxError::UnexpectedOperator,
        _ => SyntaxError::UnexpectedTerm,
    })
}
