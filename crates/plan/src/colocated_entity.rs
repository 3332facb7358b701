//! Colocated entities: the entities that lie in a partition beside those that a query wants.
//!
//! What a query returns of them is decided twice. Key texts keep that a value which occurs in two
//! keys is the same; automata know what each value can be. Either can rule out that one of them is
//! returned.

use monotable_model::document::{Entity, Model};
use monotable_model::template::{Domains, KeySet, Template};

use super::bindings::Bindings;
use super::interval::{Closure, Interval, Limit, Share};
use super::key_text::{KeyText, Piece};
use super::partition::{Sharing, sharing};
use super::route::Route;
use super::sort_key::sort_key;

/// The partition that a query asks.
#[derive(Debug)]
pub(super) struct QueriedPartition<'a> {
    /// The partition key.
    pub(super) partition: &'a [KeyText],
    /// The attributes of the sort key that are known wholly.
    pub(super) leading: &'a [KeyText],
    /// What the wanted entities declare about their attributes.
    pub(super) domains: Domains,
}

/// An entity whose items may lie in a partition, and where.
#[derive(Debug, Clone)]
pub(super) struct ColocatedEntity<'m> {
    pub(super) entity: &'m Entity,
    /// Its interval of the sort key attribute that a condition is about.
    pub(super) interval: Interval,
    /// The template of that attribute.
    template: Option<&'m Template>,
}

impl QueriedPartition<'_> {
    /// The entities, other than those wanted, that may lie in the partition.
    pub(super) fn colocated_entities<'m>(
        &self,
        model: &'m Model,
        route: Route<'m>,
        wanted: &[&str],
    ) -> Vec<ColocatedEntity<'m>> {
        let others = route.entities(model).into_iter();
        let others = others.filter(|entity| !wanted.contains(&entity.name.as_str()));
        others.filter_map(|entity| self.colocated_entity(route, entity)).collect()
    }

    fn colocated_entity<'m>(
        &self,
        route: Route<'m>,
        entity: &'m Entity,
    ) -> Option<ColocatedEntity<'m>> {
        let keys = route.keys_of(entity)?;
        let mut bindings = Bindings::of_entity(entity, &[]);
        let mut sorts = keys.sort.iter();
        // The shorter side comes first: what it leaves of the other is still there afterwards.
        let partition = self.partition.iter().zip(&keys.partition);
        for (text, template) in partition.chain(self.leading.iter().zip(sorts.by_ref())) {
            match sharing(text, template) {
                Sharing::Never => return None,
                Sharing::Possible if !self.can_be_equal(text, template, entity) => return None,
                Sharing::Possible => {}
                Sharing::Bound(bound) => bindings.extend(bound),
            }
        }
        let template = sorts.next();
        let interval = template.map(|template| extent(template, entity, &bindings));
        Some(ColocatedEntity { entity, interval: interval.unwrap_or_default(), template })
    }

    /// Returns whether an entity's template can give a key of this text: exact where fields could
    /// not decide it.
    fn can_be_equal(&self, text: &KeyText, template: &Template, entity: &Entity) -> bool {
        let Some(asked) = text.template() else { return true };
        let others = KeySet::new(template, &entity.domains());
        !KeySet::new(&asked, &self.domains).same_key(&others).is_never()
    }

    /// How much of an entity lies in an interval.
    pub(super) fn share(&self, other: &ColocatedEntity<'_>, interval: &Interval) -> Share {
        match other.interval.share_in(interval) {
            Share::Some if self.is_apart(other, interval) => Share::None,
            share => share,
        }
    }

    /// Returns whether it is proved that no key of an entity begins as all keys of the interval do.
    fn is_apart(&self, other: &ColocatedEntity<'_>, interval: &Interval) -> bool {
        let asked = interval.beginning_of_all().and_then(|text| text.whole_values().template());
        let (Some(asked), Some(template)) = (asked, other.template) else { return false };
        let others = KeySet::new(template, &other.entity.domains());
        let asked_keys = KeySet::new(&asked, &self.domains);
        asked_keys.beginning_of(asked.segments().len(), &others).is_never()
    }
}

/// Where all keys of a template lie: under what is known, and between the first and the last
/// character that can follow.
pub(super) fn extent(template: &Template, entity: &Entity, bindings: &Bindings) -> Interval {
    let key = sort_key(template, bindings, None);
    if key.interval.single().is_some() {
        return key.interval;
    }
    let keys = KeySet::new(template, &entity.domains());
    let limited = |(first, last): &(char, char)| *first > '\0' || *last < char::MAX;
    let characters = keys.characters_after(key.segments).filter(limited);
    let Some((first, last)) = characters else { return key.interval };
    let at = |character: char| key.known.with(Piece::Literal(character.to_string()));
    Interval {
        lower: Some(Limit::at(at(first), Closure::Included)),
        upper: Some(Limit::after_all(at(last))),
    }
}
