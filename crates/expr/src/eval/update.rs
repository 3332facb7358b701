//! Updates of items.
//!
//! Every right side reads the item as it was before the update, and every path means the item as it
//! was: `REMOVE l[0] SET l[1] = :v` sets what was the second element. So an update first says what
//! is to become of each target, and the item is written once, with all of that.
//!
//! Items are read and written in their stored form. Nothing is copied before it is known to fit: a
//! text of 4 KB can ask for hundreds of copies of an item's largest attribute.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use monotable_item::limits::ITEM_BYTES_MAX;
use monotable_item::stored::{
    self, Edit, Edits, ItemView, ListPart, NewValue, PathEnd, StoredValue, ValueView,
};
use monotable_item::{Item, Number, NumberError, Path, Value, value_size_bytes};

use super::attribute_change::AttributeChange;
use super::located::Located;
use super::projection::Projection;
use super::set;
use crate::operation::{Arithmetic, Section};
use crate::{EvaluationError, UpdateError};

/// Changes to make to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    pub(crate) actions: Vec<Action>,
}

/// One change and its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) target: Path,
    pub(crate) change: Change,
}

/// How a target changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Set(Source),
    Remove,
    /// A number to add, or a set of members to add.
    Add(Arc<Value>),
    /// A set of members to delete.
    Delete(Arc<Value>),
    /// A change of a whole attribute that no expression says.
    Attribute(AttributeChange),
}

/// The right side of a `SET`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Operand(SourceOperand),
    Arithmetic { operator: Arithmetic, left: SourceOperand, right: SourceOperand },
}

/// An operand of a `SET`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SourceOperand {
    Path(Path),
    Value(Arc<Value>),
    IfNotExists(Path, Box<SourceOperand>),
    ListAppend(Box<SourceOperand>, Box<SourceOperand>),
}

/// Whether the item to update is in the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Present,
    Absent,
}

impl Update {
    /// What the update does to an item in its stored form.
    pub fn edits<'a>(&'a self, item: ItemView<'a>) -> Result<Edits<'a>, EvaluationError> {
        self.run(item, Presence::Present)
    }

    /// What the update makes of an item that is not in the table, given its key in its stored form.
    ///
    /// DynamoDB takes any `REMOVE` here, even of a path whose parent is missing.
    pub fn edits_of_absent<'a>(&'a self, key: ItemView<'a>) -> Result<Edits<'a>, EvaluationError> {
        self.run(key, Presence::Absent)
    }

    /// The item after the update.
    pub fn apply(&self, item: &Item) -> Result<Item, EvaluationError> {
        let stored = stored::encode(item);
        made(&self.edits(ItemView::new(&stored)?)?)
    }

    /// The item that the update makes of one that is not in the table, given its key.
    pub fn apply_to_absent(&self, key: &Item) -> Result<Item, EvaluationError> {
        let stored = stored::encode(key);
        made(&self.edits_of_absent(ItemView::new(&stored)?)?)
    }

    /// Returns whether the update brings an absent item into being: one that only removes does not.
    pub fn creates_item(&self) -> bool {
        self.actions.iter().any(|action| match &action.change {
            Change::Set(_) | Change::Add(_) => true,
            Change::Remove | Change::Delete(_) => false,
            Change::Attribute(change) => change.creates_item(),
        })
    }

    /// The attributes that the update reads or changes.
    pub fn roots(&self) -> BTreeSet<&str> {
        self.paths().into_iter().map(|path| path.root.as_str()).collect()
    }

    /// The paths that the update changes, then those that it reads.
    pub fn paths(&self) -> Vec<&Path> {
        let mut paths: Vec<&Path> = self.targets().collect();
        self.actions.iter().for_each(|action| action.change.collect_paths(&mut paths));
        paths
    }

    /// The targets that get a value of the request as it is, whatever the item has, and the values.
    pub fn assignments(&self) -> impl Iterator<Item = (&Path, &Value)> {
        self.actions.iter().filter_map(|action| {
            let value = match &action.change {
                Change::Set(Source::Operand(SourceOperand::Value(value))) => value.as_ref(),
                Change::Attribute(AttributeChange::Put(value)) => value,
                Change::Set(_)
                | Change::Remove
                | Change::Add(_)
                | Change::Delete(_)
                | Change::Attribute(_) => return None,
            };
            Some((&action.target, value))
        })
    }

    /// The paths that the update changes, in the order of the text.
    pub fn targets(&self) -> impl Iterator<Item = &Path> {
        self.actions.iter().map(|action| &action.target)
    }

    /// The paths that the update changes, in the order of the text, and the sections that say how.
    pub fn changed(&self) -> impl Iterator<Item = (&Path, Section)> {
        self.actions.iter().map(|action| {
            let section = match &action.change {
                Change::Set(_) | Change::Attribute(AttributeChange::Put(_)) => Section::Set,
                Change::Remove | Change::Attribute(AttributeChange::Remove) => Section::Remove,
                Change::Add(_) | Change::Attribute(AttributeChange::Add(_)) => Section::Add,
                Change::Delete(_) | Change::Attribute(AttributeChange::Delete(_)) => {
                    Section::Delete
                }
            };
            (&action.target, section)
        })
    }

    /// What of an item, old or new, is at the paths that the update changes.
    ///
    /// Paths keep their meaning by position: after `REMOVE l[1]`, the new item's `l[1]` is the
    /// element that moved there, and after `SET l[9]` beyond the end, there is no `l[9]`. DynamoDB
    /// returns exactly that for `UPDATED_NEW`.
    pub fn targets_as_projection(&self) -> Projection {
        Projection::new(self.targets().cloned().collect())
    }

    fn run<'a>(
        &'a self,
        item: ItemView<'a>,
        presence: Presence,
    ) -> Result<Edits<'a>, EvaluationError> {
        let located = Located::new(item, self.paths())?;
        let mut reading = Reading { located: &located, united_bytes: 0 };
        let mut outcomes = Vec::with_capacity(self.actions.len());
        for action in &self.actions {
            outcomes.push((&action.target, action.change.outcome(&mut reading, &action.target)?));
        }
        let mut edits = Vec::with_capacity(outcomes.len());
        for (path, outcome) in outcomes {
            edits.extend(outcome.edit(path, located.place(path), presence)?);
        }
        Ok(Edits::new(item, edits))
    }
}

fn made(edits: &Edits<'_>) -> Result<Item, EvaluationError> {
    Ok(stored::decode(&edits.write(edits.size_bytes(usize::MAX)?)?)?)
}

/// What an update reads.
pub(super) struct Reading<'l, 'a> {
    located: &'l Located<'a>,
    /// How many bytes the sets have at least that were united so far.
    united_bytes: usize,
}

/// What becomes of a target.
pub(super) enum Outcome<'a> {
    Write(NewValue<'a>),
    Remove,
    /// Nothing, but the parent must be there all the same.
    Keep,
}

impl<'a> Outcome<'a> {
    /// The change that this is, if it is one.
    fn edit(
        self,
        path: &'a Path,
        place: PathEnd<'a>,
        presence: Presence,
    ) -> Result<Option<Edit<'a>>, UpdateError> {
        let value = match (self, place) {
            (Outcome::Remove, PathEnd::Nowhere) if presence == Presence::Absent => return Ok(None),
            (_, PathEnd::Nowhere) => return Err(UpdateError::InvalidPath { path: path.clone() }),
            (Outcome::Keep, _) => return Ok(None),
            (Outcome::Write(value), _) => Some(value),
            (Outcome::Remove, _) => None,
        };
        Ok(Some(Edit { path, place, value }))
    }
}

impl Change {
    fn outcome<'a>(
        &'a self,
        reading: &mut Reading<'_, 'a>,
        target: &Path,
    ) -> Result<Outcome<'a>, EvaluationError> {
        match self {
            Change::Set(source) => source.value(reading.located).map(Outcome::Write),
            Change::Remove => Ok(Outcome::Remove),
            Change::Add(value) => reading.add(target, value).map(Outcome::Write),
            Change::Delete(members) => reading.delete(target, members),
            Change::Attribute(change) => change.outcome(reading, target),
        }
    }

    fn collect_paths<'u>(&'u self, paths: &mut Vec<&'u Path>) {
        match self {
            Change::Set(Source::Operand(operand)) => operand.collect_paths(paths),
            Change::Set(Source::Arithmetic { left, right, .. }) => {
                left.collect_paths(paths);
                right.collect_paths(paths);
            }
            Change::Remove | Change::Add(_) | Change::Delete(_) | Change::Attribute(_) => {}
        }
    }
}

impl Source {
    fn value<'a>(&'a self, located: &Located<'a>) -> Result<NewValue<'a>, EvaluationError> {
        match self {
            Source::Operand(operand) => operand.value(located),
            Source::Arithmetic { operator, left, right } => {
                let left = left.number(located)?;
                let right = right.number(located)?;
                let result = calculate(*operator, &left, &right).map_err(UpdateError::from)?;
                Ok(NewValue::Value(Cow::Owned(Value::Number(result))))
            }
        }
    }
}

impl SourceOperand {
    fn value<'a>(&'a self, located: &Located<'a>) -> Result<NewValue<'a>, EvaluationError> {
        match self {
            SourceOperand::Path(path) => match located.value(path) {
                Some(value) => Ok(NewValue::Stored(value)),
                None => Err(UpdateError::MissingOperand { path: path.clone() }.into()),
            },
            SourceOperand::Value(value) => Ok(NewValue::Value(Cow::Borrowed(value))),
            SourceOperand::IfNotExists(path, default) => match located.value(path) {
                Some(value) => Ok(NewValue::Stored(value)),
                None => default.value(located),
            },
            SourceOperand::ListAppend(first, second) => {
                let mut parts = first.list(located)?;
                parts.extend(second.list(located)?);
                Ok(NewValue::Joined(parts))
            }
        }
    }

    fn number(&self, located: &Located<'_>) -> Result<Number, EvaluationError> {
        match self.value(located)? {
            NewValue::Value(value) => number(&value),
            NewValue::Stored(value) => match value.view() {
                ValueView::Number(_) => number(&value.decode()?),
                _ => Err(UpdateError::OperandType.into()),
            },
            NewValue::Joined(_) => Err(UpdateError::OperandType.into()),
        }
    }

    fn list<'a>(&'a self, located: &Located<'a>) -> Result<Vec<ListPart<'a>>, EvaluationError> {
        match self.value(located)? {
            NewValue::Value(Cow::Borrowed(Value::List(list))) => Ok(vec![ListPart::Values(list)]),
            NewValue::Stored(value) => match value.view() {
                ValueView::List(values) => Ok(vec![ListPart::Stored(values)]),
                _ => Err(UpdateError::OperandType.into()),
            },
            NewValue::Joined(parts) => Ok(parts),
            NewValue::Value(_) => Err(UpdateError::OperandType.into()),
        }
    }

    fn collect_paths<'u>(&'u self, paths: &mut Vec<&'u Path>) {
        match self {
            SourceOperand::Path(path) => paths.push(path),
            SourceOperand::Value(_) => {}
            SourceOperand::IfNotExists(path, default) => {
                paths.push(path);
                default.collect_paths(paths);
            }
            SourceOperand::ListAppend(first, second) => {
                first.collect_paths(paths);
                second.collect_paths(paths);
            }
        }
    }
}

fn calculate(operator: Arithmetic, left: &Number, right: &Number) -> Result<Number, NumberError> {
    match operator {
        Arithmetic::Plus => left.checked_add(right),
        Arithmetic::Minus => left.checked_sub(right),
    }
}

fn number(value: &Value) -> Result<Number, EvaluationError> {
    match value {
        Value::Number(number) => Ok(*number),
        _ => Err(UpdateError::OperandType.into()),
    }
}

impl<'a> Reading<'_, 'a> {
    /// The value at a path.
    pub(super) fn value(&self, path: &Path) -> Option<StoredValue<'a>> {
        self.located.value(path)
    }

    /// `ADD`: a missing number counts as zero, a missing set as empty.
    pub(super) fn add(
        &mut self,
        target: &Path,
        value: &'a Value,
    ) -> Result<NewValue<'a>, EvaluationError> {
        let Some(existing) = self.value(target) else {
            return Ok(NewValue::Value(Cow::Borrowed(value)));
        };
        if existing.kind() != value.kind() {
            return Err(UpdateError::OperandType.into());
        }
        match (existing.view(), value) {
            (ValueView::Number(_), Value::Number(right)) => {
                let sum = number(&existing.decode()?)?.checked_add(right);
                Ok(NewValue::Value(Cow::Owned(Value::Number(sum.map_err(UpdateError::from)?))))
            }
            _ => self.united(existing, value),
        }
    }

    /// The members of either set. A union has at least the bytes of the larger set; when those of
    /// all unions are more than an item may have, the larger set stands for it, and the item is
    /// refused by its size.
    fn united(
        &mut self,
        existing: StoredValue<'a>,
        value: &'a Value,
    ) -> Result<NewValue<'a>, EvaluationError> {
        let (existing_bytes, value_bytes) = (existing.size_bytes()?, value_size_bytes(value));
        self.united_bytes = self.united_bytes.saturating_add(existing_bytes.max(value_bytes));
        if self.united_bytes > ITEM_BYTES_MAX && set::is_set(value) {
            return Ok(if value_bytes > existing_bytes {
                NewValue::Value(Cow::Borrowed(value))
            } else {
                NewValue::Stored(existing)
            });
        }
        match set::union(existing.decode()?, value) {
            Some(union) => Ok(NewValue::Value(Cow::Owned(union))),
            None => Err(UpdateError::OperandType.into()),
        }
    }

    /// `DELETE`: a set that loses its last member is removed.
    pub(super) fn delete(
        &self,
        target: &Path,
        members: &Value,
    ) -> Result<Outcome<'a>, EvaluationError> {
        let Some(existing) = self.value(target) else { return Ok(Outcome::Keep) };
        if existing.kind() != members.kind() {
            return Err(UpdateError::OperandType.into());
        }
        match set::difference(existing.decode()?, members) {
            Some(Some(rest)) => Ok(Outcome::Write(NewValue::Value(Cow::Owned(rest)))),
            Some(None) => Ok(Outcome::Remove),
            None => Err(UpdateError::OperandType.into()),
        }
    }
}
