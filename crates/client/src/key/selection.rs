//! What a query reads: partitions, and a range of sort keys.

use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};

use monotable_expr::KeyComparison;
use monotable_item::limits::PARTITION_KEY_BYTES_MAX;
use monotable_item::{Item, Value, value_size_bytes};
use monotable_model::template::{BoundError, BuildError, PartialKey, Segment, Template};

use super::{Key, add_part};
use crate::attribute::{Attribute, ValueOf};
use crate::entity::{Entity, Pattern, Select};
use crate::error::Error;
use crate::expression::Placeholders;
use crate::schema::{EntitySchema, PatternSchema};

/// The known parts of a key, from the left.
#[derive(Debug)]
pub struct Prefix<P> {
    parts: Item,
    /// Values of which the partition key holds only a period or another coarser form: nothing
    /// follows from them for the sort key.
    coarse: Item,
    of: PhantomData<fn() -> P>,
}

impl<P: Pattern> Prefix<P> {
    /// A prefix without parts.
    pub fn new() -> Prefix<P> {
        Prefix { parts: Item::new(), coarse: Item::new(), of: PhantomData }
    }

    /// Adds the next part.
    #[must_use]
    pub fn with<T: Attribute>(mut self, name: &str, value: impl ValueOf<T>) -> Prefix<P> {
        add_part(&mut self.parts, name, value.value_of());
        self
    }

    /// Adds a part of which the partition key holds only a coarser form, such as the day of a time.
    #[must_use]
    pub fn with_coarse<T: Attribute>(mut self, name: &str, value: impl ValueOf<T>) -> Prefix<P> {
        add_part(&mut self.coarse, name, value.value_of());
        self
    }

    /// Selects everything under the prefix.
    pub fn selection(self) -> Selection<P> {
        self.select(None)
    }

    fn select(self, range: Option<SortRange>) -> Selection<P> {
        Selection { parts: self.parts, coarse: self.coarse, range, span: None, of: PhantomData }
    }

    /// Selects what lies under the prefix with the next part in a range.
    pub fn range<T: Attribute, V: ValueOf<T> + Clone>(
        self,
        range: &impl RangeBounds<V>,
    ) -> Selection<P> {
        let bound = |end: Bound<&V>| match end {
            Bound::Included(value) => {
                value.clone().value_of().map_or(Bound::Unbounded, Bound::Included)
            }
            Bound::Excluded(value) => {
                value.clone().value_of().map_or(Bound::Unbounded, Bound::Excluded)
            }
            Bound::Unbounded => Bound::Unbounded,
        };
        let range = SortRange::Between(bound(range.start_bound()), bound(range.end_bound()));
        self.select(Some(range))
    }

    /// Selects what lies under the prefix with a next part that begins with a text.
    pub fn begins(self, beginning: &str) -> Selection<P> {
        self.select(Some(SortRange::Begins(beginning.to_owned())))
    }

    /// Returns the complete key of the table.
    pub fn key<E: Entity>(self) -> Key<E> {
        let mut parts = self.parts;
        // What is known exactly is taken before what is known by its bucket.
        for (name, value) in self.coarse {
            parts.entry(name).or_insert(value);
        }
        Key::from_parts(parts)
    }
}

impl<P: Pattern> Default for Prefix<P> {
    fn default() -> Prefix<P> {
        Prefix::new()
    }
}

impl<P> Clone for Prefix<P> {
    fn clone(&self) -> Prefix<P> {
        Prefix { parts: self.parts.clone(), coarse: self.coarse.clone(), of: PhantomData }
    }
}

/// What a query reads.
#[derive(Debug)]
pub struct Selection<P> {
    pub(crate) parts: Item,
    pub(super) coarse: Item,
    pub(crate) range: Option<SortRange>,
    /// The members of a collection whose sort keys are read from the first to the last.
    pub(super) span: Option<Vec<&'static EntitySchema>>,
    of: PhantomData<fn() -> P>,
}

impl<P> Clone for Selection<P> {
    fn clone(&self) -> Selection<P> {
        Selection {
            parts: self.parts.clone(),
            coarse: self.coarse.clone(),
            range: self.range.clone(),
            span: self.span.clone(),
            of: PhantomData,
        }
    }
}

impl<P: Pattern> Select for Selection<P> {
    type Pattern = P;

    fn selection(self) -> Selection<P> {
        self
    }
}

/// What is asked of the first sort key part that is not known.
#[derive(Debug, Clone)]
pub(crate) enum SortRange {
    Between(Bound<Value>, Bound<Value>),
    Begins(String),
}

/// The values of the partition key: one for each of its attributes.
pub(crate) type Partition = Vec<(String, Value)>;

impl<P: Pattern> Selection<P> {
    pub(super) fn of_parts(parts: Item) -> Selection<P> {
        Selection { parts, coarse: Item::new(), range: None, span: None, of: PhantomData }
    }

    /// The partitions to read: several where the shard does not follow from what is known.
    pub(crate) fn partitions(&self) -> Result<Vec<Partition>, Error> {
        let schema = P::schema();
        let parts = all_parts(&self.parts, &self.coarse);
        let mut partitions: Vec<Partition> = vec![Vec::new()];
        for (attribute, template) in &schema.partition {
            let values =
                shards(template, &parts).map_err(|reason| key_error(schema, attribute, reason))?;
            if let Some(long) = values.iter().find(|it| is_too_long(it)) {
                return Err(Error::KeyTooLong {
                    entity: schema.entity,
                    attribute: attribute.clone(),
                    bytes: value_size_bytes(long),
                    bytes_max: PARTITION_KEY_BYTES_MAX,
                });
            }
            let extended = partitions.iter().flat_map(|partition| {
                values.iter().map(|value| {
                    let mut partition = partition.clone();
                    partition.push((attribute.clone(), value.clone()));
                    partition
                })
            });
            partitions = extended.collect();
        }
        Ok(partitions)
    }

    /// The key condition for one of the partitions.
    pub(crate) fn key_condition(
        &self,
        partition: &Partition,
        placeholders: &mut Placeholders,
    ) -> Result<String, Error> {
        let equal = |(name, value): &(String, Value), placeholders: &mut Placeholders| {
            comparison(name, KeyComparison::Equal(value.clone()), placeholders)
        };
        let mut terms: Vec<String> =
            partition.iter().map(|part| equal(part, placeholders)).collect();
        for (attribute, condition) in self.sort_conditions()? {
            terms.push(comparison(&attribute, condition, placeholders));
        }
        Ok(terms.join(" AND "))
    }

    /// Whether the sort key is more than left open.
    pub(crate) fn has_sort_condition(&self) -> bool {
        self.span.is_some() || self.sort_conditions().is_ok_and(|conditions| !conditions.is_empty())
    }

    /// The conditions on the attributes of the sort key: equality from the left, then one that
    /// leaves the rest open.
    fn sort_conditions(&self) -> Result<Vec<(String, KeyComparison)>, Error> {
        let schema = P::schema();
        if let Some(members) = &self.span {
            return self.span_condition(schema, members);
        }
        let mut conditions = Vec::new();
        for (attribute, template) in &schema.sort {
            let partial = template
                .partial(&self.parts)
                .map_err(|reason| key_error(schema, attribute, reason))?;
            if partial.is_whole() {
                conditions.extend(partial.condition().map(|it| (attribute.clone(), it)));
                continue;
            }
            let condition = self.open_condition(schema, &partial)?;
            conditions.extend(condition.map(|it| (attribute.clone(), it)));
            return Ok(conditions);
        }
        if self.range.is_some() {
            let reason = BoundError::NothingFollows;
            return Err(Error::Range { entity: schema.entity, reason });
        }
        Ok(conditions)
    }

    /// The condition on a sort key that is not known whole.
    pub(super) fn open_condition(
        &self,
        schema: &PatternSchema,
        partial: &PartialKey<'_>,
    ) -> Result<Option<KeyComparison>, Error> {
        let bound = |error| Error::Range { entity: schema.entity, reason: error };
        Ok(match &self.range {
            None => partial.condition(),
            Some(SortRange::Begins(text)) => Some(partial.begins(text).map_err(bound)?),
            Some(SortRange::Between(Bound::Unbounded, Bound::Unbounded)) => partial.condition(),
            Some(SortRange::Between(from, to)) => {
                Some(partial.range(from.as_ref(), to.as_ref()).map_err(bound)?)
            }
        })
    }
}

/// What is known for the partition key. A whole part counts more than its coarser form.
pub(super) fn all_parts(parts: &Item, coarse: &Item) -> Item {
    let mut all = coarse.clone();
    all.extend(parts.iter().map(|(name, value)| (name.clone(), value.clone())));
    all
}

pub(super) fn key_error(schema: &PatternSchema, attribute: &str, reason: BuildError) -> Error {
    Error::Key { entity: schema.entity, attribute: attribute.to_owned(), reason }
}

fn is_too_long(value: &Value) -> bool {
    value_size_bytes(value) > PARTITION_KEY_BYTES_MAX
}

/// The values of a partition key attribute: one, or one for each shard.
fn shards(template: &Template, parts: &Item) -> Result<Vec<Value>, BuildError> {
    let open = template.segments().iter().find_map(|segment| match segment {
        Segment::Shard(shard) if !segment.paths().iter().all(|it| parts.contains_key(&it.root)) => {
            Some(shard)
        }
        Segment::Shard(_) | Segment::Literal(_) | Segment::Attribute(_) => None,
    });
    let Some(shard) = open else { return Ok(vec![template.build(parts)?]) };
    let in_shard = |number: u32| -> Result<Value, BuildError> {
        let mut text = String::new();
        for segment in template.segments() {
            match segment {
                Segment::Shard(it) if it == shard => text.push_str(&shard.write(number)),
                segment => text.push_str(&segment.build(parts, template.delimiter())?),
            }
        }
        Ok(Value::String(text))
    };
    shard.numbers().map(in_shard).collect()
}

fn comparison(name: &str, condition: KeyComparison, placeholders: &mut Placeholders) -> String {
    let name = placeholders.name(name);
    let mut value = |it| placeholders.value(it);
    match condition {
        KeyComparison::Equal(it) => format!("{name} = {}", value(it)),
        KeyComparison::Less(it) => format!("{name} < {}", value(it)),
        KeyComparison::LessOrEqual(it) => format!("{name} <= {}", value(it)),
        KeyComparison::Greater(it) => format!("{name} > {}", value(it)),
        KeyComparison::GreaterOrEqual(it) => format!("{name} >= {}", value(it)),
        KeyComparison::Between(from, to) => {
            let from = value(from);
            format!("{name} BETWEEN {from} AND {}", value(to))
        }
        KeyComparison::BeginsWith(it) => format!("begins_with({name}, {})", value(it)),
        KeyComparison::NotIndexable => unreachable!("templates give conditions on ranges only"),
    }
}
