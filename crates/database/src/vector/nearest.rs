//! The nearest of the entries visited so far.
//!
//! An answer has room for so many bytes, and ends before the first item that does not fit. So the
//! farthest entries go when those that are nearer fill it, and everything beyond them is left out
//! from then on. What is kept is as it is stored until it comes to that many bytes; then it is made
//! into what is returned of it, which may be less. So a search takes a bounded amount of memory,
//! however large the entries are.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use bytes::Bytes;
use monotable_expr::Projection;
use monotable_item::Value;
use monotable_item::limits::SEARCH_BYTES_MAX;
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
    definition: &'s VectorIndexDefinition,
    search: &'s VectorSearch,
    /// The farthest is on top.
    kept: BinaryHeap<Candidate>,
    /// What the kept ones come to.
    kept_bytes: usize,
    /// The nearest that had no room. Nothing from there on is part of the answer.
    end: Option<Candidate>,
}

impl<'s> Nearest<'s> {
    pub(super) fn new(
        definition: &'s VectorIndexDefinition,
        search: &'s VectorSearch,
    ) -> Nearest<'s> {
        Nearest {
            query: QueryVector::new(definition.distance, &search.vector),
            definition,
            search,
            kept: BinaryHeap::with_capacity(search.limit + 1),
            kept_bytes: 0,
            end: None,
        }
    }

    /// Visits an entry. Each entry is visited once.
    pub(super) fn take(&mut self, key: &[u8], value: Bytes) -> Result<(), CorruptItem> {
        let (vector, attributes) = split(self.definition.dimensions, &value)?;
        if !self.passes(attributes)? {
            return Ok(());
        }
        let rank = self.query.rank(vector);
        if self.is_beyond(rank, key) {
            return Ok(());
        }
        if self.is_full() {
            self.leave_farthest_out();
        }
        self.kept_bytes += value.len();
        self.kept.push(Candidate { rank, key: key.to_vec(), content: Content::Stored(value) });
        if self.kept_bytes > SEARCH_BYTES_MAX { self.make_room() } else { Ok(()) }
    }

    /// Keeps what is returned of the entries instead of them, and of that as much as has room.
    #[cold]
    fn make_room(&mut self) -> Result<(), CorruptItem> {
        let mut kept = std::mem::take(&mut self.kept).into_vec();
        self.kept_bytes = 0;
        for candidate in &mut kept {
            let item = candidate.item(self.definition, self.search.projection.as_ref())?;
            self.kept_bytes += item.len();
            candidate.content = Content::Returned(item);
        }
        self.kept = kept.into();
        while self.kept_bytes > SEARCH_BYTES_MAX {
            self.end = self.leave_farthest_out();
        }
        Ok(())
    }

    fn leave_farthest_out(&mut self) -> Option<Candidate> {
        let farthest = self.kept.pop()?;
        self.kept_bytes -= farthest.content.len();
        Some(Candidate { content: Content::Returned(Bytes::new()), ..farthest })
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
            || self.end.as_ref().is_some_and(|end| !is_nearer(end))
    }

    /// The rank from which on nothing matters any more, once enough entries were found.
    pub(super) fn farthest(&self) -> Option<f32> {
        let farthest = self.kept.peek().filter(|_| self.is_full());
        farthest.or(self.end.as_ref()).map(|farthest| farthest.rank)
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
    pub(super) fn into_matches(self) -> Result<Vec<VectorMatch>, CorruptItem> {
        let projection = self.search.projection.as_ref();
        let found = self.kept.into_sorted_vec().into_iter().map(|candidate| {
            let item = candidate.item(self.definition, projection)?;
            Ok(VectorMatch { item, score: self.query.score(candidate.rank) })
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
    content: Content,
}

/// What is kept of an entry.
enum Content {
    /// All that is stored of it.
    Stored(Bytes),
    /// What is returned of it.
    Returned(Bytes),
}

impl Candidate {
    /// What is returned of the entry.
    fn item(
        &self,
        definition: &VectorIndexDefinition,
        projection: Option<&Projection>,
    ) -> Result<Bytes, CorruptItem> {
        match &self.content {
            Content::Stored(value) => returned(definition, projection, value),
            Content::Returned(item) => Ok(item.clone()),
        }
    }
}

impl Content {
    fn len(&self) -> usize {
        match self {
            Content::Stored(bytes) | Content::Returned(bytes) => bytes.len(),
        }
    }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use monotable_expr::{Resolver, parse_projection};
    use monotable_item::Item;

    use super::*;
    use crate::schema::{Distance, IndexId, IndexProjection};

    fn definition() -> VectorIndexDefinition {
        VectorIndexDefinition {
            name: "near".to_owned(),
            attribute: "embedding".to_owned(),
            dimensions: 1,
            distance: Distance::Euclidean,
            search: Vec::new(),
            projected: IndexProjection::All,
        }
    }

    fn search(projection: Option<&str>) -> VectorSearch {
        let projection = projection.map(|text| {
            let parsed = parse_projection(text).unwrap();
            let (names, values) = (BTreeMap::<String, String>::new(), BTreeMap::new());
            Resolver::new(&names, &values as &BTreeMap<String, Value>).projection(&parsed).unwrap()
        });
        VectorSearch {
            index: IndexId(1),
            vector: vec![0.0],
            limit: 100,
            partition: None,
            filters: Vec::new(),
            projection,
        }
    }

    /// What is stored of an item with a body of so many bytes, at this distance.
    fn entry(number: usize, distance: f32, bytes: usize) -> Bytes {
        let item = Item::from([
            ("id".to_owned(), Value::String(number.to_string())),
            ("body".to_owned(), Value::String("x".repeat(bytes))),
        ]);
        vector_entry::encode_value(&[distance], &stored::encode(&item)).into()
    }

    /// The entries in the order in which they are visited: distances and sizes in some disorder, of
    /// which some are equal.
    fn entries() -> Vec<(String, f32, Bytes)> {
        let entry_of = |number: usize| {
            let distance = ((number * 7919) % 97) as f32;
            let bytes = [390_000, 1000, 250_000][(number * 31) % 3];
            (format!("{number:04}"), distance, entry(number, distance, bytes))
        };
        (0..300).map(entry_of).collect()
    }

    /// The results that fit, as somebody finds them who keeps everything.
    fn expected(definition: &VectorIndexDefinition, search: &VectorSearch) -> Vec<Bytes> {
        let mut sorted = entries();
        sorted.sort_by(|left, right| left.1.total_cmp(&right.1).then(left.0.cmp(&right.0)));
        let items = sorted.iter().take(search.limit);
        let items =
            items.map(|entry| returned(definition, search.projection.as_ref(), &entry.2).unwrap());
        fitting(items)
    }

    /// The items up to the first that does not fit.
    fn fitting(items: impl Iterator<Item = Bytes>) -> Vec<Bytes> {
        let mut bytes = 0;
        let fits = |item: &Bytes| {
            bytes += item.len();
            bytes <= SEARCH_BYTES_MAX
        };
        items.take_while(fits).collect()
    }

    #[test]
    fn no_more_is_kept_than_has_room_and_nothing_that_has_is_lost() {
        let definition = definition();
        for projection in [None, Some("id"), Some("id, embedding")] {
            let search = search(projection);
            let mut nearest = Nearest::new(&definition, &search);
            for (key, _, value) in entries() {
                nearest.take(key.as_bytes(), value).unwrap();
                assert!(nearest.kept_bytes <= SEARCH_BYTES_MAX, "{projection:?}");
            }
            let found = nearest.into_matches().unwrap().into_iter().map(|found| found.item);
            let found = fitting(found);
            let expected = expected(&definition, &search);
            assert_eq!(found.len() < 100, projection.is_none(), "{projection:?}");
            assert!(found == expected, "{projection:?}: {} {}", found.len(), expected.len());
        }
    }
}
