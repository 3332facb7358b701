//! The nearest of the entries visited so far.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use bytes::Bytes;
use monotable_expr::Projection;
use monotable_item::Value;
use monotable_item::stored::{self, CorruptItem, ItemView};

use super::distance::QueryVector;
use super::schema::VectorIndexDefinition;
use super::search::{VectorMatch, VectorSearch};
use super::value::number_of;
use crate::key_value::{KeySource, of_value};
use crate::keyspace::vector_entry;
use crate::projection::project;

/// The nearest entries so far.
pub(super) struct Nearest<'s> {
    query: QueryVector<'s>,
    dimensions: u32,
    search: &'s VectorSearch,
    /// The farthest is on top.
    kept: BinaryHeap<Candidate>,
}

impl<'s> Nearest<'s> {
    pub(super) fn new(definition: &VectorIndexDefinition, search: &'s VectorSearch) -> Nearest<'s> {
        Nearest {
            query: QueryVector::new(definition.distance, &search.vector),
            dimensions: definition.dimensions,
            search,
            kept: BinaryHeap::with_capacity(search.limit + 1),
        }
    }

    /// Visits an entry. Each entry is visited once.
    pub(super) fn take(&mut self, key: &[u8], value: Bytes) -> Result<(), CorruptItem> {
        let (vector, attributes) = split(self.dimensions, &value)?;
        if !self.passes(attributes)? {
            return Ok(());
        }
        let rank = self.query.rank(vector);
        if self.is_beyond(rank, key) {
            return Ok(());
        }
        if self.is_full() {
            self.kept.pop();
        }
        self.kept.push(Candidate { rank, key: key.to_vec(), value });
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.kept.len() >= self.search.limit
    }

    /// Returns whether enough entries are nearer. Of two equally near ones, the one with the lower
    /// key counts as nearer.
    fn is_beyond(&self, rank: f32, key: &[u8]) -> bool {
        let is_nearer = |farthest: &Candidate| {
            rank < farthest.rank || (rank == farthest.rank && key < farthest.key.as_slice())
        };
        self.is_full() && !self.kept.peek().is_some_and(is_nearer)
    }

    /// The rank from which on nothing matters any more, once enough entries were found.
    pub(super) fn farthest(&self) -> Option<f32> {
        let farthest = self.kept.peek().map(|farthest| farthest.rank);
        farthest.filter(|_| self.is_full())
    }

    fn passes(&self, attributes: &[u8]) -> Result<bool, CorruptItem> {
        if self.search.filters.is_empty() {
            return Ok(true);
        }
        let item = ItemView::new(attributes)?;
        let mut filters = self.search.filters.iter();
        Ok(filters.all(|(name, value)| item.key_value(name) == Some(of_value(value))))
    }

    /// What was found, the nearest first.
    pub(super) fn into_matches(
        self,
        definition: &VectorIndexDefinition,
    ) -> Result<Vec<VectorMatch>, CorruptItem> {
        let (query, search) = (self.query, self.search);
        let found = self.kept.into_sorted_vec().into_iter().map(|candidate| {
            let item = returned(definition, search.projection.as_ref(), &candidate.value)?;
            Ok(VectorMatch { item, score: query.score(candidate.rank) })
        });
        found.collect()
    }
}

/// What is returned of an entry.
fn returned(
    definition: &VectorIndexDefinition,
    projection: Option<&Projection>,
    value: &Bytes,
) -> Result<Bytes, CorruptItem> {
    let (vector, attributes) = split(definition.dimensions, value)?;
    let attributes = value.slice_ref(attributes);
    let Some(projection) = projection else { return Ok(attributes) };
    if !projection.roots().contains(definition.attribute.as_str()) {
        return project(&attributes, projection);
    }
    let mut item = stored::decode(&attributes)?;
    let numbers = vector_entry::numbers(vector).map(|number| Value::Number(number_of(number)));
    item.insert(definition.attribute.clone(), Value::List(numbers.collect()));
    Ok(stored::encode(&projection.project(&item)).into())
}

fn split(dimensions: u32, value: &[u8]) -> Result<(&[u8], &[u8]), CorruptItem> {
    vector_entry::split_value(dimensions, value).ok_or(CorruptItem::SHORT_VECTOR)
}

/// An entry that may be among the nearest.
struct Candidate {
    rank: f32,
    key: Vec<u8>,
    value: Bytes,
}

/// By distance, then by key.
impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        self.rank.total_cmp(&other.rank).then_with(|| self.key.cmp(&other.key))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
