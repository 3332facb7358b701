//! The requests on items that access patterns make, in the form in which they arrive.
//!
//! A pattern about items is known by its operation and entity. Where several patterns do the same
//! to the same entity, they are told apart by what they change, by their conditions, and by what
//! they return. What is left and equal is undecided.

use monotable_expr::{Condition, Projection, Update};
use monotable_item::Path;
use monotable_model::document::{Entity, Expression, Model};
use monotable_plan::{Change, PlannedAction, PlannedRequest, UpdatePlan};

use crate::call::{Group, ItemCall, ItemKind, KeyBytes};
use crate::entity_forms::Candidates;
use crate::key_form::KeyForm;
use crate::page_shape::{has_literal_value, key_form};

/// The pattern of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This one, by its number in the model.
    Pattern(u16),
    /// One of several.
    Undecided,
    /// None.
    Unmatched,
}

impl Choice {
    /// Of patterns with their likeness, the most like. Two that are equally like are undecided.
    pub(crate) fn best(rated: impl Iterator<Item = (u16, u32)>) -> Choice {
        let mut best: Option<(u16, u32)> = None;
        let mut is_tied = false;
        for (pattern, likeness) in rated {
            match best {
                Some((known, most)) if most == likeness => is_tied |= known != pattern,
                Some((_, most)) if most > likeness => {}
                Some(_) | None => {
                    best = Some((pattern, likeness));
                    is_tied = false;
                }
            }
        }
        match best {
            Some((pattern, _)) if !is_tied => Choice::Pattern(pattern),
            Some(_) => Choice::Undecided,
            None => Choice::Unmatched,
        }
    }
}

/// The requests on one item, by entity and kind.
#[derive(Debug, Default)]
pub(crate) struct ItemShapes {
    by_entity: Vec<[Vec<ItemShape>; ItemKind::COUNT]>,
}

/// A request on one item that a pattern makes.
#[derive(Debug, Clone)]
pub(crate) struct ItemShape {
    pattern: u16,
    /// The key, where the pattern fixes a part of it.
    key: Option<Vec<KeyForm>>,
    change: Option<ChangeShape>,
    condition: Option<Vec<String>>,
    projection: Option<Vec<String>>,
}

/// What an update changes, by names in items.
#[derive(Debug, Clone)]
struct ChangeShape {
    kept: Vec<String>,
    removed: Vec<String>,
    /// What may be changed besides: keys of indexes, the lock, the time of the change.
    also: Vec<String>,
}

impl ItemShapes {
    pub(crate) fn add(&mut self, entity: u16, kind: ItemKind, shape: ItemShape) {
        let length = usize::from(entity) + 1;
        if self.by_entity.len() < length {
            self.by_entity.resize_with(length, Default::default);
        }
        let kinds = self.by_entity.get_mut(usize::from(entity));
        if let Some(shapes) = kinds.and_then(|kinds| kinds.get_mut(kind.number())) {
            shapes.push(shape);
        }
    }

    /// The pattern of a request on an item that can be one of these entities.
    pub(crate) fn choose(&self, call: &ItemCall<'_>, candidates: &Candidates) -> Choice {
        // Most keys are of one entity, with which most kinds of calls do one thing.
        if let Some(entity) = candidates.only()
            && let [shape] = self.of(entity, call.kind)
            && shape.is_simple()
        {
            return Choice::Pattern(shape.pattern);
        }
        let shapes = candidates.all().iter().flat_map(|entity| self.of(*entity, call.kind));
        Choice::best(shapes.filter_map(|shape| Some((shape.pattern, shape.likeness(call)?))))
    }

    fn of(&self, entity: u16, kind: ItemKind) -> &[ItemShape] {
        let kinds = self.by_entity.get(usize::from(entity));
        kinds.and_then(|kinds| kinds.get(kind.number())).map_or(&[], Vec::as_slice)
    }
}

impl ItemShape {
    /// The shape of a planned request on one item.
    pub(crate) fn new(
        pattern: u16,
        request: &PlannedRequest,
        entity: &Entity,
    ) -> Option<ItemShape> {
        let key = request.action.item_key()?;
        let (change, condition, projection) = match &request.action {
            PlannedAction::Get(get) => (None, None, get.project.as_ref()),
            PlannedAction::Put(put) => (None, put.condition.as_ref(), None),
            PlannedAction::Update(update) => {
                (Some(ChangeShape::new(update, entity)), update.condition.as_ref(), None)
            }
            PlannedAction::Delete(delete) | PlannedAction::Check(delete) => {
                (None, delete.condition.as_ref(), None)
            }
            PlannedAction::Query(_)
            | PlannedAction::Scan(_)
            | PlannedAction::Fetch
            | PlannedAction::BatchGet(_)
            | PlannedAction::BatchWrite(_)
            | PlannedAction::TransactGet(_)
            | PlannedAction::TransactWrite(_) => return None,
        };
        let is_fixed = key.iter().any(|part| has_literal_value(&part.text));
        Some(ItemShape {
            pattern,
            key: is_fixed.then(|| key.iter().map(|part| key_form(&part.text)).collect()),
            change,
            condition: condition.map(|condition| stored_names(condition, entity)),
            projection: projection.map(|project| stored_names(project, entity)),
        })
    }

    /// Returns whether every request of its kind on its entity is like this one.
    fn is_simple(&self) -> bool {
        self.key.is_none() && self.change.is_none()
    }

    /// How much a request is like this one; nothing if it is another.
    fn likeness(&self, call: &ItemCall<'_>) -> Option<u32> {
        let mut likeness = 0;
        if let Some(key) = &self.key {
            likeness += has_key(key, call).then_some(16)?;
        }
        if let (Some(change), Some(update)) = (&self.change, call.update) {
            likeness += change.likeness(update)?;
        }
        likeness += 2 * u32::from(same_condition(self.condition.as_deref(), call.condition));
        likeness += u32::from(same_projection(self.projection.as_deref(), call.projection));
        Some(likeness)
    }
}

impl ChangeShape {
    fn new(update: &UpdatePlan, entity: &Entity) -> ChangeShape {
        let change = Change::of(&update.change);
        let derived = update.derived.iter().flat_map(|key| &key.parts);
        let mut also: Vec<String> = derived.map(|part| part.attribute.clone()).collect();
        also.extend(update.lock.iter().map(|lock| lock.attribute.clone()));
        let touched = entity.touched.as_ref().and_then(|name| entity.attribute(name));
        also.extend(touched.map(|attribute| attribute.item_name().to_owned()));
        let is_kept = |name: &String| !change.cut.contains(name);
        ChangeShape {
            kept: change.targets.iter().filter(|name| is_kept(name)).cloned().collect(),
            removed: change.cut,
            also,
        }
    }

    /// How much an update is like this one; nothing if it changes something else.
    fn likeness(&self, update: &Update) -> Option<u32> {
        let (mut kept, mut removed) = (0, 0);
        for (target, is_removed) in update.changed() {
            let root = &target.root;
            match is_removed {
                true if self.removed.contains(root) => removed += 1,
                false if self.kept.contains(root) => kept += 1,
                _ if self.also.contains(root) => {}
                _ => return None,
            }
        }
        let is_whole = kept >= self.kept.len() && removed >= self.removed.len();
        is_whole.then(|| 4 * u32::try_from(kept + removed).unwrap_or(u32::MAX / 8))
    }
}

fn has_key(key: &[KeyForm], call: &ItemCall<'_>) -> bool {
    let sent = [Some(call.partition), call.sort];
    let sent: Vec<KeyBytes<'_>> = sent.into_iter().flatten().collect();
    sent.len() == key.len() && key.iter().zip(sent).all(|(form, sent)| form.matches(sent))
}

/// The attributes of an expression, by their names in items.
pub(crate) fn stored_names(expression: &Expression, entity: &Entity) -> Vec<String> {
    let stored = |name: &String| match entity.attribute(name) {
        Some(attribute) => attribute.item_name().to_owned(),
        None => name.clone(),
    };
    expression.attributes.iter().map(stored).collect()
}

fn same_condition(known: Option<&[String]>, sent: Option<&Condition>) -> bool {
    match (known, sent) {
        (None, None) => true,
        (Some(known), Some(sent)) => same_names(known, &sent.paths()),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Returns whether a filter or projection is about the same attributes.
pub(crate) fn same_projection(known: Option<&[String]>, sent: Option<&Projection>) -> bool {
    match (known, sent) {
        (None, None) => true,
        (Some(known), Some(sent)) => same_names(known, &sent.paths().iter().collect::<Vec<_>>()),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Returns whether paths begin with these names, and with no others.
pub(crate) fn same_names(known: &[String], sent: &[&Path]) -> bool {
    sent.iter().all(|path| known.contains(&path.root))
        && known.iter().all(|name| sent.iter().any(|path| path.root == *name))
}

/// A batch or transaction that a pattern makes.
#[derive(Debug)]
pub(crate) struct GroupShape {
    group: Group,
    pattern: u16,
    members: Vec<GroupMember>,
}

#[derive(Debug)]
struct GroupMember {
    kind: ItemKind,
    entity: u16,
    /// Whether there can be any number of them.
    is_repeated: bool,
}

impl GroupShape {
    /// The shape of a planned batch or transaction.
    pub(crate) fn new(model: &Model, pattern: u16, request: &PlannedRequest) -> Option<GroupShape> {
        let group = match &request.action {
            PlannedAction::BatchGet(_) | PlannedAction::Fetch => Group::BatchGet,
            PlannedAction::BatchWrite(_) => Group::BatchWrite,
            PlannedAction::TransactGet(_) => Group::TransactGet,
            PlannedAction::TransactWrite(_) => Group::TransactWrite,
            PlannedAction::Get(_)
            | PlannedAction::Query(_)
            | PlannedAction::Scan(_)
            | PlannedAction::Put(_)
            | PlannedAction::Update(_)
            | PlannedAction::Delete(_)
            | PlannedAction::Check(_) => return None,
        };
        let reads = matches!(group, Group::BatchGet | Group::TransactGet);
        let members = request.action.members().iter().filter_map(|member| {
            Some(GroupMember {
                kind: kind_of(&member.action)?,
                entity: number_of(model, member.entities.first()?)?,
                is_repeated: reads || member.each.is_some() || !member.fan_out.is_empty(),
            })
        });
        let fetched = request.entities.iter().filter(|_| request.action == PlannedAction::Fetch);
        let fetched = fetched.filter_map(|name| {
            let entity = number_of(model, name)?;
            Some(GroupMember { kind: ItemKind::Get, entity, is_repeated: true })
        });
        Some(GroupShape { group, pattern, members: members.chain(fetched).collect() })
    }

    /// The pattern, and how much a request is like it; nothing if it is another.
    pub(crate) fn likeness(
        &self,
        group: Group,
        sent: &[(ItemKind, Candidates)],
    ) -> Option<(u16, u32)> {
        if self.group != group {
            return None;
        }
        let is = |member: &GroupMember, (kind, candidates): &(ItemKind, Candidates)| {
            member.kind == *kind && candidates.all().contains(&member.entity)
        };
        let is_known = |one: &(ItemKind, Candidates)| self.members.iter().any(|own| is(own, one));
        let is_there = |own: &GroupMember| sent.iter().any(|one| is(own, one));
        let is_whole = self.members.iter().all(|own| own.is_repeated || is_there(own));
        if !is_whole || !sent.iter().all(is_known) {
            return None;
        }
        let there = self.members.iter().filter(|own| is_there(own)).count();
        let absent = self.members.len() - there;
        let likeness = 100 + 2 * there.min(40) - absent.min(40);
        Some((self.pattern, u32::try_from(likeness).unwrap_or_default()))
    }
}

/// What a planned request does to its item.
pub(crate) fn kind_of(action: &PlannedAction) -> Option<ItemKind> {
    match action {
        PlannedAction::Get(_) => Some(ItemKind::Get),
        PlannedAction::Put(_) => Some(ItemKind::Put),
        PlannedAction::Update(_) => Some(ItemKind::Update),
        PlannedAction::Delete(_) => Some(ItemKind::Delete),
        PlannedAction::Check(_) => Some(ItemKind::Check),
        PlannedAction::Query(_)
        | PlannedAction::Scan(_)
        | PlannedAction::Fetch
        | PlannedAction::BatchGet(_)
        | PlannedAction::BatchWrite(_)
        | PlannedAction::TransactGet(_)
        | PlannedAction::TransactWrite(_) => None,
    }
}

/// The number of an entity.
pub(crate) fn number_of(model: &Model, name: &str) -> Option<u16> {
    let position = model.entities.iter().position(|entity| entity.name == name)?;
    u16::try_from(position).ok()
}
