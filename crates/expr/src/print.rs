//! Prints parsed expressions in a form that parses back to the same tree.

use std::fmt;

use crate::ast::{
    ConditionTree, ParsedAction, ParsedCall, ParsedChange, ParsedCondition, ParsedName,
    ParsedOperand, ParsedPath, ParsedProjection, ParsedSource, ParsedStep, ParsedUpdate,
};
use crate::operation::Operation;

impl fmt::Display for ParsedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsedName::Bare(name) | ParsedName::Placeholder(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for ParsedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root)?;
        for step in &self.steps {
            match step {
                ParsedStep::Member(name) => write!(f, ".{name}")?,
                ParsedStep::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for ParsedOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsedOperand::Path(path) => write!(f, "{path}"),
            ParsedOperand::Value(value) => f.write_str(value),
            ParsedOperand::Call(call) => write!(f, "{call}"),
            ParsedOperand::Condition(condition) => write!(f, "({condition})"),
        }
    }
}

impl fmt::Display for ParsedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.function)?;
        write_list(f, &self.operands)?;
        f.write_str(")")
    }
}

impl fmt::Display for ParsedCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for ConditionTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConditionTree::Compare { comparator, left, right } => {
                write!(f, "{left} {} {right}", comparator.symbol())
            }
            ConditionTree::Between { operand, lower, upper } => {
                write!(f, "{operand} BETWEEN {lower} AND {upper}")
            }
            ConditionTree::In { operand, candidates } => {
                write!(f, "{operand} IN (")?;
                write_list(f, candidates)?;
                f.write_str(")")
            }
            ConditionTree::Call(call) => write!(f, "{call}"),
            ConditionTree::And(left, right) => {
                write_grouped(f, left, binding(left) < Binding::And)?;
                f.write_str(" AND ")?;
                write_grouped(f, right, binding(right) <= Binding::And)
            }
            ConditionTree::Or(left, right) => {
                write!(f, "{left} OR ")?;
                write_grouped(f, right, binding(right) <= Binding::Or)
            }
            ConditionTree::Not(condition) => {
                f.write_str("NOT ")?;
                write_grouped(f, condition, binding(condition) < Binding::Not)
            }
        }
    }
}

impl fmt::Display for ParsedProjection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.paths)
    }
}

impl fmt::Display for ParsedUpdate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut section = None;
        for action in &self.actions {
            match section {
                None => write!(f, "{} {action}", action.change.section())?,
                Some(current) if current == action.change.section() => write!(f, ", {action}")?,
                Some(_) => write!(f, " {} {action}", action.change.section())?,
            }
            section = Some(action.change.section());
        }
        Ok(())
    }
}

impl fmt::Display for ParsedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.change {
            ParsedChange::Set(source) => write!(f, "{} = {source}", self.target),
            ParsedChange::Remove => write!(f, "{}", self.target),
            ParsedChange::Add(value) | ParsedChange::Delete(value) => {
                write!(f, "{} {value}", self.target)
            }
        }
    }
}

impl fmt::Display for ParsedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsedSource::Operand(operand) => write!(f, "{operand}"),
            ParsedSource::Arithmetic { operator, left, right } => {
                write!(f, "{left} {} {right}", Operation::Arithmetic(*operator))
            }
        }
    }
}

/// How tightly a condition holds together, loosest first.
#[derive(PartialEq, PartialOrd)]
enum Binding {
    Or,
    And,
    Not,
    Whole,
}

fn binding(condition: &ConditionTree) -> Binding {
    match condition {
        ConditionTree::Or(..) => Binding::Or,
        ConditionTree::And(..) => Binding::And,
        ConditionTree::Not(_) => Binding::Not,
        ConditionTree::Compare { .. }
        | ConditionTree::Between { .. }
        | ConditionTree::In { .. }
        | ConditionTree::Call(_) => Binding::Whole,
    }
}

fn write_grouped(
    f: &mut fmt::Formatter<'_>,
    condition: &ConditionTree,
    grouped: bool,
) -> fmt::Result {
    if grouped { write!(f, "({condition})") } else { write!(f, "{condition}") }
}

fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, elements: &[T]) -> fmt::Result {
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{element}")?;
    }
    Ok(())
}
