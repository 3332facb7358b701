//! Patterns of several members: batches, transactions, steps.

use monotable_model::document::{Action, ActionKind, Each, Model, Operation, Pattern};

use super::answer::{Plan, Unserved};
use super::item_key::{ItemTask, plan_task};
use super::planning::plan_within;
use super::query::wanted;
use super::reason::{Reason, Rejection};
use super::request_plan::{PlannedAction, PlannedRequest};

/// Plans a batch or transaction as one request.
pub(super) fn plan_group(model: &Model, pattern: &Pattern) -> Plan {
    let mut answer = Plan::empty(&pattern.name);
    let mut members = Vec::new();
    for planned in planned_members(model, pattern) {
        match planned {
            Ok(member) => members.push(member),
            Err(rejection) => answer.unserved.push(Unserved::new(&pattern.name, vec![rejection])),
        }
    }
    let Some(first) = members.first().filter(|_| answer.is_served()) else { return answer };
    let (target, mut entities) = (first.target.clone(), Vec::new());
    for entity in members.iter().flat_map(|member| &member.entities) {
        if !entities.contains(entity) {
            entities.push(entity.clone());
        }
    }
    answer.steps.push(PlannedRequest {
        pattern: pattern.name.clone(),
        each: None,
        target,
        table_name: None,
        entities,
        action: grouped(pattern.operation, members),
        fan_out: Vec::new(),
        missing: Vec::new(),
        without_range: None,
    });
    answer
}

fn grouped(operation: Operation, members: Vec<PlannedRequest>) -> PlannedAction {
    match operation {
        Operation::BatchWrite => PlannedAction::BatchWrite(members),
        Operation::TransactGet => PlannedAction::TransactGet(members),
        Operation::TransactWrite => PlannedAction::TransactWrite(members),
        Operation::BatchGet
        | Operation::Get
        | Operation::Query
        | Operation::Scan
        | Operation::Put
        | Operation::Update
        | Operation::Delete
        | Operation::Steps
        | Operation::Expire
        | Operation::Consume
        | Operation::Administer => PlannedAction::BatchGet(members),
    }
}

/// The members: one for each action, or for each entity that a batch of reads names.
fn planned_members(model: &Model, pattern: &Pattern) -> Vec<Result<PlannedRequest, Rejection>> {
    let of_actions = pattern.actions.iter().filter_map(|action| {
        let entity = model.entity(&action.entity)?;
        let planned = plan_task(model, pattern, entity, &task_of(action, pattern));
        let planned = planned.and_then(|request| batched(pattern.operation, action, request));
        let each = action.each.clone().map(Each::Parameter);
        Some(planned.map(|request| PlannedRequest { each, ..request }))
    });
    let task = ItemTask::of_pattern(ActionKind::Get, pattern);
    let of_entities = wanted(model, pattern);
    let of_entities =
        of_entities.into_iter().map(|entity| plan_task(model, pattern, entity, &task));
    of_actions.chain(of_entities).collect()
}

/// A member, unless it is what a batch of writes does not take.
fn batched(
    operation: Operation,
    action: &Action,
    request: PlannedRequest,
) -> Result<PlannedRequest, Rejection> {
    let entity = action.entity.clone();
    let reason = match action.kind {
        ActionKind::Update | ActionKind::Check => Reason::UpdateInBatch { entity },
        ActionKind::Get | ActionKind::Put | ActionKind::Delete if action.condition.is_some() => {
            Reason::ConditionInBatch { entity }
        }
        ActionKind::Get | ActionKind::Put | ActionKind::Delete => return Ok(request),
    };
    if operation != Operation::BatchWrite {
        return Ok(request);
    }
    Err(Rejection { target: request.target, reasons: vec![reason] })
}

fn task_of<'a>(action: &'a Action, pattern: &'a Pattern) -> ItemTask<'a> {
    ItemTask {
        kind: action.kind,
        by: &action.by,
        values: &action.values,
        condition: action.condition.as_ref(),
        change: action.change.as_ref(),
        project: pattern.project.as_ref().filter(|_| action.kind == ActionKind::Get),
        consistent: pattern.consistent,
        returns_values: None,
    }
}

/// Plans each step of a pattern, one after the other.
pub(super) fn plan_steps(model: &Model, pattern: &Pattern, outer: &[&str]) -> Plan {
    let mut answer = Plan::empty(&pattern.name);
    for step in &pattern.steps {
        let Some(inner) = model.pattern(&step.pattern) else { continue };
        let is_circular = inner.name == pattern.name || outer.contains(&inner.name.as_str());
        if is_circular {
            continue;
        }
        let mut path = outer.to_vec();
        path.push(&pattern.name);
        let inner = plan_within(model, inner, &path);
        answer.shortfalls.extend(inner.shortfalls);
        answer.unserved.extend(inner.unserved);
        for request in inner.steps {
            let each = request.each.clone().or(step.each.clone());
            answer.steps.push(PlannedRequest { each, ..request });
        }
    }
    answer
}
