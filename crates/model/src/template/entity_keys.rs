//! The partition and sort key of an entity together.
//!
//! Two entities collide only if both their keys meet for the same items, so attributes that stand
//! in the partition key as well as in the sort key matter: `A#{id}` + `A#{id}` and `A#{id}` +
//! `B#{id}` never collide, whatever the partition keys do.

use monotable_item::{Path, Value};

use super::domain::{Domain, Domains};
use super::interleaving::Interleaving;
use super::key_set::KeySet;
use super::key_template::Template;
use super::reading::{HashDoubt, Meaning, Reading, hashes_agree};
use super::segment::{AttributePart, Segment};
use super::shard::Shard;
use super::verdict::Verdict;

/// How many partition keys are tried where they are tied to the sort keys.
const PARTITIONS_MAX: usize = 32;

/// The keys of an entity in a table or an index.
#[derive(Debug, Clone)]
pub struct EntityKeys {
    partition: KeySet,
    sort: Option<KeySet>,
    domains: Domains,
}

/// The key of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemKey {
    /// The partition key.
    pub partition: Value,
    /// The sort key, if there is one.
    pub sort: Option<Value>,
}

impl EntityKeys {
    /// The keys of an entity.
    pub fn new(partition: &Template, sort: Option<&Template>, domains: &Domains) -> EntityKeys {
        EntityKeys {
            partition: KeySet::new(partition, domains),
            sort: sort.map(|sort| KeySet::new(sort, domains)),
            domains: domains.clone(),
        }
    }

    /// The partition keys.
    pub fn partition(&self) -> &KeySet {
        &self.partition
    }

    /// The sort keys.
    pub fn sort(&self) -> Option<&KeySet> {
        self.sort.as_ref()
    }

    /// Whether items of both can lie in one collection: have the same partition key.
    pub fn same_collection(&self, other: &EntityKeys) -> Verdict<Value> {
        self.partition.same_key(&other.partition)
    }

    /// Whether items of both can have the same key, so that one would overwrite the other.
    pub fn same_item(&self, other: &EntityKeys) -> Verdict<ItemKey> {
        let partition = self.partition.same_key(&other.partition);
        let (Some(sort), Some(other_sort)) = (&self.sort, &other.sort) else {
            return partition.map(|partition| ItemKey { partition, sort: None });
        };
        match (partition, sort.same_key(other_sort)) {
            (Verdict::Never, _) | (_, Verdict::Never) => Verdict::Never,
            (Verdict::Possible(partition), Verdict::Possible(sort))
                if !self.is_tied() && !other.is_tied() =>
            {
                Verdict::Possible(ItemKey { partition, sort: Some(sort) })
            }
            (
                Verdict::Possible(_) | Verdict::Undecided,
                Verdict::Possible(_) | Verdict::Undecided,
            ) => self.same_tied_item(other),
        }
    }

    /// How the items of both lie in one collection, unless they never share one.
    pub fn interleaving(&self, other: &EntityKeys) -> Option<Interleaving> {
        let (sort, other_sort) = (self.sort.as_ref()?, other.sort.as_ref()?);
        if self.same_collection(other).is_never() {
            return None;
        }
        let shared = self.shared(other);
        let common = common_segments(sort.template(), other_sort.template(), &shared);
        let interleaving = Interleaving::of(
            &sort.beginning_example(common),
            &sort.language_from(common),
            &other_sort.language_from(common),
        );
        Some(interleaving.retain(|first, second| {
            sort.fits(first) && other_sort.fits(second) && self.agree(first, other, second, &shared)
        }))
    }

    /// Whether an attribute stands in both keys.
    fn is_tied(&self) -> bool {
        let mut sort_paths = self.sort.iter().flat_map(|sort| sort.template().paths());
        sort_paths.any(|path| self.partition.template().paths().any(|other| other == path))
    }

    /// Tries partition keys, and looks for a sort key among those that agree with each.
    fn same_tied_item(&self, other: &EntityKeys) -> Verdict<ItemKey> {
        let (partitions, all) = self.partition.common_keys(&other.partition, PARTITIONS_MAX);
        let mut excluded_all = all;
        for partition in partitions {
            let (mine, mine_exact) = self.sort_keys_for(&partition);
            let (others, others_exact) = other.sort_keys_for(&partition);
            let (Some(mine), Some(others)) = (mine, others) else { continue };
            match mine.same_key(&others) {
                Verdict::Possible(sort)
                    if self.agrees(&partition, &sort) && other.agrees(&partition, &sort) =>
                {
                    let partition = Value::String(partition);
                    return Verdict::Possible(ItemKey { partition, sort: Some(sort) });
                }
                Verdict::Never => excluded_all &= mine_exact && others_exact,
                Verdict::Possible(_) | Verdict::Undecided => excluded_all = false,
            }
        }
        if excluded_all { Verdict::Never } else { Verdict::Undecided }
    }

    /// The sort keys of items with a partition key, and whether no others are possible.
    fn sort_keys_for(&self, partition: &str) -> (Option<KeySet>, bool) {
        let Some(sort) = &self.sort else { return (None, true) };
        let readings = self.partition.template().readings(partition, 2);
        let Some(reading) = readings.first() else { return (None, true) };
        let mut domains = self.domains.clone();
        for part in reading.parts() {
            if let Meaning::Attribute { path, value, lossless: true } = &part.meaning {
                domains = match only(value) {
                    Some(domain) => domains.with_path(path.clone(), domain),
                    None => domains,
                };
            }
        }
        (Some(KeySet::new(sort.template(), &domains)), readings.len() == 1)
    }

    /// Whether it is certain that one item has this partition key and this sort key.
    fn agrees(&self, partition: &str, sort: &Value) -> bool {
        let (Some(sort_keys), Value::String(sort)) = (&self.sort, sort) else { return true };
        let (partition_key, sort_key) = (self.partition.template(), sort_keys.template());
        let partitions = partition_key.readings(partition, 1);
        let sorts = sort_key.readings(sort, 1);
        partitions.iter().zip(&sorts).any(|(of_partition, of_sort)| {
            let informed = (of_partition.informed_by(of_sort), of_sort.informed_by(of_partition));
            let mut open = partition_key.open_shards(&informed.0);
            open.extend(sort_key.open_shards(&informed.1));
            let mut hashes = partition_key.hashes(&informed.0);
            hashes.extend(sort_key.hashes(&informed.1));
            informed.0.values() == informed.1.values()
                && partition_key.builds(&informed.0)
                && sort_key.builds(&informed.1)
                && can_meet(&open)
                && hashes_agree(&hashes, HashDoubt::Refused)
        })
    }

    /// The attributes that have the same text in all items of a collection, by pairs.
    fn shared<'a>(&'a self, other: &'a EntityKeys) -> Vec<Shared<'a>> {
        let (mine, others) = (self.partition.template(), other.partition.template());
        let is_alike = mine.delimiter() == others.delimiter()
            && mine.segments().len() == others.segments().len()
            && mine.segments().iter().zip(others.segments()).all(|(a, b)| are_alike(a, b))
            && self.partition.ambiguity().is_never();
        let pairs = mine.attributes().zip(others.attributes());
        if is_alike {
            pairs.map(|(mine, other)| Shared { mine, other }).collect()
        } else {
            Vec::new()
        }
    }

    /// Whether two sort keys can lie in one collection.
    fn agree(&self, first: &str, other: &EntityKeys, second: &str, shared: &[Shared<'_>]) -> bool {
        if !self.is_tied() || !other.is_tied() {
            return true;
        }
        let read = |keys: &EntityKeys, text: &str| -> Option<Reading> {
            keys.sort.as_ref()?.template().readings(text, 1).into_iter().next()
        };
        let (Some(first), Some(second)) = (read(self, first), read(other, second)) else {
            return false;
        };
        let same = |Shared { mine, other }: &Shared<'_>| {
            let values = (first.values().get(&mine.path), second.values().get(&other.path));
            matches!(values, (None, _) | (_, None)) || values.0 == values.1
        };
        !shared.is_empty() && shared.iter().all(same)
    }
}

/// Whether one item certainly has all these shards: those of one attribute are the same number of
/// the same shard.
fn can_meet(shards: &[(&Shard, u32)]) -> bool {
    let mut pairs = shards.iter().flat_map(|a| shards.iter().map(move |b| (a, b)));
    pairs
        .all(|((a, number), (b, other))| !a.is_tied_to(b) || (a.numbers_like(b) && number == other))
}

/// Two attributes of two entities that have the same text in every collection.
struct Shared<'a> {
    mine: &'a AttributePart,
    other: &'a AttributePart,
}

impl Shared<'_> {
    /// Whether two parts of sort keys follow from these attributes in the same way.
    fn covers(&self, mine: &AttributePart, other: &AttributePart) -> bool {
        let determines = self.mine.encoding.is_lossless() || self.mine.encoding == mine.encoding;
        let same = |path: &Path, part: &AttributePart| *path == part.path;
        determines
            && mine.encoding == other.encoding
            && same(&self.mine.path, mine)
            && same(&self.other.path, other)
    }
}

/// How many segments of two sort keys have the same text in every collection.
fn common_segments(mine: &Template, other: &Template, shared: &[Shared<'_>]) -> usize {
    let pairs = mine.segments().iter().zip(other.segments());
    pairs
        .take_while(|(mine_segment, other_segment)| match (mine_segment, other_segment) {
            (Segment::Literal(a), Segment::Literal(b)) => a == b,
            (Segment::Attribute(a), Segment::Attribute(b)) => {
                mine.delimiter() == other.delimiter() && shared.iter().any(|pair| pair.covers(a, b))
            }
            (Segment::Literal(_) | Segment::Attribute(_) | Segment::Shard(_), _) => false,
        })
        .count()
}

/// Whether two segments write the same text for the same value.
fn are_alike(mine: &Segment, other: &Segment) -> bool {
    match (mine, other) {
        (Segment::Literal(a), Segment::Literal(b)) => a == b,
        (Segment::Attribute(a), Segment::Attribute(b)) => a.encoding == b.encoding,
        (Segment::Shard(a), Segment::Shard(b)) => a == b,
        (Segment::Literal(_) | Segment::Attribute(_) | Segment::Shard(_), _) => false,
    }
}

/// The domain of one value, if there is one.
fn only(value: &Value) -> Option<Domain> {
    match value {
        Value::String(text) => Some(Domain::Values(vec![text.clone()])),
        Value::Number(number) => {
            let number = number.to_i64()?;
            Some(Domain::Integers { min: number, max: number })
        }
        _ => None,
    }
}
