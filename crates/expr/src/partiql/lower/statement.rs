//! Statements.

use std::collections::BTreeSet;

use super::super::columns::Columns;
use super::super::error::{PartiqlError, PartiqlErrorKind, Returning};
use super::super::lexer::Span;
use super::super::parse::Parsed;
use super::super::statement::{Attribute, Body, OrderKey, Select, Statement};
use super::super::syntax::{ColumnExpr, Expr, ExprKind, SelectExpr, SourceExpr, StatementExpr};
use super::Lowering;
use super::value::ValuePath;
use crate::ast::ParsedCondition;

/// Turns a parsed text into a statement.
pub(in super::super) fn lower(text: &str, parsed: &Parsed) -> Result<Statement, PartiqlError> {
    let mut lowering = Lowering { text, literals: Vec::new() };
    let source = parsed.statement.source();
    if let Some(span) = source.alias {
        return Err(lowering.error(PartiqlErrorKind::Alias, span));
    }
    let (table, index) = lowering.names(source)?;
    let (body, returning) = lowering.body(&parsed.statement, index.is_some())?;
    Ok(Statement {
        body,
        table,
        index,
        returning,
        literals: lowering.literals,
        parameter_count: parsed.parameter_count,
    })
}

impl StatementExpr {
    fn source(&self) -> &SourceExpr {
        match self {
            StatementExpr::Select(select) | StatementExpr::Exists(select) => &select.source,
            StatementExpr::Insert { source, .. }
            | StatementExpr::Update { source, .. }
            | StatementExpr::Delete { source, .. } => source,
        }
    }
}

impl Lowering<'_> {
    /// The names of the table and the index.
    fn names(&self, source: &SourceExpr) -> Result<(String, Option<String>), PartiqlError> {
        if source.names.iter().any(String::is_empty) {
            return Err(self.error(PartiqlErrorKind::EmptySource, source.span));
        }
        match source.names.as_slice() {
            [table] => Ok((table.clone(), None)),
            [table, index] => Ok((table.clone(), Some(index.clone()))),
            _ => Err(self.error(PartiqlErrorKind::SourceTooLong, source.span)),
        }
    }

    fn body(
        &mut self,
        statement: &StatementExpr,
        has_index: bool,
    ) -> Result<(Body, Option<Returning>), PartiqlError> {
        let span = statement.source().span;
        match statement {
            StatementExpr::Select(select) => Ok((Body::Select(self.select(select)?), None)),
            StatementExpr::Exists(select) => Ok((Body::Exists(self.select(select)?), None)),
            StatementExpr::Insert { value, returning, .. } => {
                if has_index {
                    return Err(self.error(PartiqlErrorKind::IndexNotInsertable, span));
                }
                if let Some((_, span)) = returning {
                    return Err(self.error(PartiqlErrorKind::ReturningInsert, *span));
                }
                Ok((Body::Insert(self.item(value)?), None))
            }
            StatementExpr::Update { changes, condition, returning, .. } => {
                self.check_writable(has_index, span)?;
                let (update, sets) = self.update(changes)?;
                let condition = self.where_clause(condition.as_ref())?;
                let returning = returning.map(|(returning, _)| returning);
                Ok((Body::Update { update, sets, condition }, returning))
            }
            StatementExpr::Delete { condition, returning, .. } => {
                self.check_writable(has_index, span)?;
                let condition = self.where_clause(condition.as_ref())?;
                Ok((Body::Delete { condition }, self.returning_of_delete(*returning)?))
            }
        }
    }

    fn check_writable(&self, has_index: bool, span: Span) -> Result<(), PartiqlError> {
        if has_index { Err(self.error(PartiqlErrorKind::IndexNotWritable, span)) } else { Ok(()) }
    }

    /// A `DELETE` can only return the item that it deletes.
    fn returning_of_delete(
        &self,
        returning: Option<(Returning, Span)>,
    ) -> Result<Option<Returning>, PartiqlError> {
        match returning {
            None => Ok(None),
            Some((Returning::AllOld, _)) => Ok(Some(Returning::AllOld)),
            Some((returning, span)) => {
                Err(self.error(PartiqlErrorKind::Returning { returning }, span))
            }
        }
    }

    fn where_clause(
        &mut self,
        condition: Option<&Expr>,
    ) -> Result<Option<ParsedCondition>, PartiqlError> {
        condition.map(|condition| self.condition(condition).map(ParsedCondition)).transpose()
    }

    fn select(&mut self, select: &SelectExpr) -> Result<Select, PartiqlError> {
        if let Some((clause, span)) = select.unsupported {
            let kind = PartiqlErrorKind::UnsupportedClause { clause: clause.to_owned() };
            return Err(self.error(kind, span));
        }
        let columns = select.columns.as_deref().map(|columns| self.columns(columns)).transpose()?;
        let condition = self.where_clause(select.condition.as_ref())?;
        if let Some(span) = select.order_span.filter(|_| condition.is_none()) {
            return Err(self.error(PartiqlErrorKind::OrderWithoutCondition, span));
        }
        let order = select.order.iter().map(|(key, descends)| self.order_key(key, *descends));
        let order = order.collect::<Result<_, _>>()?;
        Ok(Select { columns, condition, order })
    }

    fn columns(&self, columns: &[ColumnExpr]) -> Result<Columns, PartiqlError> {
        let mut paths = Vec::with_capacity(columns.len());
        let mut names = BTreeSet::new();
        for ColumnExpr { expr, alias } in columns {
            if let Some(span) = alias {
                return Err(self.error(PartiqlErrorKind::Alias, *span));
            }
            let path = match &expr.kind {
                ExprKind::Path(path) => self.path(path)?,
                ExprKind::Star => {
                    return Err(self.error(PartiqlErrorKind::ColumnsBesideStar, expr.span));
                }
                _ => return Err(self.error(PartiqlErrorKind::ColumnNotPath, expr.span)),
            };
            let name = Columns::name(&path);
            if !names.insert(name.clone()) {
                return Err(self.error(PartiqlErrorKind::RepeatedColumn { name }, expr.span));
            }
            paths.push(path);
        }
        Ok(Columns::new(paths))
    }

    fn order_key(&self, key: &Expr, descends: bool) -> Result<OrderKey, PartiqlError> {
        match &key.kind {
            ExprKind::Path(path) => Ok(OrderKey { path: self.path(path)?, descends }),
            _ => Err(self.error(PartiqlErrorKind::ColumnNotPath, key.span)),
        }
    }

    /// Lowers the attributes of a new item. An attribute can be a parameter, but nothing inside it
    /// can.
    fn item(&self, value: &Expr) -> Result<Vec<(String, Attribute)>, PartiqlError> {
        let root = ValuePath::root();
        let ExprKind::Struct(members) = &value.kind else {
            let (what, path) = ("value".to_owned(), "root".to_owned());
            return Err(self.error(PartiqlErrorKind::NotAValue { what, path }, value.span));
        };
        let mut attributes = Vec::with_capacity(members.len());
        let mut names = BTreeSet::new();
        for (name, value) in members {
            let span = name.span;
            let name = self.member_name(name, &root)?;
            let attribute = match value.kind {
                ExprKind::Parameter(position) => Attribute::Parameter(position),
                _ => Attribute::Literal(self.value(value, &root)?),
            };
            if !names.insert(name.clone()) {
                let path = "root".to_owned();
                return Err(self.error(PartiqlErrorKind::RepeatedMember { name, path }, span));
            }
            attributes.push((name, attribute));
        }
        Ok(attributes)
    }
}
