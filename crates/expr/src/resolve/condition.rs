//! Resolves conditions.

use monotable_item::limits::IN_OPERANDS_MAX;
use monotable_item::{Path, Type, Value};

use super::draft::{DraftCall, check_distinct};
use super::{Draft, Resolver};
use crate::ResolveError;
use crate::ast::{ConditionTree, ParsedCall, ParsedCondition, ParsedOperand};
use crate::eval::{Condition, Operand, order};
use crate::operation::{Comparator, Function, Operation};

/// The types that have an order.
const ORDERED: [Type; 3] = [Type::String, Type::Number, Type::Binary];
/// The types that have a beginning.
const TEXTUAL: [Type; 2] = [Type::String, Type::Binary];
/// The types that have a size.
const SIZED: [Type; 7] = [
    Type::String,
    Type::Binary,
    Type::List,
    Type::Map,
    Type::StringSet,
    Type::NumberSet,
    Type::BinarySet,
];

impl Resolver<'_> {
    /// Resolves a condition, filter or key condition.
    pub fn condition(&mut self, parsed: &ParsedCondition) -> Result<Condition, ResolveError> {
        self.tree(&parsed.0)
    }

    // Trees are as deep as they have operators, of which the parser allows a few hundred.
    pub(super) fn tree(&mut self, tree: &ConditionTree) -> Result<Condition, ResolveError> {
        match tree {
            ConditionTree::Compare { comparator, left, right } => {
                self.compare(*comparator, left, right)
            }
            ConditionTree::Between { operand, lower, upper } => self.between(operand, lower, upper),
            ConditionTree::In { operand, candidates } => self.candidates(operand, candidates),
            ConditionTree::Call(call) => self.call(call),
            ConditionTree::And(left, right) => {
                Ok(Condition::And(Box::new(self.tree(left)?), Box::new(self.tree(right)?)))
            }
            ConditionTree::Or(left, right) => {
                Ok(Condition::Or(Box::new(self.tree(left)?), Box::new(self.tree(right)?)))
            }
            ConditionTree::Not(condition) => Ok(Condition::Not(Box::new(self.tree(condition)?))),
        }
    }

    fn compare(
        &mut self,
        comparator: Comparator,
        left: &ParsedOperand,
        right: &ParsedOperand,
    ) -> Result<Condition, ResolveError> {
        let operation = Operation::Compare(comparator);
        let operands = [self.draft(left)?, self.draft(right)?];
        check_operands(operation, &operands)?;
        if comparator.is_ordering() {
            operands.iter().try_for_each(|operand| operand.expect_kind(operation, &ORDERED))?;
        }
        let [left, right] = operands.map(operand);
        Ok(Condition::Compare { comparator, left, right })
    }

    fn between(
        &mut self,
        operand: &ParsedOperand,
        lower: &ParsedOperand,
        upper: &ParsedOperand,
    ) -> Result<Condition, ResolveError> {
        let operands = [self.draft(operand)?, self.draft(lower)?, self.draft(upper)?];
        check_operands(Operation::Between, &operands)?;
        let ordered = |operand: &Draft| operand.expect_kind(Operation::Between, &ORDERED);
        operands.iter().try_for_each(ordered)?;
        let [operand, lower, upper] = operands.map(self::operand);
        check_bounds(&lower, &upper)?;
        Ok(Condition::Between { operand, lower, upper })
    }

    fn candidates(
        &mut self,
        operand: &ParsedOperand,
        candidates: &[ParsedOperand],
    ) -> Result<Condition, ResolveError> {
        let mut operands = Vec::with_capacity(1 + candidates.len());
        for operand in std::iter::once(operand).chain(candidates) {
            operands.push(self.draft(operand)?);
        }
        if candidates.len() > IN_OPERANDS_MAX {
            return Err(ResolveError::TooManyCandidates { count: candidates.len() });
        }
        check_operands(Operation::In, &operands)?;
        let mut operands = operands.into_iter().map(self::operand);
        let operand = operands.next().expect("the operand was put before the candidates");
        Ok(Condition::In { operand, candidates: operands.collect() })
    }

    fn call(&mut self, call: &ParsedCall) -> Result<Condition, ResolveError> {
        let call = self.draft_call(call)?;
        call.check_counts()?;
        if let Some((first, others)) = call.operands.split_first() {
            check_distinct(Operation::Call(call.function), first, others)?;
        }
        call.operands.iter().try_for_each(check_size)?;
        predicate(call)
    }
}

/// The checks that are common to all operators: counts, repetition, and inner calls.
fn check_operands(operation: Operation, operands: &[Draft]) -> Result<(), ResolveError> {
    operands.iter().filter_map(Draft::call).try_for_each(DraftCall::check_counts)?;
    if let Some((first, others)) = operands.split_first() {
        check_distinct(operation, first, others)?;
    }
    operands.iter().try_for_each(check_size)
}

/// Refuses `size` of something that never has one, innermost call first.
fn check_size(operand: &Draft) -> Result<(), ResolveError> {
    let Some(call) = operand.call() else { return Ok(()) };
    call.operands.iter().try_for_each(check_size)?;
    let operation = Operation::Call(call.function);
    call.operands.iter().try_for_each(|operand| operand.expect_kind(operation, &SIZED))
}

fn check_bounds(lower: &Operand, upper: &Operand) -> Result<(), ResolveError> {
    let (Operand::Value(lower), Operand::Value(upper)) = (lower, upper) else { return Ok(()) };
    if lower.kind() != upper.kind() {
        let (lower, upper) = (Value::clone(lower), Value::clone(upper));
        return Err(ResolveError::BoundTypes { lower, upper });
    }
    if order(lower, upper).is_some_and(std::cmp::Ordering::is_gt) {
        let (lower, upper) = (Value::clone(lower), Value::clone(upper));
        return Err(ResolveError::BoundOrder { lower, upper });
    }
    Ok(())
}

/// Builds the condition of a call whose operands are as many as they should be.
fn predicate(call: DraftCall) -> Result<Condition, ResolveError> {
    let function = call.function;
    let mut operands = call.operands.into_iter();
    let mut next = || operands.next().expect("the number of operands has been checked");
    match function {
        Function::AttributeExists => Ok(Condition::Exists(document_path(function, next())?)),
        Function::AttributeNotExists => Ok(Condition::NotExists(document_path(function, next())?)),
        Function::AttributeType => {
            let operand = operand(next());
            Ok(Condition::HasType { operand, kind: type_name(&next())? })
        }
        Function::BeginsWith => {
            let (value, prefix) = (next(), next());
            value.expect_kind(Operation::Call(function), &TEXTUAL)?;
            prefix.expect_kind(Operation::Call(function), &TEXTUAL)?;
            Ok(Condition::BeginsWith { operand: operand(value), prefix: operand(prefix) })
        }
        Function::Contains => {
            Ok(Condition::Contains { operand: operand(next()), element: operand(next()) })
        }
        Function::Size | Function::IfNotExists | Function::ListAppend => {
            unreachable!("the parser refuses {function} as a condition")
        }
    }
}

fn document_path(function: Function, operand: Draft) -> Result<Path, ResolveError> {
    match operand {
        Draft::Path(path) => Ok(path),
        Draft::Value(_) | Draft::Call(_) | Draft::Condition(_) => {
            Err(ResolveError::PathRequired { function })
        }
    }
}

/// The type that the second operand of `attribute_type` names. It cannot come from the item.
fn type_name(operand: &Draft) -> Result<Type, ResolveError> {
    let Draft::Value(value) = operand else { return Err(no_type_name(operand)) };
    let Value::String(name) = value.as_ref() else { return Err(no_type_name(operand)) };
    Type::from_code(name).ok_or_else(|| ResolveError::UnknownType { name: name.clone() })
}

fn no_type_name(operand: &Draft) -> ResolveError {
    ResolveError::OperandType {
        operation: Operation::Call(Function::AttributeType),
        operand: operand.kind(),
    }
}

/// The operand of a condition. Of the calls, the parser lets only `size` through.
fn operand(draft: Draft) -> Operand {
    match draft {
        Draft::Path(path) => Operand::Path(path),
        Draft::Value(value) => Operand::Value(value),
        Draft::Call(call) => {
            let mut operands = call.operands.into_iter();
            let inner = operands.next().expect("the number of operands has been checked");
            Operand::Size(Box::new(operand(inner)))
        }
        Draft::Condition(condition) => Operand::Condition(condition),
    }
}
