//! Operands: paths, values and function calls, each of which may stand in parentheses.

use super::path::{at_path, path, steps};
use super::{Cursor, Findings, Grammar};
use crate::ParseError;
use crate::ast::{ParsedCall, ParsedOperand};
use crate::lexer::TokenKind;
use crate::operation::Function;

/// A call or a pair of parentheses that is still open.
enum Open {
    Group,
    Call { name: String, operands: Vec<ParsedOperand> },
}

/// An operand that has been read, perhaps in parentheses of its own.
pub(super) struct Read {
    pub(super) operand: ParsedOperand,
    /// Whether the operand is a pair of parentheses and nothing besides.
    pub(super) grouped: bool,
}

/// Parses an operand.
pub(super) fn operand(
    cursor: &mut Cursor<'_>,
    findings: &mut Findings,
    grammar: Grammar,
) -> Result<ParsedOperand, ParseError> {
    let mut open = Vec::new();
    loop {
        let Some(first) = begin(cursor, findings, &mut open)? else { continue };
        let mut read = Read { operand: first, grouped: false };
        loop {
            if read.grouped && grammar == Grammar::Condition {
                extend(cursor, findings, &mut read)?;
            }
            match open.pop() {
                None => return Ok(read.operand),
                Some(Open::Group) => {
                    cursor.expect(TokenKind::CloseParenthesis)?;
                    read = close_group(findings, read);
                }
                Some(Open::Call { name, mut operands }) => {
                    operands.push(read.operand);
                    if cursor.accept(TokenKind::Comma) {
                        open.push(Open::Call { name, operands });
                        break;
                    }
                    cursor.expect(TokenKind::CloseParenthesis)?;
                    let operand = close_call(findings, grammar, &name, operands);
                    read = Read { operand, grouped: false };
                }
            }
        }
    }
}

/// Notes parentheses that hold nothing but parentheses.
pub(super) fn close_group(findings: &mut Findings, content: Read) -> Read {
    if content.grouped {
        findings.redundant_parentheses();
    }
    Read { operand: content.operand, grouped: true }
}

/// Adds the steps that follow a path in parentheses: `(a.b).c` is `a.b.c` in a condition.
pub(super) fn extend(
    cursor: &mut Cursor<'_>,
    findings: &mut Findings,
    read: &mut Read,
) -> Result<(), ParseError> {
    if !matches!(cursor.kind(), TokenKind::Dot | TokenKind::OpenBracket) {
        return Ok(());
    }
    let ParsedOperand::Path(path) = &mut read.operand else { return Err(cursor.unexpected()) };
    read.grouped = false;
    steps(cursor, findings, path)
}

/// Reads a path or a value, or opens a call or parentheses and returns nothing yet.
fn begin(
    cursor: &mut Cursor<'_>,
    findings: &mut Findings,
    open: &mut Vec<Open>,
) -> Result<Option<ParsedOperand>, ParseError> {
    if cursor.accept(TokenKind::OpenParenthesis) {
        open.push(Open::Group);
        return Ok(None);
    }
    let text = cursor.token_text();
    if cursor.accept(TokenKind::Value) {
        return Ok(Some(ParsedOperand::Value(text.to_owned())));
    }
    if cursor.at_free_word() && cursor.next_kind() == TokenKind::OpenParenthesis {
        cursor.advance();
        cursor.advance();
        open.push(Open::Call { name: text.to_owned(), operands: Vec::new() });
        return Ok(None);
    }
    if at_path(cursor) {
        return Ok(Some(ParsedOperand::Path(path(cursor, findings)?)));
    }
    Err(cursor.unexpected())
}

/// Builds a call. One that cannot be is noted and replaced by a call without operands: the tree
/// will never be used, and calls nest only as deep as valid expressions do.
fn close_call(
    findings: &mut Findings,
    grammar: Grammar,
    name: &str,
    operands: Vec<ParsedOperand>,
) -> ParsedOperand {
    findings.operator();
    let error = match Function::from_name(name) {
        None => ParseError::UnknownFunction { function: name.to_owned() },
        Some(function) if function.is_for_updates() != (grammar == Grammar::Update) => {
            ParseError::ForeignFunction { function }
        }
        Some(function) => {
            check_nested_calls(findings, &operands);
            return ParsedOperand::Call(ParsedCall { function, operands });
        }
    };
    findings.function(error);
    ParsedOperand::Call(ParsedCall { function: Function::Contains, operands: Vec::new() })
}

/// Notes a call whose result cannot be an operand: conditions take `size`, functions of updates
/// take
/// `if_not_exists`.
pub(super) fn check_nested_calls(findings: &mut Findings, operands: &[ParsedOperand]) {
    for operand in operands {
        if let ParsedOperand::Call(ParsedCall { function, .. }) = operand
            && !matches!(function, Function::Size | Function::IfNotExists)
        {
            findings.misplaced_function(ParseError::MisplacedFunction { function: *function });
        }
    }
}
