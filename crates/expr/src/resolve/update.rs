//! Resolves updates.

use std::sync::Arc;

use monotable_item::{Path, Type, Value};

use super::draft::{DraftCall, check_distinct};
use super::overlap::check_overlaps;
use super::{Draft, Resolver};
use crate::ResolveError;
use crate::ast::{ParsedAction, ParsedChange, ParsedOperand, ParsedSource, ParsedUpdate};
use crate::eval::{Action, Change, Source, SourceOperand, Update};
use crate::operation::{Arithmetic, Function, Operation, Section};

impl Resolver<'_> {
    /// Resolves an update.
    pub fn update(&mut self, parsed: &ParsedUpdate) -> Result<Update, ResolveError> {
        self.check_names(parsed)?;
        let mut drafts = Vec::with_capacity(parsed.actions.len());
        for action in &parsed.actions {
            drafts.push((self.path(&action.target)?, self.draft_change(&action.change)?));
        }
        let targets: Vec<&Path> = drafts.iter().map(|(target, _)| target).collect();
        check_overlaps(&targets)?;
        drafts.iter().try_for_each(|(_, change)| change.check_section())?;
        let actions = drafts
            .into_iter()
            .map(|(target, change)| Ok(Action { target, change: change.finish()? }));
        Ok(Update { actions: actions.collect::<Result<_, _>>()? })
    }

    /// Refuses undefined names, which come before undefined values anywhere in the text.
    fn check_names(&mut self, parsed: &ParsedUpdate) -> Result<(), ResolveError> {
        for ParsedAction { target, change } in &parsed.actions {
            self.check_path(target)?;
            match change {
                ParsedChange::Set(ParsedSource::Operand(operand)) => {
                    self.check_operand_names(operand)?;
                }
                ParsedChange::Set(ParsedSource::Arithmetic { left, right, .. }) => {
                    self.check_operand_names(left)?;
                    self.check_operand_names(right)?;
                }
                ParsedChange::Remove | ParsedChange::Add(_) | ParsedChange::Delete(_) => {}
            }
        }
        Ok(())
    }

    fn check_operand_names(&mut self, operand: &ParsedOperand) -> Result<(), ResolveError> {
        match operand {
            ParsedOperand::Path(path) => self.check_path(path),
            ParsedOperand::Value(_) => Ok(()),
            ParsedOperand::Call(call) => {
                call.operands.iter().try_for_each(|operand| self.check_operand_names(operand))
            }
            ParsedOperand::Condition(_) => unreachable!("the parsers refuse conditions in updates"),
        }
    }

    fn draft_change(&mut self, change: &ParsedChange) -> Result<DraftChange, ResolveError> {
        Ok(match change {
            ParsedChange::Set(source) => DraftChange::Set(match source {
                ParsedSource::Operand(operand) => DraftSource::Operand(self.draft(operand)?),
                ParsedSource::Arithmetic { operator, left, right } => DraftSource::Arithmetic {
                    operator: *operator,
                    left: self.draft(left)?,
                    right: self.draft(right)?,
                },
            }),
            ParsedChange::Remove => DraftChange::Remove,
            ParsedChange::Add(value) => DraftChange::Add(self.value(value)?),
            ParsedChange::Delete(value) => DraftChange::Delete(self.value(value)?),
        })
    }
}

/// A change whose operands are not checked yet.
enum DraftChange {
    Set(DraftSource),
    Remove,
    Add(Arc<Value>),
    Delete(Arc<Value>),
}

enum DraftSource {
    Operand(Draft),
    Arithmetic { operator: Arithmetic, left: Draft, right: Draft },
}

impl DraftChange {
    /// Refuses values that `ADD` or `DELETE` never accepts.
    fn check_section(&self) -> Result<(), ResolveError> {
        let (section, value) = match self {
            DraftChange::Add(value) => (Section::Add, value),
            DraftChange::Delete(value) => (Section::Delete, value),
            DraftChange::Set(_) | DraftChange::Remove => return Ok(()),
        };
        let operand = value.kind();
        let accepted = match operand {
            Type::StringSet | Type::NumberSet | Type::BinarySet => true,
            Type::Number => section == Section::Add,
            Type::String | Type::Binary | Type::Bool | Type::Null | Type::List | Type::Map => false,
        };
        if accepted { Ok(()) } else { Err(ResolveError::SectionOperandType { section, operand }) }
    }

    fn finish(self) -> Result<Change, ResolveError> {
        Ok(match self {
            DraftChange::Set(source) => Change::Set(source.finish()?),
            DraftChange::Remove => Change::Remove,
            DraftChange::Add(value) => Change::Add(value),
            DraftChange::Delete(value) => Change::Delete(value),
        })
    }
}

impl DraftSource {
    fn finish(self) -> Result<Source, ResolveError> {
        match self {
            DraftSource::Operand(draft) => Ok(Source::Operand(source_operand(draft)?)),
            DraftSource::Arithmetic { operator, left, right } => {
                let operation = Operation::Arithmetic(operator);
                let accepted = expect_both(operation, &left, &right, Type::Number);
                let (left, right) = (source_operand(left)?, source_operand(right)?);
                accepted?;
                Ok(Source::Arithmetic { operator, left, right })
            }
        }
    }
}

fn expect_both(
    operation: Operation,
    first: &Draft,
    second: &Draft,
    kind: Type,
) -> Result<(), ResolveError> {
    first.expect_kind(operation, &[kind]).and(second.expect_kind(operation, &[kind]))
}

fn source_operand(draft: Draft) -> Result<SourceOperand, ResolveError> {
    match draft {
        Draft::Path(path) => Ok(SourceOperand::Path(path)),
        Draft::Value(value) => Ok(SourceOperand::Value(value)),
        Draft::Call(call) => source_call(call),
        Draft::Condition(_) => unreachable!("the parsers refuse conditions in updates"),
    }
}

/// Builds a call and its operands, refusing inner calls first.
fn source_call(call: DraftCall) -> Result<SourceOperand, ResolveError> {
    call.check_counts()?;
    let operation = Operation::Call(call.function);
    let mut operands = call.operands.into_iter();
    let mut next = || operands.next().expect("the number of operands has been checked");
    match call.function {
        Function::IfNotExists => {
            let (path, default) = (next(), next());
            check_distinct(operation, &path, [&default])?;
            let default = source_operand(default)?;
            let Draft::Path(path) = path else {
                return Err(ResolveError::PathRequired { function: call.function });
            };
            Ok(SourceOperand::IfNotExists(path, Box::new(default)))
        }
        Function::ListAppend => {
            let (first, second) = (next(), next());
            let accepted = expect_both(operation, &first, &second, Type::List);
            let (first, second) = (source_operand(first)?, source_operand(second)?);
            accepted?;
            Ok(SourceOperand::ListAppend(Box::new(first), Box::new(second)))
        }
        Function::AttributeExists
        | Function::AttributeNotExists
        | Function::AttributeType
        | Function::BeginsWith
        | Function::Contains
        | Function::Size => unreachable!("the parser refuses {} in updates", call.function),
    }
}
