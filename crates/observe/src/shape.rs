//! The requests on items that access patterns make, in the form in which they arrive.
//!
//! A pattern about items is known by its operation and entity. Where several patterns do the same
//! to the same entity, they are told apart by what they change, by the values that they always
//! write, by their conditions, and by what they return. What is left and equal is undecided.

use monotable_expr::{Condition, Projection, Section, Update};
use monotable_item::{Path, Value};
use monotable_model::document::{Entity, Expression, Model, Source};
use monotable_plan::{Change, PlannedAction, PlannedRequest, UpdatePlan};

use crate::attribution::{EntityChoice, EntityItems};
use crate::call::{Group, ItemCall, ItemKind, KeyBytes};
use crate::entity_forms::Candidates;
use crate::item_check::{decode_some, stored_name};
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
    /// The values that every item has which the pattern puts, by names in items.
    put_values: Vec<(String, Value)>,
    condition: Option<ConditionShape>,
    projection: Option<Vec<String>>,
}

/// A condition that a pattern has.
#[derive(Debug, Clone)]
struct ConditionShape {
    names: Vec<String>,
    /// The condition with any values in the place of its parameters, if it can have any.
    form: Option<Condition>,
}

/// What an update changes, by names in items.
#[derive(Debug, Clone)]
struct ChangeShape {
    /// The attributes that it changes, and the sections that say how.
    changed: Vec<(String, Section)>,
    /// The values that it gives to attributes whoever asks.
    fixed: Vec<(String, Value)>,
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

    /// The pattern of a request on an item that can be one of these entities, and which of them
    /// it is. A pattern decides that where the key does not.
    #[inline]
    pub(crate) fn choose(
        &self,
        call: &ItemCall<'_>,
        candidates: &Candidates,
    ) -> (Choice, EntityChoice) {
        let Some(entity) = candidates.only() else {
            let choice = self.choose_among(call, candidates);
            return (choice, self.entity_of(choice, call, candidates));
        };
        let choice = match self.of(entity, call.kind) {
            [shape] if shape.admits(call) => Choice::Pattern(shape.pattern),
            [] | [_] => Choice::Unmatched,
            _ => self.choose_among(call, candidates),
        };
        (choice, EntityChoice::Known(entity))
    }

    #[inline(never)]
    fn choose_among(&self, call: &ItemCall<'_>, candidates: &Candidates) -> Choice {
        let shapes = candidates.all().iter().flat_map(|entity| self.of(*entity, call.kind));
        let mut admitted = shapes.filter(|shape| shape.admits(call));
        let Some(first) = admitted.next() else { return Choice::Unmatched };
        let Some(second) = admitted.next() else { return Choice::Pattern(first.pattern) };
        let all = [first, second].into_iter().chain(admitted);
        Choice::best(all.map(|shape| (shape.pattern, shape.likeness(call))))
    }

    /// The entity of a request that can be about several: the one that its pattern is about.
    #[inline(never)]
    fn entity_of(
        &self,
        choice: Choice,
        call: &ItemCall<'_>,
        candidates: &Candidates,
    ) -> EntityChoice {
        let is_it = |shape: &ItemShape| choice == Choice::Pattern(shape.pattern);
        let is_about = |entity: &u16| {
            self.of(*entity, call.kind).iter().any(|shape| is_it(shape) && shape.admits(call))
        };
        only(candidates.all().iter().copied().filter(is_about))
            .map_or_else(|| entity_choice(candidates), EntityChoice::Known)
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
            put_values: put_values(&request.action, entity),
            condition: condition.map(|condition| ConditionShape::new(condition, entity)),
            projection: projection.map(|project| stored_names(project, entity)),
        })
    }

    /// Returns whether a request of its kind on its entity can be this one.
    #[inline]
    fn admits(&self, call: &ItemCall<'_>) -> bool {
        self.key.as_ref().is_none_or(|key| has_key(key, call))
            && self.change.as_ref().is_none_or(|change| {
                call.update.map_or_else(|| change.is_empty(), |update| change.admits(update))
            })
    }

    /// How much a request that can be this one is like it.
    fn likeness(&self, call: &ItemCall<'_>) -> u32 {
        let change = self.change.as_ref().zip(call.update);
        let condition = match (&self.condition, call.condition) {
            (None, None) => ConditionShape::SAME,
            (Some(known), Some(sent)) => known.likeness(sent),
            (None, Some(_)) | (Some(_), None) => 0,
        };
        let projection = same_projection(self.projection.as_deref(), call.projection);
        64 * u32::from(self.key.is_some())
            + 32 * u32::from(self.has_put_values(call))
            + change.map_or(0, |(change, update)| change.likeness(update))
            + condition
            + u32::from(projection)
    }

    /// Returns whether the item that is put has the values that this one always writes.
    fn has_put_values(&self, call: &ItemCall<'_>) -> bool {
        let Some(item) = call.item.filter(|_| !self.put_values.is_empty()) else { return false };
        let is_fixed = |name: &str| self.put_values.iter().any(|(fixed, _)| fixed == name);
        let item = decode_some(item, is_fixed);
        self.put_values.iter().all(|(name, value)| item.get(name) == Some(value))
    }
}

/// The values that a put writes whoever asks, by names in items. Other actions have none.
fn put_values(action: &PlannedAction, entity: &Entity) -> Vec<(String, Value)> {
    let PlannedAction::Put(put) = action else { return Vec::new() };
    let fixed = put.values.iter().filter_map(|(name, source)| match source {
        Source::Literal(value) => Some((stored_name(entity, name).to_owned(), value.clone())),
        Source::Parameter(_) => None,
    });
    fixed.collect()
}

impl ConditionShape {
    /// How much a condition is like itself.
    const SAME: u32 = 6;

    fn new(condition: &Expression, entity: &Entity) -> ConditionShape {
        let form = condition.condition(|_| Some(Value::from("any"))).ok();
        ConditionShape { names: stored_names(condition, entity), form }
    }

    /// How much a condition is like this one.
    fn likeness(&self, sent: &Condition) -> u32 {
        if self.form.as_ref().is_some_and(|form| form.has_form_of(sent)) {
            return ConditionShape::SAME;
        }
        2 * u32::from(same_names(&self.names, &sent.paths()))
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
        let fixed = change.assigned.into_iter().filter_map(|(name, source)| match source {
            Source::Literal(value) => Some((name, value)),
            Source::Parameter(_) => None,
        });
        ChangeShape { fixed: fixed.collect(), changed: change.sections, also }
    }

    fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }

    /// Returns whether an update changes all that this one does and nothing else, and gives no
    /// attribute another value than this one does.
    #[inline(never)]
    fn admits(&self, update: &Update) -> bool {
        let mut count = 0;
        for (target, section) in update.changed() {
            if self.find(&target.root, section).is_some() {
                count += 1;
            } else if !self.also.contains(&target.root) {
                return false;
            }
        }
        count >= self.changed.len() && !self.differs(update)
    }

    fn differs(&self, update: &Update) -> bool {
        let differs = |(target, value): (&Path, &Value)| {
            let fixed = self.fixed.iter().find(|(name, _)| *name == target.root);
            target.is_attribute() && fixed.is_some_and(|(_, own)| own != value)
        };
        !self.fixed.is_empty() && update.assignments().any(differs)
    }

    /// How this one changes an attribute that an update changes in a way that can mean the same.
    fn find(&self, name: &str, section: Section) -> Option<Section> {
        let is_it = |(own, how): &&(String, Section)| own == name && can_mean(*how, section);
        self.changed.iter().find(is_it).map(|(_, section)| *section)
    }

    /// How much an update that this one admits is like it. A client may write `SET n = n + :one`
    /// where the pattern has `ADD`, so another section is only less like it.
    fn likeness(&self, update: &Update) -> u32 {
        let known = update.changed().filter_map(|(target, section)| {
            self.find(&target.root, section).map(|own| own == section)
        });
        known.map(|is_same| 8 + 4 * u32::from(is_same)).sum()
    }
}

/// Returns whether changes of two sections can do the same: a number is raised by `SET` and by
/// `ADD`. Nothing else does what `REMOVE` and `DELETE` do.
fn can_mean(own: Section, sent: Section) -> bool {
    match own {
        Section::Set | Section::Add => matches!(sent, Section::Set | Section::Add),
        Section::Remove | Section::Delete => own == sent,
    }
}

#[inline(never)]
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
    pub(crate) pattern: u16,
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

    /// Decides the entities of members that can be of several, where this pattern has a member for
    /// one of them only.
    pub(crate) fn decide(&self, sent: &mut [SentMembers]) {
        for one in sent.iter_mut().filter(|one| one.candidates.only().is_none()) {
            let own = self.members.iter().filter(|own| own.kind == one.kind);
            let possible =
                own.map(|own| own.entity).filter(|own| one.candidates.all().contains(own));
            if let Some(entity) = only(possible) {
                one.candidates = Candidates::of(entity);
            }
        }
    }

    /// The pattern, and how much a request is like it; nothing if it is another.
    pub(crate) fn likeness(&self, group: Group, sent: &[SentMembers]) -> Option<(u16, u32)> {
        if self.group != group {
            return None;
        }
        let is = |own: &GroupMember, sent: &SentMembers| {
            own.kind == sent.kind && sent.candidates.all().contains(&own.entity)
        };
        let is_known = |sent: &SentMembers| self.members.iter().any(|own| is(own, sent));
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

/// What all of these are, if they are the same.
fn only(mut all: impl Iterator<Item = u16>) -> Option<u16> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// The members of a batch or transaction that do the same to items of the same form.
#[derive(Debug)]
pub(crate) struct SentMembers {
    pub(crate) kind: ItemKind,
    pub(crate) candidates: Candidates,
    pub(crate) count: u32,
    /// The bytes of the items that are put whole.
    pub(crate) put_bytes: u64,
}

impl SentMembers {
    /// Adds one member to those that are like it. Returns their position.
    pub(crate) fn add(
        all: &mut Vec<SentMembers>,
        kind: ItemKind,
        candidates: &Candidates,
        put_bytes: u64,
    ) -> usize {
        let is_like = |one: &SentMembers| one.kind == kind && one.candidates == *candidates;
        let position = all.iter().position(is_like).unwrap_or(all.len());
        match all.get_mut(position) {
            Some(known) => {
                known.count += 1;
                known.put_bytes += put_bytes;
            }
            None => {
                let candidates = candidates.clone();
                all.push(SentMembers { kind, candidates, count: 1, put_bytes });
            }
        }
        position
    }

    /// The entity of the members.
    pub(crate) fn entity_items(&self) -> EntityItems {
        let choice = entity_choice(&self.candidates);
        EntityItems { choice, count: self.count, put_bytes: self.put_bytes }
    }
}

/// The entity of an item that can be one of these.
#[inline]
pub(crate) fn entity_choice(candidates: &Candidates) -> EntityChoice {
    match (candidates.only(), candidates.all()) {
        (Some(entity), _) => EntityChoice::Known(entity),
        (None, []) => EntityChoice::Unknown,
        (None, _) => EntityChoice::Undecided,
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
