//! Groups of wanted entities that one query can return together, since they share a partition.

use monotable_item::Path;
use monotable_model::document::{Entity, Keys, Known, Pattern, Range, RangeComparison, Table};
use monotable_model::template::{AttributePart, Domains};

use super::bindings::Bindings;
use super::key_text::{KeyText, Piece};
use super::order::Relation;
use super::partition::{Missing, Sharing, partition_text, sharing};
use super::reason::Reason;
use super::request_plan::FanOut;
use super::route::Route;

/// Wanted entities with the same partition key.
#[derive(Debug, Clone)]
pub(super) struct WantedGroup<'m> {
    /// The partition key, one text for each of its attributes.
    pub(super) partition: Vec<KeyText>,
    /// The entities.
    pub(super) entities: Vec<WantedEntity<'m>>,
}

/// A wanted entity.
#[derive(Debug, Clone)]
pub(super) struct WantedEntity<'m> {
    pub(super) entity: &'m Entity,
    pub(super) keys: &'m Keys,
    /// The table that is queried.
    pub(super) table: &'m Table,
    /// What is known of its attributes.
    pub(super) bindings: Bindings,
}

/// Puts the wanted entities, all of which are on the route, into groups.
///
/// An entity whose own attribute is called otherwise joins a group whose partition key has the same
/// form: accounts of users and of organisations lie in one partition whatever the name is called.
pub(super) fn wanted_groups<'m>(
    route: Route<'m>,
    entities: &[&'m Entity],
    pattern: &Pattern,
) -> Result<Vec<WantedGroup<'m>>, Vec<Reason>> {
    let mut groups: Vec<WantedGroup<'m>> = Vec::new();
    let mut waiting = Vec::new();
    for entity in entities.iter().copied() {
        let Some(keys) = route.keys_of(entity) else { continue };
        let bindings = Bindings::of_entity(entity, &pattern.by);
        let wanted = WantedEntity { entity, keys, table: route.table, bindings };
        match wanted.partition(pattern.range.as_ref()) {
            Ok(partition) => add_to_group(&mut groups, partition, wanted),
            Err(missing) => waiting.push((wanted, missing)),
        }
    }
    let mut reasons = Vec::new();
    for (wanted, missing) in waiting {
        let joined =
            groups.iter_mut().find_map(|group| Some((group.joined(&wanted, pattern)?, group)));
        match joined {
            Some((bindings, group)) => group.entities.push(WantedEntity { bindings, ..wanted }),
            None => reasons.push(missing.reason(&wanted.entity.name)),
        }
    }
    if reasons.is_empty() { Ok(groups) } else { Err(reasons) }
}

fn add_to_group<'m>(
    groups: &mut Vec<WantedGroup<'m>>,
    partition: Vec<KeyText>,
    wanted: WantedEntity<'m>,
) {
    match groups.iter_mut().find(|group| same_texts(&group.partition, &partition)) {
        Some(group) => group.entities.push(wanted),
        None => groups.push(WantedGroup { partition, entities: vec![wanted] }),
    }
}

fn same_texts(a: &[KeyText], b: &[KeyText]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.relation(b) == Relation::Same)
}

impl WantedEntity<'_> {
    fn partition(&self, range: Option<&Range>) -> Result<Vec<KeyText>, Missing> {
        let templates = self.keys.partition.iter();
        templates.map(|template| partition_text(template, &self.bindings, range)).collect()
    }

    /// The attributes that follow from its partition key. A shard does not reveal its input.
    pub(super) fn written_in_partition(&self) -> Vec<&str> {
        let parts = self.keys.partition.iter().flat_map(|template| template.attributes());
        parts.map(|part| part.path.root.as_str()).collect()
    }

    /// The attributes that say which partition is asked, of which table.
    pub(super) fn place_parts(&self) -> impl Iterator<Item = &AttributePart> {
        let in_partition = self.keys.partition.iter().flat_map(|template| template.attributes());
        in_partition.chain(self.table.period_name.as_ref().map(|name| name.part()))
    }

    /// The attributes that its partition key is made of.
    pub(super) fn partition_attributes(&self) -> Vec<&str> {
        let paths = self.keys.partition.iter().flat_map(|template| template.paths());
        paths.map(|path| path.root.as_str()).collect()
    }
}

impl WantedGroup<'_> {
    /// What is known of an entity's attributes if its items lie in this partition. An entity that
    /// has a known attribute outside of its partition key means other items by it.
    fn joined(&self, wanted: &WantedEntity<'_>, pattern: &Pattern) -> Option<Bindings> {
        let own = wanted.partition_attributes();
        let is_other = |known: &Known| {
            wanted.entity.attribute(&known.attribute).is_some()
                && !own.contains(&known.attribute.as_str())
        };
        if pattern.by.iter().any(is_other) {
            return None;
        }
        let mut bindings = wanted.bindings.clone();
        for (text, template) in self.partition.iter().zip(&wanted.keys.partition) {
            match sharing(text, template) {
                Sharing::Bound(bound) => bindings.extend(bound),
                Sharing::Never | Sharing::Possible => return None,
            }
        }
        Some(bindings)
    }

    /// The names of the entities.
    pub(super) fn names(&self) -> Vec<&str> {
        self.entities.iter().map(|wanted| wanted.entity.name.as_str()).collect()
    }

    /// What is declared about attributes, where all entities that have one agree on it.
    pub(super) fn domains(&self) -> Domains {
        let declared: Vec<Domains> =
            self.entities.iter().map(|wanted| wanted.entity.domains()).collect();
        let mut shared = Domains::new();
        for attribute in self.entities.iter().flat_map(|wanted| &wanted.entity.attributes) {
            let path = Path::attribute(&attribute.name);
            let having = self.entities.iter().zip(&declared);
            let having =
                having.filter(|(wanted, _)| wanted.entity.attribute(&attribute.name).is_some());
            let mut domains = having.map(|(_, domains)| domains.get(&path));
            if let Some(Some(first)) = domains.next()
                && domains.all(|other| other == Some(first))
            {
                shared = shared.with(&attribute.name, first.clone());
            }
        }
        shared
    }

    /// What makes several requests of one.
    pub(super) fn fan_out(&self, range: Option<&Range>) -> Vec<FanOut> {
        let pieces = self.partition.iter().flat_map(|text| text.pieces());
        pieces.filter_map(|piece| fan_out(piece, range)).collect()
    }
}

fn fan_out(piece: &Piece, range: Option<&Range>) -> Option<FanOut> {
    match piece {
        Piece::EachShard(shard) => {
            Some(FanOut::Shards { first: shard.first(), count: shard.count() })
        }
        Piece::EachPeriod { part } => {
            let RangeComparison::Between(from, to) = &range?.comparison else { return None };
            Some(FanOut::Periods { part: part.clone(), from: from.clone(), to: to.clone() })
        }
        Piece::Literal(_) | Piece::Value { .. } | Piece::Beginning { .. } | Piece::Shard { .. } => {
            None
        }
    }
}

impl Missing {
    fn reason(self, entity: &str) -> Reason {
        let entity = entity.to_owned();
        match self {
            Missing::Attribute(attribute) => Reason::MissingPartition { entity, attribute },
            Missing::OpenPeriod(attribute) => Reason::OpenPeriod { entity, attribute },
        }
    }
}
