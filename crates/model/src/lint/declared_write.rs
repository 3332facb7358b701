//! The writes that patterns declare: patterns of their own, and members of batches and transactions.

use crate::diagnostic::Place;
use crate::document::{ActionKind, Entity, Expression, Known, Model, Operation, Pattern};

/// A write that a pattern declares.
#[derive(Debug, Clone)]
pub(super) struct DeclaredWrite<'m> {
    /// The pattern.
    pub(super) pattern: &'m Pattern,
    /// Where it stands.
    pub(super) place: Place,
    /// What it does.
    pub(super) kind: ActionKind,
    /// To which entity.
    pub(super) entity: &'m Entity,
    /// What must hold.
    pub(super) condition: Option<&'m Expression>,
    /// The change of an update.
    pub(super) change: Option<&'m Expression>,
    /// What a put writes that is not a parameter of the same name.
    pub(super) values: &'m [Known],
}

impl DeclaredWrite<'_> {
    /// Whether it creates or changes items, and does not only delete or check them.
    pub(super) fn stores(&self) -> bool {
        matches!(self.kind, ActionKind::Put | ActionKind::Update)
    }
}

/// All writes of a model, in the order of the file.
pub(super) fn declared_writes(model: &Model) -> Vec<DeclaredWrite<'_>> {
    model.patterns.iter().flat_map(|pattern| writes_of(model, pattern)).collect()
}

/// The writes of one pattern, without those of its steps.
pub(super) fn writes_of<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<DeclaredWrite<'m>> {
    let place = Place::pattern(&pattern.name);
    let own = own_kind(pattern.operation).zip(pattern.entities.first());
    let own = own.and_then(|(kind, entity)| {
        Some(DeclaredWrite {
            pattern,
            place: place.clone(),
            kind,
            entity: model.entity(entity)?,
            condition: pattern.condition.as_ref(),
            change: pattern.change.as_ref(),
            values: &pattern.values,
        })
    });
    let of_actions = pattern.actions.iter().enumerate().filter_map(|(index, action)| {
        Some(DeclaredWrite {
            pattern,
            place: place.member("actions").index(index),
            kind: action.kind,
            entity: model.entity(&action.entity)?,
            condition: action.condition.as_ref(),
            change: action.change.as_ref(),
            values: &action.values,
        })
    });
    own.into_iter().chain(of_actions.filter(|write| is_write(write.kind))).collect()
}

fn is_write(kind: ActionKind) -> bool {
    match kind {
        ActionKind::Put | ActionKind::Update | ActionKind::Delete => true,
        ActionKind::Get | ActionKind::Check => false,
    }
}

fn own_kind(operation: Operation) -> Option<ActionKind> {
    match operation {
        Operation::Put => Some(ActionKind::Put),
        Operation::Update => Some(ActionKind::Update),
        Operation::Delete => Some(ActionKind::Delete),
        Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::BatchGet
        | Operation::BatchWrite
        | Operation::TransactGet
        | Operation::TransactWrite
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => None,
    }
}
