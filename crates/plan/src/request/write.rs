//! Writes.

use monotable_item::{Item, Value};
use monotable_model::document::{Entity, ItemError, ItemSource, Source, Table, build_item};

use super::read::fill_key;
use super::update_text::with_clauses;
use super::{CheckRequest, DeleteRequest, Placeholders, PutRequest, UpdateRequest};
use crate::fill::{Arguments, FillError};
use crate::request_plan::{
    DeletePlan, DerivedEffect, DerivedKey, Lock, OwnKey, PutPlan, UpdatePlan,
};

/// The item with its keys, made of the parameters that are attributes.
pub(super) fn put(
    table: &Table,
    entity: &Entity,
    plan: &PutPlan,
    arguments: &Arguments<'_>,
) -> Result<PutRequest, FillError> {
    let mut attributes = Item::new();
    for attribute in &entity.attributes {
        let given = arguments.values.get(&attribute.name);
        let value = given.or_else(|| single(&attribute.values));
        attributes.extend(value.map(|value| (attribute.name.clone(), value.clone())));
    }
    for (name, source) in &plan.values {
        match (arguments.value(source), source) {
            (Ok(value), _) => {
                attributes.insert(name.clone(), value);
            }
            (Err(error), Source::Literal(_)) => return Err(error),
            // What the key needs and is not there is reported when the key is built.
            (Err(_), Source::Parameter(_)) => {}
        }
    }
    let shard = arguments.shard;
    let source = ItemSource { table, entity, attributes: &attributes, without: &[], shard };
    let mut placeholders = Placeholders::default();
    Ok(PutRequest {
        table: table.physical_name().to_owned(),
        item: build_item(&source)?,
        condition: placeholders.bind_all(plan.condition.as_ref(), arguments)?,
        placeholders,
        returns_values: plan.returns_values,
    })
}

fn single(values: &[Value]) -> Option<&Value> {
    match values {
        [value] => Some(value),
        _ => None,
    }
}

pub(super) fn update(
    table: &Table,
    entity: &Entity,
    plan: &UpdatePlan,
    arguments: &Arguments<'_>,
) -> Result<UpdateRequest, FillError> {
    plan.own_keys.iter().try_for_each(|own| check_own_key(own, arguments))?;
    let mut placeholders = Placeholders::default();
    let update = placeholders.bind(&plan.change, arguments)?;
    let condition = placeholders.bind_all(plan.condition.as_ref(), arguments)?;
    let mut added = AddedClauses::default();
    for derived in &plan.derived {
        added.derive(entity, derived, &mut placeholders, arguments)?;
    }
    let condition = match &plan.lock {
        Some(lock) => Some(added.lock(lock, condition, &mut placeholders, arguments)?),
        None => condition,
    };
    let update = with_clauses(&update, "SET", &added.sets);
    Ok(UpdateRequest {
        table: table.physical_name().to_owned(),
        key: fill_key(&plan.key, arguments)?,
        update: with_clauses(&update, "REMOVE", &added.removes),
        condition,
        placeholders,
        returns_values: plan.returns_values,
    })
}

/// Refuses what a put of the same item refuses: a key in another form than its template's.
fn check_own_key(own: &OwnKey, arguments: &Arguments<'_>) -> Result<(), FillError> {
    let (given, built) = (arguments.value(&own.given)?, own.part.text.fill(arguments)?);
    if given == built {
        return Ok(());
    }
    let attribute = own.part.attribute.clone();
    let (given, built) = (Box::new(given), Box::new(built));
    Err(ItemError::Conflict { attribute, given, built }.into())
}

/// What the planner adds to the change that a pattern says.
#[derive(Default)]
struct AddedClauses {
    sets: Vec<String>,
    removes: Vec<String>,
}

impl AddedClauses {
    /// Sets or removes the key of an index.
    fn derive(
        &mut self,
        entity: &Entity,
        derived: &DerivedKey,
        placeholders: &mut Placeholders,
        arguments: &Arguments<'_>,
    ) -> Result<(), FillError> {
        let is_set = match derived.effect {
            DerivedEffect::Set => true,
            DerivedEffect::Remove => false,
            DerivedEffect::SetOrRemove => holds_after(entity, derived, arguments)?,
        };
        for part in &derived.parts {
            let name = placeholders.name(&part.attribute);
            if is_set {
                let value = placeholders.value(part.text.fill(arguments)?);
                self.sets.push(format!("{name} = {value}"));
            } else {
                self.removes.push(name);
            }
        }
        Ok(())
    }

    /// Raises a lock, and returns the condition with the comparison of it.
    fn lock(
        &mut self,
        lock: &Lock,
        condition: Option<String>,
        placeholders: &mut Placeholders,
        arguments: &Arguments<'_>,
    ) -> Result<String, FillError> {
        let name = placeholders.name(&lock.attribute);
        let read = placeholders.value(arguments.value(&lock.read)?);
        let one = placeholders.value(Value::from(1));
        self.sets.push(format!("{name} = {name} + {one}"));
        let others = condition.map(|condition| format!("({condition}) AND ")).unwrap_or_default();
        Ok(format!("{others}{name} = {read}"))
    }
}

/// Returns whether the condition of an index holds after the update.
fn holds_after(
    entity: &Entity,
    derived: &DerivedKey,
    arguments: &Arguments<'_>,
) -> Result<bool, FillError> {
    let Some(when) = &derived.keys.when else { return Ok(true) };
    let mut item = Item::new();
    for (name, source) in &derived.known {
        let attribute = entity.attribute(name);
        let stored = attribute.map_or(name.as_str(), |attribute| attribute.item_name());
        item.insert(stored.to_owned(), arguments.value(source)?);
    }
    Ok(when.condition(|_| None)?.matches(&item))
}

pub(super) fn delete(
    table: &Table,
    plan: &DeletePlan,
    arguments: &Arguments<'_>,
) -> Result<DeleteRequest, FillError> {
    let mut placeholders = Placeholders::default();
    Ok(DeleteRequest {
        table: table.physical_name().to_owned(),
        key: fill_key(&plan.key, arguments)?,
        condition: placeholders.bind_all(plan.condition.as_ref(), arguments)?,
        placeholders,
        returns_values: plan.returns_values,
    })
}

pub(super) fn check(
    table: &Table,
    plan: &DeletePlan,
    arguments: &Arguments<'_>,
) -> Result<CheckRequest, FillError> {
    let mut placeholders = Placeholders::default();
    Ok(CheckRequest {
        table: table.physical_name().to_owned(),
        key: fill_key(&plan.key, arguments)?,
        condition: placeholders.bind_all(plan.condition.as_ref(), arguments)?.unwrap_or_default(),
        placeholders,
    })
}
