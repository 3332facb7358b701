//! The changes of an `UPDATE`.

use super::super::error::{PartiqlError, PartiqlErrorKind, SetFunction};
use super::super::statement::{SetParameter, parameter_placeholder};
use super::super::syntax::{BinaryOperator, ChangeExpr, Expr, ExprKind, PathExpr};
use super::Lowering;
use super::value::ValuePath;
use crate::ast::{
    ParsedAction, ParsedCall, ParsedChange, ParsedOperand, ParsedSource, ParsedUpdate,
};
use crate::operation::Function;

/// An update, and the parameters that must be sets.
pub(super) type LoweredUpdate = (ParsedUpdate, Vec<SetParameter>);

impl Lowering<'_> {
    pub(super) fn update(&mut self, changes: &[ChangeExpr]) -> Result<LoweredUpdate, PartiqlError> {
        let mut actions = Vec::with_capacity(changes.len());
        let mut sets = Vec::new();
        for change in changes {
            actions.push(match change {
                ChangeExpr::Set(target, source) => {
                    let path = self.target(target)?;
                    let change = self.set_change(path, source, &mut sets)?;
                    ParsedAction { target: self.parsed_path(path)?, change }
                }
                ChangeExpr::Remove(target) => {
                    let target = self.target(target)?;
                    ParsedAction { target: self.parsed_path(target)?, change: ParsedChange::Remove }
                }
            });
        }
        Ok((ParsedUpdate { actions }, sets))
    }

    fn target<'e>(&self, target: &'e Expr) -> Result<&'e PathExpr, PartiqlError> {
        match &target.kind {
            ExprKind::Path(path) => Ok(path),
            _ => Err(self.error(PartiqlErrorKind::ColumnNotPath, target.span)),
        }
    }

    fn set_change(
        &mut self,
        target: &PathExpr,
        source: &Expr,
        sets: &mut Vec<SetParameter>,
    ) -> Result<ParsedChange, PartiqlError> {
        if let ExprKind::Call { name, arguments } = &source.kind {
            let function = match name.as_str() {
                "set_add" => Some(SetFunction::Add),
                "set_delete" => Some(SetFunction::Delete),
                _ => None,
            };
            if let Some(function) = function {
                return self.set_function(function, target, source, arguments, sets);
            }
        }
        self.source(source).map(ParsedChange::Set)
    }

    /// `SET a = set_add(a, <<…>>)`, which is `ADD a <<…>>` in an expression.
    fn set_function(
        &mut self,
        function: SetFunction,
        target: &PathExpr,
        source: &Expr,
        arguments: &[Expr],
        sets: &mut Vec<SetParameter>,
    ) -> Result<ParsedChange, PartiqlError> {
        let [first, second] = arguments else {
            let kind = PartiqlErrorKind::SetArgumentCount { function };
            return Err(self.error(kind, source.span));
        };
        if !matches!(&first.kind, ExprKind::Path(path) if path == target) {
            return Err(self.error(PartiqlErrorKind::SetTarget { function }, source.span));
        }
        let members = match &second.kind {
            ExprKind::Bag(_) => {
                let value = self.value(second, &ValuePath::root())?;
                self.literal(value)
            }
            ExprKind::Parameter(position) => {
                let place = self.place(first.span);
                sets.push(SetParameter { position: *position, function, place });
                parameter_placeholder(*position)
            }
            _ => {
                let kind = PartiqlErrorKind::SetOperand { function, operand: None };
                return Err(self.error(kind, first.span));
            }
        };
        Ok(match function {
            SetFunction::Add => ParsedChange::Add(members),
            SetFunction::Delete => ParsedChange::Delete(members),
        })
    }

    fn source(&mut self, source: &Expr) -> Result<ParsedSource, PartiqlError> {
        let ExprKind::Binary(BinaryOperator::Arithmetic(operator), left, right) = &source.kind
        else {
            return self.source_operand(source).map(ParsedSource::Operand);
        };
        Ok(ParsedSource::Arithmetic {
            operator: *operator,
            left: self.source_operand(left)?,
            right: self.source_operand(right)?,
        })
    }

    fn source_operand(&mut self, expr: &Expr) -> Result<ParsedOperand, PartiqlError> {
        if Self::is_literal(expr) {
            let value = self.value(expr, &ValuePath::root())?;
            return Ok(ParsedOperand::Value(self.literal(value)));
        }
        match &expr.kind {
            ExprKind::Path(path) => self.parsed_path(path).map(ParsedOperand::Path),
            ExprKind::Parameter(position) => {
                Ok(ParsedOperand::Value(parameter_placeholder(*position)))
            }
            ExprKind::Call { name, arguments } if name == Function::ListAppend.name() => {
                let operands = arguments.iter().map(|argument| self.source_operand(argument));
                let operands = operands.collect::<Result<_, _>>()?;
                Ok(ParsedOperand::Call(ParsedCall { function: Function::ListAppend, operands }))
            }
            ExprKind::Call { name, .. } => Err(self.unknown_function(expr, name)),
            _ => Err(self.not_for_updates(expr)),
        }
    }

    fn not_for_updates(&self, expr: &Expr) -> PartiqlError {
        let operator = match &expr.kind {
            ExprKind::Binary(operator, ..) => operator.symbol(),
            ExprKind::Not(_) => "NOT",
            ExprKind::Between(_) => "BETWEEN",
            ExprKind::Is(..) => "IS",
            _ => "*",
        };
        let operator = operator.to_owned();
        let kind = PartiqlErrorKind::UnsupportedOperator { operator, in_update: true };
        self.error(kind, expr.span)
    }
}
