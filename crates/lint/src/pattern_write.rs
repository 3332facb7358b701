//! What patterns write: puts, updates and deletes, alone or as members of batches and transactions.

use monotable_model::diagnostic::Place;
use monotable_model::document::{
    Action, ActionKind, Entity, Expression, Known, Model, Operation, Pattern, ReturnsValues,
};

/// A write, or a check, of a pattern.
#[derive(Debug, Clone)]
pub(super) struct PatternWrite<'m> {
    pub(super) pattern: &'m Pattern,
    /// Where it stands: the pattern, or one of its actions.
    pub(super) place: Place,
    pub(super) kind: ActionKind,
    pub(super) entity: &'m Entity,
    pub(super) condition: Option<&'m Expression>,
    pub(super) change: Option<&'m Expression>,
    pub(super) values: &'m [Known],
    pub(super) each: Option<&'m str>,
    pub(super) returns_values: Option<ReturnsValues>,
}

impl PatternWrite<'_> {
    /// Whether it creates or changes items, and does not only delete or check them.
    pub(super) fn stores(&self) -> bool {
        matches!(self.kind, ActionKind::Put | ActionKind::Update)
    }
}

/// The writes of all patterns, in the order of the file.
pub(super) fn all_writes(model: &Model) -> Vec<PatternWrite<'_>> {
    model.patterns.iter().flat_map(|pattern| writes_of(model, pattern)).collect()
}

/// The writes and checks of one pattern. Those of its steps belong to the steps.
pub(super) fn writes_of<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<PatternWrite<'m>> {
    let place = Place::pattern(&pattern.name);
    let single = kind_of(pattern.operation).and_then(|kind| {
        let entity = model.entity(pattern.entities.first()?)?;
        Some(PatternWrite {
            pattern,
            place: place.clone(),
            kind,
            entity,
            condition: pattern.condition.as_ref(),
            change: pattern.change.as_ref(),
            values: &pattern.values,
            each: None,
            returns_values: pattern.returns_values,
        })
    });
    let of_action = |(position, action): (usize, &'m Action)| {
        (action.kind != ActionKind::Get).then_some(())?;
        Some(PatternWrite {
            pattern,
            place: place.member("actions").index(position),
            kind: action.kind,
            entity: model.entity(&action.entity)?,
            condition: action.condition.as_ref(),
            change: action.change.as_ref(),
            values: &action.values,
            each: action.each.as_deref(),
            returns_values: None,
        })
    };
    single.into_iter().chain(pattern.actions.iter().enumerate().filter_map(of_action)).collect()
}

/// Whether every put of an entity gives the attribute a value of its own, so that items are created
/// with it.
pub(super) fn is_created_with(model: &Model, entity: &Entity, attribute: &str) -> bool {
    let puts = all_writes(model).into_iter();
    let mut puts = puts
        .filter(|write| write.kind == ActionKind::Put && write.entity.name == entity.name)
        .peekable();
    let gives = |put: PatternWrite<'_>| put.values.iter().any(|known| known.attribute == attribute);
    puts.peek().is_some() && puts.all(gives)
}

fn kind_of(operation: Operation) -> Option<ActionKind> {
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
