//! Updates of items.
//!
//! Every right side reads the item as it was before the update, and every path means the item as it
//! was: `REMOVE l[0] SET l[1] = :v` sets what was the second element. So an update is applied in four
//! steps: compute all values, write those that have a place, append those beyond the end of their list
//! in the order of their indexes, and remove elements from the last to the first.

use std::collections::BTreeSet;

use monotable_item::{Item, Number, NumberError, Path, Value};

use super::attribute_change::AttributeChange;
use super::lookup::lookup;
use super::place::Place;
use super::projection::Projection;
use super::set;
use crate::UpdateError;
use crate::operation::Arithmetic;

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
    Add(Value),
    /// A set of members to delete.
    Delete(Value),
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
    Value(Value),
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
    /// The item after the update.
    pub fn apply(&self, item: &Item) -> Result<Item, UpdateError> {
        self.run(item, Presence::Present)
    }

    /// The item that the update makes of one that is not in the table, given its key.
    ///
    /// DynamoDB takes any `REMOVE` here, even of a path whose parent is missing.
    pub fn apply_to_absent(&self, key: &Item) -> Result<Item, UpdateError> {
        self.run(key, Presence::Absent)
    }

    /// Whether the update brings an absent item into being: one that only removes does not.
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
                Change::Set(Source::Operand(SourceOperand::Value(value)))
                | Change::Attribute(AttributeChange::Put(value)) => value,
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

    /// What an item, old or new, has at the paths that the update changes.
    ///
    /// Paths keep their meaning by position: after `REMOVE l[1]`, the new item's `l[1]` is the element
    /// that moved there, and after `SET l[9]` beyond the end, there is no `l[9]`. DynamoDB returns
    /// exactly that for `UPDATED_NEW`.
    pub fn project_targets(&self, item: &Item) -> Item {
        Projection::new(self.targets().cloned().collect()).project(item)
    }

    fn run(&self, item: &Item, presence: Presence) -> Result<Item, UpdateError> {
        let mut outcomes = Vec::with_capacity(self.actions.len());
        for action in &self.actions {
            outcomes.push((&action.target, action.change.outcome(item, &action.target)?));
        }
        write_outcomes(item.clone(), outcomes, presence)
    }
}

/// What becomes of a target.
pub(super) enum Outcome {
    Write(Value),
    Remove,
    /// Nothing, but the parent must be there all the same.
    Keep,
}

impl Change {
    fn outcome(&self, item: &Item, target: &Path) -> Result<Outcome, UpdateError> {
        match self {
            Change::Set(source) => source.value(item).map(Outcome::Write),
            Change::Remove => Ok(Outcome::Remove),
            Change::Add(value) => add(lookup(item, target), value).map(Outcome::Write),
            Change::Delete(members) => delete(lookup(item, target), members),
            Change::Attribute(change) => change.outcome(lookup(item, target)),
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
    fn value(&self, item: &Item) -> Result<Value, UpdateError> {
        match self {
            Source::Operand(operand) => operand.value(item),
            Source::Arithmetic { operator, left, right } => {
                let left = left.number(item)?;
                let right = right.number(item)?;
                Ok(Value::Number(calculate(*operator, &left, &right)?))
            }
        }
    }
}

impl SourceOperand {
    fn value(&self, item: &Item) -> Result<Value, UpdateError> {
        match self {
            SourceOperand::Path(path) => lookup(item, path)
                .cloned()
                .ok_or_else(|| UpdateError::MissingOperand { path: path.clone() }),
            SourceOperand::Value(value) => Ok(value.clone()),
            SourceOperand::IfNotExists(path, default) => match lookup(item, path) {
                Some(value) => Ok(value.clone()),
                None => default.value(item),
            },
            SourceOperand::ListAppend(first, second) => {
                let mut list = first.list(item)?;
                list.extend(second.list(item)?);
                Ok(Value::List(list))
            }
        }
    }

    fn number(&self, item: &Item) -> Result<Number, UpdateError> {
        match self.value(item)? {
            Value::Number(number) => Ok(number),
            _ => Err(UpdateError::OperandType),
        }
    }

    fn list(&self, item: &Item) -> Result<Vec<Value>, UpdateError> {
        match self.value(item)? {
            Value::List(list) => Ok(list),
            _ => Err(UpdateError::OperandType),
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

/// `ADD`: a missing number counts as zero, a missing set as empty.
pub(super) fn add(existing: Option<&Value>, value: &Value) -> Result<Value, UpdateError> {
    match (existing, value) {
        (None, value) => Ok(value.clone()),
        (Some(Value::Number(left)), Value::Number(right)) => {
            Ok(Value::Number(left.checked_add(right)?))
        }
        (Some(left), right) => set::union(left, right).ok_or(UpdateError::OperandType),
    }
}

/// `DELETE`: a set that loses its last member goes away.
pub(super) fn delete(existing: Option<&Value>, members: &Value) -> Result<Outcome, UpdateError> {
    let Some(existing) = existing else { return Ok(Outcome::Keep) };
    let rest = set::difference(existing, members).ok_or(UpdateError::OperandType)?;
    Ok(rest.map_or(Outcome::Remove, Outcome::Write))
}

fn write_outcomes(
    mut item: Item,
    outcomes: Vec<(&Path, Outcome)>,
    presence: Presence,
) -> Result<Item, UpdateError> {
    let mut appends = Vec::new();
    let mut removals = Vec::new();
    for (path, outcome) in outcomes {
        let Some(place) = Place::of(&mut item, path) else {
            if presence == Presence::Absent && matches!(outcome, Outcome::Remove) {
                continue;
            }
            return Err(UpdateError::InvalidPath { path: path.clone() });
        };
        match outcome {
            Outcome::Write(value) => {
                appends.extend(place.write(value).map(|value| (path, value)));
            }
            // An element beyond the end is not removed, even if one is appended there.
            Outcome::Remove if place.is_occupied() => removals.push(path),
            Outcome::Remove | Outcome::Keep => {}
        }
    }
    append_all(&mut item, appends);
    remove_all(&mut item, removals);
    Ok(item)
}

fn append_all(item: &mut Item, mut appends: Vec<(&Path, Value)>) {
    appends.sort_by_key(|(path, _)| *path);
    for (path, value) in appends {
        if let Some(place) = Place::of(item, path) {
            place.append(value);
        }
    }
}

/// Removes from the last path to the first, so that no removal moves what another one means.
fn remove_all(item: &mut Item, mut removals: Vec<&Path>) {
    removals.sort_by(|left, right| right.cmp(left));
    for path in removals {
        if let Some(place) = Place::of(item, path) {
            place.remove();
        }
    }
}
