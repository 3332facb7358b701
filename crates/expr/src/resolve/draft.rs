//! Operands whose placeholders are replaced and whose calls are not checked yet.

use std::sync::Arc;

use monotable_item::{Path, Type, Value};

use super::Resolver;
use crate::ResolveError;
use crate::ast::{ParsedCall, ParsedOperand};
use crate::eval::Condition;
use crate::operation::{Function, Operation};

/// An operand with its placeholders replaced.
#[derive(Debug)]
pub(super) enum Draft {
    Path(Path),
    Value(Arc<Value>),
    Call(DraftCall),
    Condition(Box<Condition>),
}

/// A call with the placeholders of its operands replaced.
#[derive(Debug)]
pub(super) struct DraftCall {
    pub(super) function: Function,
    pub(super) operands: Vec<Draft>,
}

impl Resolver<'_> {
    pub(super) fn draft(&mut self, operand: &ParsedOperand) -> Result<Draft, ResolveError> {
        match operand {
            ParsedOperand::Path(path) => self.path(path).map(Draft::Path),
            ParsedOperand::Value(placeholder) => self.value(placeholder).map(Draft::Value),
            ParsedOperand::Call(call) => self.draft_call(call).map(Draft::Call),
            ParsedOperand::Condition(condition) => {
                Ok(Draft::Condition(Box::new(self.tree(condition)?)))
            }
        }
    }

    pub(super) fn draft_call(&mut self, call: &ParsedCall) -> Result<DraftCall, ResolveError> {
        let operands = call.operands.iter().map(|operand| self.draft(operand));
        Ok(DraftCall { function: call.function, operands: operands.collect::<Result<_, _>>()? })
    }
}

impl Draft {
    /// The type of the operand, if it is the same for every item.
    pub(super) fn kind(&self) -> Option<Type> {
        match self {
            Draft::Path(_) => None,
            Draft::Value(value) => Some(value.kind()),
            Draft::Call(call) => match call.function {
                Function::Size => Some(Type::Number),
                Function::ListAppend => Some(Type::List),
                Function::AttributeExists
                | Function::AttributeNotExists
                | Function::AttributeType
                | Function::BeginsWith
                | Function::Contains
                | Function::IfNotExists => None,
            },
            Draft::Condition(_) => Some(Type::Bool),
        }
    }

    /// Refuses a type that the operation never accepts. A type that depends on the item passes.
    pub(super) fn expect_kind(
        &self,
        operation: Operation,
        accepted: &[Type],
    ) -> Result<(), ResolveError> {
        match self.kind() {
            Some(kind) if !accepted.contains(&kind) => {
                Err(ResolveError::OperandType { operation, operand: Some(kind) })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The call that the operand is, if it is one.
    pub(super) fn call(&self) -> Option<&DraftCall> {
        match self {
            Draft::Call(call) => Some(call),
            Draft::Path(_) | Draft::Value(_) | Draft::Condition(_) => None,
        }
    }
}

impl DraftCall {
    /// Refuses a wrong number of operands, of inner calls first.
    pub(super) fn check_counts(&self) -> Result<(), ResolveError> {
        self.operands.iter().filter_map(Draft::call).try_for_each(DraftCall::check_counts)?;
        let count = self.operands.len();
        if count == self.function.operand_count() {
            return Ok(());
        }
        Err(ResolveError::OperandCount { function: self.function, count })
    }
}

/// Refuses a first operand that is a path and stands among the others again.
pub(super) fn check_distinct<'d>(
    operation: Operation,
    first: &Draft,
    others: impl IntoIterator<Item = &'d Draft>,
) -> Result<(), ResolveError> {
    let Draft::Path(path) = first else { return Ok(()) };
    let repeated =
        others.into_iter().any(|other| matches!(other, Draft::Path(other) if other == path));
    if repeated {
        return Err(ResolveError::RepeatedOperand { operation, path: path.clone() });
    }
    Ok(())
}
