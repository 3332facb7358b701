//! Requests by the whole key of an item.

use monotable_model::document::{
    ActionKind, Entity, Expression, Known, Model, Pattern, ReturnsValues, Source, Table,
};
use monotable_model::template::{Segment, Template};

use super::answer::{Plan, Unserved};
use super::bindings::Bindings;
use super::derived::{Change, derived_keys, own_keys};
use super::key_text::{KeyText, Piece};
use super::partition::known_piece;
use super::period_table::named_table;
use super::query::{table_fan_out, wanted};
use super::reason::{Reason, Rejection};
use super::request_plan::{
    DeletePlan, FanOut, GetPlan, KeyPart, Lock, PlannedAction, PlannedRequest, PutPlan, UpdatePlan,
};
use super::route::{Route, Target};

/// What is done to one item.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemTask<'a> {
    pub(super) kind: ActionKind,
    pub(super) by: &'a [Known],
    pub(super) values: &'a [Known],
    pub(super) condition: Option<&'a Expression>,
    pub(super) change: Option<&'a Expression>,
    pub(super) project: Option<&'a Expression>,
    pub(super) consistent: bool,
    pub(super) returns_values: Option<ReturnsValues>,
}

impl<'a> ItemTask<'a> {
    /// The task of a pattern about one item.
    pub(super) fn of_pattern(kind: ActionKind, pattern: &'a Pattern) -> ItemTask<'a> {
        ItemTask {
            kind,
            by: &pattern.by,
            values: &pattern.values,
            condition: pattern.condition.as_ref(),
            change: pattern.change.as_ref(),
            project: pattern.project.as_ref(),
            consistent: pattern.consistent,
            returns_values: pattern.returns_values,
        }
    }
}

/// Plans a pattern about one item.
pub(super) fn plan_item(model: &Model, pattern: &Pattern, kind: ActionKind) -> Plan {
    let mut plan = Plan::empty(&pattern.name);
    let task = ItemTask::of_pattern(kind, pattern);
    let wanted = wanted(model, pattern);
    for entity in &wanted {
        match plan_task(model, pattern, entity, &task) {
            Ok(mut request) => {
                let is_read = kind == ActionKind::Get;
                request.fan_out.extend(table_fan_out(pattern, &wanted).filter(|_| is_read));
                plan.steps.push(request);
            }
            Err(rejection) => plan.unserved.push(Unserved::new(&pattern.name, vec![rejection])),
        }
    }
    plan
}

/// Plans what is done to one item.
pub(super) fn plan_task(
    model: &Model,
    pattern: &Pattern,
    entity: &Entity,
    task: &ItemTask<'_>,
) -> Result<PlannedRequest, Rejection> {
    let named = pattern.table.as_deref().and_then(|name| model.table(name));
    let Some(table) = named.or_else(|| model.tables_of(entity).next()) else {
        let reason = Reason::Embedded { entity: entity.name.clone() };
        let target = Target { table: String::new(), index: None };
        return Err(Rejection { target, reasons: vec![reason] });
    };
    let target = Target { table: table.name.clone(), index: None };
    let key = ItemKey::new(table, entity, task);
    let reject = |reasons| Rejection { target: target.clone(), reasons };
    let parts = key.parts().map_err(reject)?;
    let of_period = named_table(table, entity, &key.bindings, None);
    let of_period = of_period.map_err(|reason| reject(vec![reason]))?;
    let action = key.action(parts).map_err(reject)?;
    Ok(PlannedRequest {
        pattern: pattern.name.clone(),
        each: None,
        target: target.clone(),
        table_name: of_period.name,
        entities: vec![entity.name.clone()],
        fan_out: key.fan_out(&action),
        action,
        missing: Vec::new(),
        without_range: None,
    })
}

/// The key of an item that something is done to.
struct ItemKey<'a> {
    table: &'a Table,
    entity: &'a Entity,
    task: &'a ItemTask<'a>,
    bindings: Bindings,
}

impl<'a> ItemKey<'a> {
    fn new(table: &'a Table, entity: &'a Entity, task: &'a ItemTask<'a>) -> ItemKey<'a> {
        let mut bindings = Bindings::of_entity(entity, task.by);
        if task.kind == ActionKind::Put {
            bindings = put_bindings(entity, task);
        }
        if let Some(copies) = &entity.copies {
            // Whoever writes writes all copies; whoever reads picks one.
            let number = Source::Parameter(copies.attribute.clone());
            let mut picked = Bindings::default();
            picked.bind(&copies.attribute, number);
            bindings.extend(picked);
        }
        ItemKey { table, entity, task, bindings }
    }

    /// The attributes of the key, or all that is missing of it.
    fn parts(&self) -> Result<Vec<KeyPart>, Vec<Reason>> {
        let mut reasons = Vec::new();
        let mut parts = Vec::new();
        let route = Route { table: self.table, index: None };
        let Some(keys) = route.keys_of(self.entity) else {
            return Err(vec![Reason::NotInTable { entity: self.entity.name.clone() }]);
        };
        let templates = keys.partition.iter().chain(&keys.sort);
        for (position, (attribute, template)) in
            self.table.key_attributes().zip(templates).enumerate()
        {
            match key_text(template, &self.bindings) {
                Ok(text) => parts.push(KeyPart { attribute: attribute.name.clone(), text }),
                Err(missing) => reasons.extend(missing.into_iter().map(|attribute| {
                    let entity = self.entity.name.clone();
                    match position {
                        0 => Reason::MissingPartition { entity, attribute },
                        _ => Reason::MissingSort { entity, attribute },
                    }
                })),
            }
        }
        if reasons.is_empty() { Ok(parts) } else { Err(reasons) }
    }

    fn action(&self, key: Vec<KeyPart>) -> Result<PlannedAction, Vec<Reason>> {
        let condition = self.task.condition.cloned();
        let returns_values = self.task.returns_values;
        Ok(match self.task.kind {
            ActionKind::Get => PlannedAction::Get(GetPlan {
                key,
                project: self.task.project.cloned(),
                consistent: self.task.consistent,
            }),
            ActionKind::Put => {
                let known = self.task.by.iter().chain(self.task.values);
                let values = known.map(|known| (known.attribute.clone(), known.source.clone()));
                let values = values.collect();
                PlannedAction::Put(PutPlan { key, values, condition, returns_values })
            }
            ActionKind::Update => PlannedAction::Update(self.update(key)?),
            ActionKind::Delete => {
                PlannedAction::Delete(DeletePlan { key, condition, returns_values })
            }
            ActionKind::Check => {
                PlannedAction::Check(DeletePlan { key, condition, returns_values })
            }
        })
    }

    fn update(&self, key: Vec<KeyPart>) -> Result<UpdatePlan, Vec<Reason>> {
        // A pattern that an editor has read in part may lack its change.
        let Some(change) = self.task.change.cloned() else { return Err(Vec::new()) };
        let effect = Change::of(&change);
        let reasons = effect.key_reasons(self.table, self.entity);
        if !reasons.is_empty() {
            return Err(reasons);
        }
        let (derived, mut needs) = derived_keys(self.table, self.entity, &self.bindings, &effect);
        let lock = self.lock(&effect);
        needs.extend(self.entity.lock.clone().filter(|_| lock.is_some()));
        Ok(UpdatePlan {
            key,
            change,
            derived,
            own_keys: own_keys(self.table, self.entity, &effect),
            needs,
            lock,
            condition: self.task.condition.cloned(),
            returns_values: self.task.returns_values,
        })
    }

    /// The lock of the entity, unless the pattern compares or changes it.
    fn lock(&self, effect: &Change) -> Option<Lock> {
        let name = self.entity.lock.as_ref()?;
        let attribute = self.entity.attribute(name)?.item_name().to_owned();
        let mut compared = self.task.condition.iter().flat_map(|condition| &condition.attributes);
        let is_done = effect.changes(&attribute) || compared.any(|compared| compared == name);
        (!is_done).then(|| Lock { attribute, read: Source::Parameter(name.clone()) })
    }

    /// Reads of a shard that nothing tells ask each; writes choose one. Writes of an item with
    /// copies write each.
    fn fan_out(&self, action: &PlannedAction) -> Vec<FanOut> {
        match action {
            PlannedAction::Get(get) => {
                let pieces = get.key.iter().flat_map(|part| part.text.pieces());
                pieces.filter_map(shards).collect()
            }
            _ => self.copies().into_iter().collect(),
        }
    }

    fn copies(&self) -> Option<FanOut> {
        let copies = self.entity.copies.as_ref()?;
        let is_given = self.task.by.iter().any(|known| known.attribute == copies.attribute);
        (!is_given).then(|| FanOut::Copies {
            attribute: copies.attribute.clone(),
            first: copies.first,
            count: copies.count,
        })
    }
}

/// A caller that puts an item has all its attributes: each is a parameter of its name unless said
/// otherwise.
fn put_bindings(entity: &Entity, task: &ItemTask<'_>) -> Bindings {
    let mut bindings = Bindings::default();
    for attribute in &entity.attributes {
        bindings.bind(&attribute.name, Source::Parameter(attribute.name.clone()));
    }
    for known in task.by.iter().chain(task.values) {
        bindings.bind(&known.attribute, known.source.clone());
    }
    bindings
}

/// The key that a template gives, or the attributes that it lacks.
pub(super) fn key_text(template: &Template, bindings: &Bindings) -> Result<KeyText, Vec<String>> {
    let mut text = KeyText::empty(template.delimiter());
    let mut missing = Vec::new();
    for segment in template.segments() {
        match (known_piece(segment, bindings), segment) {
            (Some(piece), _) => text = text.with(piece),
            (None, Segment::Shard(shard)) => text = text.with(Piece::EachShard(shard.clone())),
            (None, Segment::Attribute(_) | Segment::Literal(_)) => {
                missing.extend(segment.paths().iter().map(|path| path.to_string()));
            }
        }
    }
    if missing.is_empty() { Ok(text) } else { Err(missing) }
}

fn shards(piece: &Piece) -> Option<FanOut> {
    match piece {
        Piece::EachShard(shard) => {
            Some(FanOut::Shards { first: shard.first(), count: shard.count() })
        }
        Piece::Literal(_)
        | Piece::Value { .. }
        | Piece::Beginning { .. }
        | Piece::Shard { .. }
        | Piece::EachPeriod { .. } => None,
    }
}
