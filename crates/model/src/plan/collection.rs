//! What lies in the partition that a query asks, entity by entity.

use super::bindings::Bindings;
use super::interval::{Closure, Interval, Limit, Share};
use super::key_text::{KeyText, Piece};
use super::order::first_characters;
use super::partition::{Sharing, sharing};
use super::route::Route;
use super::sort_key::sort_key;
use crate::document::{Entity, Model};
use crate::template::{Domains, KeySet, Segment, Template};

/// The entities whose items may lie in the partition, in the order of their sort keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Collection {
    /// The entities.
    pub members: Vec<Member>,
    /// Whether the order of some of them depends on values.
    pub interleaved: bool,
}

/// An entity in a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The entity.
    pub entity: String,
    /// Where all its items lie.
    pub interval: Interval,
    /// What the query does with it.
    pub role: Role,
}

/// What a query does with an entity of the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is wanted and returned.
    Wanted,
    /// It is returned and not wanted: its items are read, paid for and thrown away.
    Leaks(Share),
    /// It is neither wanted nor returned.
    Outside,
}

impl Collection {
    /// The entities that are returned and not wanted.
    pub fn leaks(&self) -> impl Iterator<Item = &str> {
        let leaking = |member: &&Member| matches!(member.role, Role::Leaks(_));
        self.members.iter().filter(leaking).map(|member| member.entity.as_str())
    }

    /// Whether all items of one member lie before all of another; not if that depends on values.
    pub fn lies_before(first: &Member, second: &Member) -> bool {
        ends_before(&first.interval, &second.interval)
    }

    /// Puts members into the order of their keys, as far as it is decided. Where it is not, the
    /// order of the file is kept.
    pub(super) fn of_members(members: Vec<Member>) -> Collection {
        let mut collection = Collection::default();
        for member in members {
            let lies_before = |other: &Member| ends_before(&member.interval, &other.interval);
            let lies_after = |other: &Member| ends_before(&other.interval, &member.interval);
            let undecided = |other: &Member| !lies_before(other) && !lies_after(other);
            collection.interleaved |= collection.members.iter().any(undecided);
            let first = collection.members.iter().position(lies_before);
            let place = first.unwrap_or(collection.members.len());
            collection.members.insert(place, member);
        }
        collection
    }
}

/// Whether all of one interval lies before all of another.
fn ends_before(a: &Interval, b: &Interval) -> bool {
    let after = Interval { lower: b.lower.clone(), upper: None };
    let before = Interval { lower: None, upper: a.upper.clone() };
    a.upper.is_some() && b.lower.is_some() && before.share_in(&after) == Share::None
}

/// An entity whose items may lie in a partition, and where.
#[derive(Debug, Clone)]
pub(super) struct Lodger<'m> {
    pub(super) entity: &'m Entity,
    /// Its interval of the sort key attribute that a condition is about.
    pub(super) interval: Interval,
}

/// The entities, other than those wanted, that may lie in the partition with this key and these
/// leading sort keys.
pub(super) fn lodgers<'m>(
    model: &'m Model,
    route: Route<'m>,
    partition: &[KeyText],
    leading: &[KeyText],
    wanted: &[&str],
) -> Vec<Lodger<'m>> {
    let others = route.entities(model).into_iter();
    let others = others.filter(|entity| !wanted.contains(&entity.name.as_str()));
    others.filter_map(|entity| lodger(route, entity, partition, leading)).collect()
}

fn lodger<'m>(
    route: Route<'m>,
    entity: &'m Entity,
    partition: &[KeyText],
    leading: &[KeyText],
) -> Option<Lodger<'m>> {
    let keys = route.keys_of(entity)?;
    let mut bindings = Bindings::of_entity(entity, &[]);
    let mut sorts = keys.sort.iter();
    // The shorter side comes first: what it leaves of the other is still there afterwards.
    let pairs = partition.iter().zip(&keys.partition).chain(leading.iter().zip(sorts.by_ref()));
    for (text, template) in pairs {
        match sharing(text, template) {
            Sharing::Never => return None,
            Sharing::Possible if !can_be_equal(text, template) => return None,
            Sharing::Possible => {}
            Sharing::Bound(bound) => bindings.extend(bound),
        }
    }
    let interval = sorts.next().map(|template| extent(template, &bindings));
    Some(Lodger { entity, interval: interval.unwrap_or_default() })
}

/// Whether a template can give a key of this text: exact where fields could not decide it.
fn can_be_equal(text: &KeyText, template: &Template) -> bool {
    let Some(other) = text.template() else { return true };
    let domains = Domains::new();
    !KeySet::new(&other, &domains).same_key(&KeySet::new(template, &domains)).is_never()
}

/// Whether keys of a template can begin with a text. A value of which only the beginning is known counts as any.
pub(super) fn can_begin_with(text: &KeyText, template: &Template) -> bool {
    let Some(beginning) = text.whole_pieces().template() else { return true };
    let domains = Domains::new();
    let keys = KeySet::new(template, &domains);
    let segments = beginning.segments().len();
    !KeySet::new(&beginning, &domains).beginning_of(segments, &keys).is_never()
}

/// Where all keys of a template lie: under what is known, and between the first and the last character that
/// the next part can begin with.
fn extent(template: &Template, bindings: &Bindings) -> Interval {
    let key = sort_key(template, bindings, None);
    let next = template.segments().get(key.segments).and_then(Segment::attribute);
    let Some((first, last)) = next.and_then(first_characters) else { return key.interval };
    let at = |character: char| key.known.with(Piece::Literal(character.to_string()));
    Interval {
        lower: Some(Limit::at(at(first), Closure::Included)),
        upper: Some(Limit::after_all(at(last))),
    }
}
