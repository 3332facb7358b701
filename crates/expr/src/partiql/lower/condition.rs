//! Conditions of `WHERE`.

use monotable_item::Value;

use super::super::error::{PartiqlError, PartiqlErrorKind, SyntaxError};
use super::super::statement::parameter_placeholder;
use super::super::syntax::{BinaryOperator, Expr, ExprKind};
use super::Lowering;
use super::value::ValuePath;
use crate::ast::{ConditionTree, ParsedCall, ParsedOperand};
use crate::operation::{Arithmetic, Function};

impl Lowering<'_> {
    /// Lowers a condition. An expression that is neither true nor false is not one.
    pub(super) fn condition(&mut self, expr: &Expr) -> Result<ConditionTree, PartiqlError> {
        match &expr.kind {
            ExprKind::Not(inner) => Ok(ConditionTree::Not(Box::new(self.condition(inner)?))),
            ExprKind::Binary(operator, left, right) => self.binary(expr, *operator, left, right),
            ExprKind::Between(operands) => {
                let [operand, lower, upper] = operands.as_ref();
                Ok(ConditionTree::Between {
                    operand: self.operand(operand)?,
                    lower: self.operand(lower)?,
                    upper: self.operand(upper)?,
                })
            }
            ExprKind::Is(operand, name) => self.is(expr, operand, name),
            ExprKind::Call { name, arguments } => match self.call(expr, name, arguments)? {
                call if call.function == Function::Size => Err(self.no_condition(expr)),
                call => Ok(ConditionTree::Call(call)),
            },
            ExprKind::Path(_)
            | ExprKind::Text(_)
            | ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Missing
            | ExprKind::Parameter(_)
            | ExprKind::List(_)
            | ExprKind::Bag(_)
            | ExprKind::Struct(_)
            | ExprKind::Star => Err(self.no_condition(expr)),
        }
    }

    fn binary(
        &mut self,
        expr: &Expr,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<ConditionTree, PartiqlError> {
        match operator {
            BinaryOperator::And => Ok(ConditionTree::And(
                Box::new(self.condition(left)?),
                Box::new(self.condition(right)?),
            )),
            BinaryOperator::Or => Ok(ConditionTree::Or(
                Box::new(self.condition(left)?),
                Box::new(self.condition(right)?),
            )),
            BinaryOperator::Compare(comparator) => Ok(ConditionTree::Compare {
                comparator,
                left: self.operand(left)?,
                right: self.operand(right)?,
            }),
            BinaryOperator::In => self.membership(left, right),
            BinaryOperator::Arithmetic(Arithmetic::Plus) => Err(self.unsupported(expr, "+")),
            BinaryOperator::Arithmetic(Arithmetic::Minus) => Err(self.unsupported(expr, "-")),
            BinaryOperator::Unsupported(operator) => Err(self.unsupported(expr, operator)),
        }
    }

    fn membership(&mut self, left: &Expr, right: &Expr) -> Result<ConditionTree, PartiqlError> {
        let operand = self.operand(left)?;
        let candidates = match &right.kind {
            ExprKind::List(candidates) | ExprKind::Bag(candidates) => candidates.as_slice(),
            _ => std::slice::from_ref(right),
        };
        let candidates = candidates.iter().map(|candidate| self.operand(candidate));
        Ok(ConditionTree::In { operand, candidates: candidates.collect::<Result<_, _>>()? })
    }

    fn is(
        &mut self,
        expr: &Expr,
        operand: &Expr,
        name: &str,
    ) -> Result<ConditionTree, PartiqlError> {
        let operand = self.operand(operand)?;
        let code = match name {
            "MISSING" => {
                let function = Function::AttributeNotExists;
                return Ok(ConditionTree::Call(ParsedCall { function, operands: vec![operand] }));
            }
            "NULL" => "NULL",
            "BOOL" | "BOOLEAN" => "BOOL",
            "BLOB" => "B",
            "STRING" => "S",
            "NUMERIC" => "N",
            "STRUCT" | "TUPLE" => "M",
            "LIST" => "L",
            other => {
                let kind = PartiqlErrorKind::ForeignType { name: other.to_owned() };
                return Err(self.error(kind, expr.span));
            }
        };
        let code = ParsedOperand::Value(self.literal(Value::from(code)));
        let function = Function::AttributeType;
        Ok(ConditionTree::Call(ParsedCall { function, operands: vec![operand, code] }))
    }

    fn operand(&mut self, expr: &Expr) -> Result<ParsedOperand, PartiqlError> {
        if Self::is_literal(expr) {
            let value = self.value(expr, &ValuePath::root())?;
            return Ok(ParsedOperand::Value(self.literal(value)));
        }
        match &expr.kind {
            ExprKind::Path(path) => self.parsed_path(path).map(ParsedOperand::Path),
            ExprKind::Parameter(position) => {
                Ok(ParsedOperand::Value(parameter_placeholder(*position)))
            }
            ExprKind::Call { name, arguments } => match self.call(expr, name, arguments)? {
                call if call.function == Function::Size => Ok(ParsedOperand::Call(call)),
                call => Ok(ParsedOperand::Condition(Box::new(ConditionTree::Call(call)))),
            },
            _ => Ok(ParsedOperand::Condition(Box::new(self.condition(expr)?))),
        }
    }

    fn call(
        &mut self,
        expr: &Expr,
        name: &str,
        arguments: &[Expr],
    ) -> Result<ParsedCall, PartiqlError> {
        let function = Function::from_name(name).filter(|function| !function.is_for_updates());
        let Some(function) = function else { return Err(self.unknown_function(expr, name)) };
        let operands = arguments.iter().map(|argument| self.operand(argument));
        Ok(ParsedCall { function, operands: operands.collect::<Result<_, _>>()? })
    }

    pub(super) fn unknown_function(&self, expr: &Expr, name: &str) -> PartiqlError {
        let kind = PartiqlErrorKind::UnknownFunction { name: name.to_owned() };
        self.error(kind, expr.span)
    }

    fn unsupported(&self, expr: &Expr, operator: &str) -> PartiqlError {
        let operator = operator.to_owned();
        let kind = PartiqlErrorKind::UnsupportedOperator { operator, in_update: false };
        self.error(kind, expr.span)
    }

    fn no_condition(&self, expr: &Expr) -> PartiqlError {
        self.error(PartiqlErrorKind::Syntax(SyntaxError::UnexpectedTerm), expr.span)
    }
}
