//! Statements and their clauses.

use super::super::error::{ExpectedToken, PartiqlError, Returning, SyntaxError};
use super::super::lexer::{Span, TokenKind};
use super::super::syntax::{
    ChangeExpr, ColumnExpr, Expr, ExprKind, SelectExpr, SourceExpr, StatementExpr,
};
use super::cursor::Cursor;
use super::expression::expression;
use super::term::path;

/// Parses a whole text.
pub(super) fn statement(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    let statement = clauses(cursor)?;
    cursor.accept(TokenKind::Semicolon);
    if cursor.kind() != TokenKind::End {
        return Err(cursor.syntax(SyntaxError::LeftoverToken));
    }
    Ok(statement)
}

fn clauses(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    if cursor.accept_keyword("SELECT") {
        return select(cursor).map(StatementExpr::Select);
    }
    if cursor.accept_keyword("INSERT") {
        return insert(cursor);
    }
    if cursor.accept_keyword("UPDATE") {
        return update(cursor);
    }
    if cursor.accept_keyword("DELETE") {
        return delete(cursor);
    }
    if cursor.accept_keyword("FROM") {
        return update_from_first(cursor);
    }
    if cursor.at_keyword("EXISTS") && cursor.next_kind() == TokenKind::OpenParenthesis {
        return exists(cursor);
    }
    Err(cursor.syntax(SyntaxError::ExpectedStatement))
}

fn exists(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    cursor.advance();
    cursor.advance();
    cursor.expect_keyword("SELECT")?;
    let select = select(cursor)?;
    cursor.expect(TokenKind::CloseParenthesis, ExpectedToken::CloseParenthesis)?;
    Ok(StatementExpr::Exists(select))
}

fn select(cursor: &mut Cursor<'_>) -> Result<SelectExpr, PartiqlError> {
    let columns = columns(cursor)?;
    cursor.expect_keyword("FROM")?;
    if !cursor.at_name() {
        return Err(super::expression::unexpected(cursor));
    }
    let source = aliased_source(cursor)?;
    let condition = condition(cursor)?;
    let order_span = Some(cursor.span()).filter(|_| cursor.at_keyword("ORDER"));
    let order = order(cursor)?;
    let unsupported = unsupported_clause(cursor)?;
    Ok(SelectExpr { columns, source, condition, order, order_span, unsupported })
}

/// Parses the columns; `*` yields none.
fn columns(cursor: &mut Cursor<'_>) -> Result<Option<Vec<ColumnExpr>>, PartiqlError> {
    if cursor.kind() == TokenKind::Star && cursor.next_kind() != TokenKind::Comma {
        cursor.advance();
        return Ok(None);
    }
    let mut columns = Vec::new();
    loop {
        columns.push(column(cursor)?);
        if !cursor.accept(TokenKind::Comma) {
            return Ok(Some(columns));
        }
    }
}

fn column(cursor: &mut Cursor<'_>) -> Result<ColumnExpr, PartiqlError> {
    let span = cursor.span();
    if cursor.accept(TokenKind::Star) {
        return Ok(ColumnExpr { expr: Expr { kind: ExprKind::Star, span }, alias: None });
    }
    let expr = expression(cursor)?;
    Ok(ColumnExpr { expr, alias: alias(cursor)? })
}

/// Parses a clause that DynamoDB does not support, so that it can be reported by name.
fn unsupported_clause(
    cursor: &mut Cursor<'_>,
) -> Result<Option<(&'static str, Span)>, PartiqlError> {
    let span = cursor.span();
    let clauses = ["LIMIT", "OFFSET", "GROUP", "HAVING"];
    let found = clauses.into_iter().find(|clause| cursor.accept_keyword(clause));
    if found.is_some() {
        cursor.accept_keyword("BY");
        expression(cursor)?;
    }
    Ok(found.map(|clause| (clause, span)))
}

fn order(cursor: &mut Cursor<'_>) -> Result<Vec<(Expr, bool)>, PartiqlError> {
    let mut order = Vec::new();
    if !cursor.accept_keyword("ORDER") {
        return Ok(order);
    }
    cursor.expect_keyword("BY")?;
    loop {
        let key = expression(cursor)?;
        let descends = cursor.accept_keyword("DESC");
        if !descends {
            cursor.accept_keyword("ASC");
        }
        order.push((key, descends));
        if !cursor.accept(TokenKind::Comma) {
            return Ok(order);
        }
    }
}

fn insert(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    cursor.expect_keyword("INTO")?;
    let source = source(cursor)?;
    if !cursor.accept_keyword("VALUE") {
        return Err(cursor.syntax(if cursor.at_name() {
            SyntaxError::LeftoverToken
        } else {
            SyntaxError::Expected(ExpectedToken::Keyword("VALUE"))
        }));
    }
    let value = expression(cursor)?;
    Ok(StatementExpr::Insert { source, value, returning: returning(cursor)? })
}

fn update(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    let source = aliased_source(cursor)?;
    let changes = changes(cursor)?;
    let condition = condition(cursor)?;
    Ok(StatementExpr::Update { source, changes, condition, returning: returning(cursor)? })
}

/// `FROM table WHERE … SET …`
fn update_from_first(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    let source = aliased_source(cursor)?;
    let condition = condition(cursor)?;
    let changes = changes(cursor)?;
    Ok(StatementExpr::Update { source, changes, condition, returning: returning(cursor)? })
}

fn delete(cursor: &mut Cursor<'_>) -> Result<StatementExpr, PartiqlError> {
    cursor.expect_keyword("FROM")?;
    let source = aliased_source(cursor)?;
    let condition = condition(cursor)?;
    Ok(StatementExpr::Delete { source, condition, returning: returning(cursor)? })
}

/// Parses `SET` and `REMOVE` clauses, in any order and number.
fn changes(cursor: &mut Cursor<'_>) -> Result<Vec<ChangeExpr>, PartiqlError> {
    let mut changes = Vec::new();
    loop {
        if cursor.accept_keyword("SET") {
            separated(cursor, &mut changes, set)?;
        } else if cursor.accept_keyword("REMOVE") {
            separated(cursor, &mut changes, |cursor| path_expr(cursor).map(ChangeExpr::Remove))?;
        } else if changes.is_empty() {
            return Err(cursor.syntax(SyntaxError::ExpectedStatement));
        } else {
            return Ok(changes);
        }
    }
}

fn separated(
    cursor: &mut Cursor<'_>,
    changes: &mut Vec<ChangeExpr>,
    parse: fn(&mut Cursor<'_>) -> Result<ChangeExpr, PartiqlError>,
) -> Result<(), PartiqlError> {
    loop {
        changes.push(parse(cursor)?);
        if !cursor.accept(TokenKind::Comma) {
            return Ok(());
        }
    }
}

fn set(cursor: &mut Cursor<'_>) -> Result<ChangeExpr, PartiqlError> {
    let target = path_expr(cursor)?;
    cursor.expect(TokenKind::Equal, ExpectedToken::Equal)?;
    Ok(ChangeExpr::Set(target, expression(cursor)?))
}

fn path_expr(cursor: &mut Cursor<'_>) -> Result<Expr, PartiqlError> {
    let span = cursor.span();
    Ok(Expr { kind: ExprKind::Path(path(cursor)?), span })
}

fn condition(cursor: &mut Cursor<'_>) -> Result<Option<Expr>, PartiqlError> {
    if !cursor.accept_keyword("WHERE") {
        return Ok(None);
    }
    expression(cursor).map(Some)
}

fn returning(cursor: &mut Cursor<'_>) -> Result<Option<(Returning, Span)>, PartiqlError> {
    let span = cursor.span();
    if !cursor.accept_keyword("RETURNING") {
        return Ok(None);
    }
    let all = cursor.accept_keyword("ALL");
    if !all {
        cursor.expect_keyword("MODIFIED")?;
    }
    let old = cursor.accept_keyword("OLD");
    if !old {
        cursor.expect_keyword("NEW")?;
    }
    cursor.expect(TokenKind::Star, ExpectedToken::Star)?;
    let returning = match (all, old) {
        (true, true) => Returning::AllOld,
        (true, false) => Returning::AllNew,
        (false, true) => Returning::ModifiedOld,
        (false, false) => Returning::ModifiedNew,
    };
    Ok(Some((returning, span)))
}

/// The table, and perhaps the index, of a statement.
fn source(cursor: &mut Cursor<'_>) -> Result<SourceExpr, PartiqlError> {
    let span = cursor.span();
    let mut names = Vec::new();
    loop {
        let error =
            if names.is_empty() { SyntaxError::ExpectedTable } else { SyntaxError::PathComponent };
        names.push(cursor.name().ok_or_else(|| cursor.syntax(error))?);
        if !cursor.accept(TokenKind::Dot) {
            return Ok(SourceExpr { names, span, alias: None });
        }
    }
}

fn aliased_source(cursor: &mut Cursor<'_>) -> Result<SourceExpr, PartiqlError> {
    let source = source(cursor)?;
    Ok(SourceExpr { alias: alias(cursor)?, ..source })
}

/// Returns the position of an alias, if there is one.
fn alias(cursor: &mut Cursor<'_>) -> Result<Option<Span>, PartiqlError> {
    let has_as = cursor.accept_keyword("AS");
    let span = cursor.span();
    match cursor.name() {
        Some(_) => Ok(Some(span)),
        None if has_as => Err(cursor.syntax(SyntaxError::PathComponent)),
        None => Ok(None),
    }
}
