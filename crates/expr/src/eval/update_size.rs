//! How many bytes DynamoDB counts for an update itself.
//!
//! A stand-alone `UpdateItem` is refused not only when the finished item is too large, but also
//! when what the statement writes is, with a fixed cost for every part of the statement. The
//! figures are measured; they look like the size of a serialised form of the update.

use monotable_item::{Path, Step, value_size_bytes};

use super::update::{Action, Change, Source, SourceOperand, Update};
use crate::operation::Arithmetic;

/// What every update costs.
const UPDATE_BYTES: usize = 3;
/// What every action costs beside its target and its value.
const ACTION_BYTES: usize = 1;
/// What a value of the request costs beside itself.
const VALUE_BYTES: usize = 18;
/// What a path that is read costs beside its elements.
const PATH_BYTES: usize = 1;
/// What each element of a path that is read costs beside itself.
const PATH_ELEMENT_BYTES: usize = 14;
/// What each element of a target after its attribute costs beside itself.
const TARGET_ELEMENT_BYTES: usize = 4;
/// What a list index costs, whatever its value.
const INDEX_BYTES: usize = 1;
const PLUS_BYTES: usize = 34;
const MINUS_BYTES: usize = 37;
const IF_NOT_EXISTS_BYTES: usize = 39;
const LIST_APPEND_BYTES: usize = 37;

impl Update {
    /// The bytes of what the update writes and of its actions. Those of the item that it makes are
    /// another figure; neither may exceed the limit on items.
    pub fn size_bytes(&self) -> usize {
        self.size_bytes_up_to(usize::MAX)
    }

    /// The same, or more than `size_bytes_max` if it is more than that: no more is counted then, as
    /// a value may stand in many actions.
    pub fn size_bytes_up_to(&self, size_bytes_max: usize) -> usize {
        let mut size_bytes = UPDATE_BYTES;
        for action in &self.actions {
            if size_bytes > size_bytes_max {
                break;
            }
            size_bytes += action.size_bytes();
        }
        size_bytes
    }
}

impl Action {
    fn size_bytes(&self) -> usize {
        ACTION_BYTES + target_size_bytes(&self.target) + self.change.size_bytes()
    }
}

impl Change {
    fn size_bytes(&self) -> usize {
        match self {
            Change::Set(source) => source.size_bytes(),
            Change::Add(value) => VALUE_BYTES + value_size_bytes(value),
            Change::Remove | Change::Delete(_) => 0,
            Change::Attribute(change) => {
                change.written().map_or(0, |value| VALUE_BYTES + value_size_bytes(value))
            }
        }
    }
}

impl Source {
    fn size_bytes(&self) -> usize {
        match self {
            Source::Operand(operand) => operand.size_bytes(),
            Source::Arithmetic { operator, left, right } => {
                let operator_bytes = match operator {
                    Arithmetic::Plus => PLUS_BYTES,
                    Arithmetic::Minus => MINUS_BYTES,
                };
                operator_bytes + left.size_bytes() + right.size_bytes()
            }
        }
    }
}

impl SourceOperand {
    fn size_bytes(&self) -> usize {
        match self {
            SourceOperand::Path(path) => path_size_bytes(path),
            SourceOperand::Value(value) => VALUE_BYTES + value_size_bytes(value),
            SourceOperand::IfNotExists(path, default) => {
                IF_NOT_EXISTS_BYTES + path_size_bytes(path) + default.size_bytes()
            }
            SourceOperand::ListAppend(first, second) => {
                LIST_APPEND_BYTES + first.size_bytes() + second.size_bytes()
            }
        }
    }
}

fn target_size_bytes(path: &Path) -> usize {
    let steps = path.steps.iter().map(|step| TARGET_ELEMENT_BYTES + step_size_bytes(step));
    path.root.len() + steps.sum::<usize>()
}

fn path_size_bytes(path: &Path) -> usize {
    let steps = path.steps.iter().map(|step| PATH_ELEMENT_BYTES + step_size_bytes(step));
    PATH_BYTES + PATH_ELEMENT_BYTES + path.root.len() + steps.sum::<usize>()
}

fn step_size_bytes(step: &Step) -> usize {
    match step {
        Step::Member(name) => name.len(),
        Step::Index(_) => INDEX_BYTES,
    }
}
