//! Reading the members of a collection into the fields of a struct.
//!
//! Where every field takes its members in order and without a limit, one query reads the partition.
//! Otherwise each field is read by a query of its own, which reads no more than the field takes. Of
//! a collection in shards each is read, and what they hold is merged by sort key.

use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use monotable_item::{Item, Value};
use tracing::Instrument;

use super::query::{CONCURRENCY, Source, merge};
use super::tally::operation_span;
use super::{Db, Operation};
use crate::backend::{self, PageOutcome, Select as SelectedAttributes};
use crate::cursor::Position;
use crate::entity::{ConsistentPattern, Gather, Pattern, Row, Table};
use crate::error::{DecodeError, DecodeFault, Error};
use crate::expression::Placeholders;
use crate::key::{Partition, Selection};
use crate::schema::{EntitySchema, PatternSchema};

/// How many items are read for each that a field takes, where others lie between them.
const OTHERS_FACTOR: usize = 4;

/// The reading of a shard.
type Read<'a> = Pin<Box<dyn Future<Output = Result<Source, Error>> + Send + 'a>>;

/// A field of a gathered struct. The derive writes it.
#[derive(Debug, Clone, Copy)]
pub struct GatherField {
    /// The entity of its members.
    pub schema: fn() -> &'static EntitySchema,
    /// Whether the greatest sort keys come first.
    pub descending: bool,
    /// The most members that it takes.
    pub max: Option<usize>,
}

impl GatherField {
    /// Returns whether a query of the whole partition gives the field what it takes.
    fn takes_all(&self) -> bool {
        !self.descending && self.max.is_none()
    }
}

/// Reads one partition of a collection into a struct.
#[must_use = "nothing is read until it is awaited"]
pub struct Gathering<G: Gather> {
    db: Db<<G::Collection as Pattern>::Table>,
    selection: Selection<G::Collection>,
    consistent: bool,
    of: PhantomData<fn() -> G>,
}

impl<T: Table> Db<T> {
    /// Reads one partition of a collection into a struct.
    pub fn gather<G>(&self, selection: Selection<G::Collection>) -> Gathering<G>
    where
        G: Gather,
        G::Collection: Pattern<Table = T>,
    {
        Gathering { db: self.clone(), selection, consistent: false, of: PhantomData }
    }
}

impl<G: Gather> Gathering<G> {
    /// Reads consistently: sees every acknowledged write, for twice the units.
    pub fn consistent(mut self) -> Gathering<G>
    where
        G::Collection: ConsistentPattern,
    {
        self.consistent = true;
        self
    }

    async fn send(self) -> Result<G, Error> {
        let fields = G::FIELDS;
        let mut members: Vec<Vec<Item>> = vec![Vec::new(); fields.len()];
        if fields.iter().all(GatherField::takes_all) {
            for item in self.members(None).await? {
                let at = fields.iter().position(|field| (field.schema)().recognizes(&item));
                if let Some(of_field) = at.and_then(|at| members.get_mut(at)) {
                    of_field.push(item);
                }
            }
        } else {
            for (field, of_field) in fields.iter().zip(&mut members) {
                *of_field = self.members(Some(field)).await?;
            }
        }
        Ok(G::assemble(members)?)
    }

    /// The items of the partition, or those that one field takes. One that is of no member of the
    /// collection is an error.
    async fn members(&self, field: Option<&GatherField>) -> Result<Vec<Item>, Error> {
        let max = field.and_then(|field| field.max).unwrap_or(usize::MAX);
        let partitions = self.selection.partitions()?;
        if let [partition] = partitions.as_slice() {
            return self.members_in(partition, field, max).await;
        }
        // The first of all shards are among the first of each.
        let mut reads: Vec<Read<'_>> = Vec::new();
        for shard in &partitions {
            reads.push(Box::pin(async move {
                let items = self.members_in(shard, field, max).await?.into();
                Ok(Source { items, has_more: false, position: Position::Start })
            }));
        }
        let sources: Vec<Source> = stream::iter(reads).buffered(CONCURRENCY).try_collect().await?;
        let sort_names = <G::Collection as Pattern>::schema().sort_names();
        let descending = field.is_some_and(|field| field.descending);
        Ok(merge(sources, max, &sort_names, descending, |_| Item::new()).items)
    }

    async fn members_in(
        &self,
        partition: &Partition,
        field: Option<&GatherField>,
        max: usize,
    ) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        let mut start = None;
        while items.len() < max {
            let page = self.page(partition, field, max - items.len(), start.take()).await?;
            for item in page.items {
                <<G::Collection as Pattern>::Row as Row>::recognize(&item)?;
                if field.is_none_or(|field| (field.schema)().recognizes(&item)) {
                    items.push(item);
                }
            }
            start = page.last_key;
            if start.is_none() {
                break;
            }
        }
        items.truncate(max);
        Ok(items)
    }

    async fn page(
        &self,
        partition: &Partition,
        field: Option<&GatherField>,
        wanted: usize,
        start_after: Option<Item>,
    ) -> Result<PageOutcome, Error> {
        let schema = <G::Collection as Pattern>::schema();
        let mut placeholders = Placeholders::default();
        let mut key_condition = self.selection.key_condition(partition, &mut placeholders)?;
        // A key has one sort condition: where the selection has one, others are read over.
        let beginning = field.filter(|_| !self.selection.has_sort_condition());
        let beginning = beginning.and_then(|field| beginning_of(schema, field, &mut placeholders));
        let factor = if field.is_none() || beginning.is_some() { 1 } else { OTHERS_FACTOR };
        key_condition.extend(beginning);
        let request = backend::Query {
            table: self.db.table(),
            index: schema.index.clone(),
            key_condition,
            filter: None,
            projection: None,
            names: placeholders.names,
            values: placeholders.values,
            select: SelectedAttributes::Projected,
            forward: !field.is_some_and(|field| field.descending),
            limit: u32::try_from(wanted.saturating_mul(factor)).ok(),
            start_after,
            consistent: self.consistent,
            capacity: self.db.capacity(),
        };
        let outcome = self.db.backend.query(request).await?;
        self.db.count_read(&outcome.consumed);
        Ok(outcome)
    }
}

impl<G: Gather> IntoFuture for Gathering<G> {
    type Output = Result<G, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        let schema = <G::Collection as Pattern>::schema();
        let span = operation_span!("gather", self.db, schema.entity, schema.name);
        self.db.observe(&span);
        Box::pin(self.send().instrument(span))
    }
}

/// Creates the error for a partition without the one member that a struct needs.
pub fn missing_member(gathered: &'static str, attribute: &'static str) -> DecodeError {
    let fault = DecodeFault::Missing { attribute };
    DecodeError { entity: gathered, key: Box::default(), fault }
}

/// The condition that a sort key begins as those of the field's entity do, where they begin alike.
fn beginning_of(
    schema: &PatternSchema,
    field: &GatherField,
    placeholders: &mut Placeholders,
) -> Option<String> {
    let definition = (field.schema)().definition;
    let (sort, prefix) = match &schema.index {
        None => (schema.table.definition.sort_key.as_ref()?.name, definition.sort_prefix),
        Some(name) => {
            let keys = definition.indexes.iter().find(|keys| keys.index.name == *name)?;
            (keys.index.sort.first()?.name, keys.sort_prefix)
        }
    };
    if prefix.is_empty() {
        return None;
    }
    let name = placeholders.name(sort);
    let value = placeholders.value(Value::from(prefix));
    Some(format!(" AND begins_with({name}, {value})"))
}
