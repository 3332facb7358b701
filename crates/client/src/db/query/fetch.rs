//! Reading pages of one partition, and of all shards.

use std::future::Future;
use std::pin::Pin;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use monotable_item::Item;

use super::merge::{Source, merge};
use super::{Query, SHARDED_PAGE_ITEMS, Side};
use crate::backend::{self, Select as SelectedAttributes};
use crate::cursor::{Cursor, Position, Shards};
use crate::entity::{Pattern, Row};
use crate::error::{CursorError, Error};
use crate::expression::Placeholders;
use crate::key::Partition;
use crate::schema::{fingerprint, sort_bytes};
use crate::view::projection_of;

/// How many shards are read at a time.
pub(in crate::db) const CONCURRENCY: usize = 8;

/// With a filter, how many items are evaluated for each that is wanted.
const FILTER_FACTOR: usize = 4;

/// The most items that a request for an exact number evaluates.
pub(super) const REQUEST_ITEMS_MAX: usize = 1000;

/// Items, and the cursors of the next and the previous page.
type Found<P> = (Vec<Item>, Option<Cursor<P>>, Option<Cursor<P>>);

/// The reading of a shard.
type Read<'a> = Pin<Box<dyn Future<Output = Result<Source, Error>> + Send + 'a>>;

/// What was read of one partition, in the order of reading.
pub(super) struct Fetched {
    pub(super) items: Vec<Item>,
    /// Where reading goes on, if there is more.
    pub(super) last: Option<Item>,
}

impl<P: Pattern, R: Row> Query<P, R> {
    pub(super) async fn items(self) -> Result<Found<P>, Error> {
        let partitions = self.selection.partitions()?;
        match partitions.as_slice() {
            [partition] => self.of_partition(partition).await,
            shards => self.of_shards(shards).await,
        }
    }

    /// All items, or all on one side of the cursor.
    pub(super) async fn all_items(&self) -> Result<Vec<Item>, Error> {
        let partitions = self.selection.partitions()?;
        if let [partition] = partitions.as_slice() {
            let mut items = self.rest_of(partition, self.start_in(partition)?).await?;
            if self.side() == Side::Before {
                items.reverse();
            }
            return Ok(items);
        }
        let starts = self.shard_starts(&partitions)?;
        let mut reads: Vec<Read<'_>> = Vec::new();
        for (shard, position) in partitions.iter().zip(starts) {
            reads.push(Box::pin(async move {
                let items = match &position {
                    Position::End => Vec::new(),
                    Position::Start => self.rest_of(shard, None).await?,
                    Position::After(key) => self.rest_of(shard, Some(key.clone())).await?,
                };
                Ok(Source { items: items.into(), has_more: false, position })
            }));
        }
        let sources: Vec<Source> = stream::iter(reads).buffered(CONCURRENCY).try_collect().await?;
        let sort_names = P::schema().sort_names();
        Ok(merge(sources, usize::MAX, &sort_names, self.descending, |_| Item::new()).items)
    }

    /// What a partition holds from a position to its end.
    async fn rest_of(
        &self,
        partition: &Partition,
        mut start: Option<Item>,
    ) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        loop {
            let page = self.fetch_page(partition, start, self.limit).await?;
            items.extend(page.items);
            start = page.last;
            if start.is_none() {
                return Ok(items);
            }
        }
    }

    /// How many items there are, or on one side of the cursor.
    pub(super) async fn count_items(&self) -> Result<u64, Error> {
        let partitions = self.selection.partitions()?;
        let starts = match partitions.as_slice() {
            [partition] => {
                vec![self.start_in(partition)?.map_or(Position::Start, Position::After)]
            }
            shards => self.shard_starts(shards)?,
        };
        let mut count = 0;
        for (partition, position) in partitions.iter().zip(starts) {
            let mut start = match position {
                Position::End => continue,
                Position::Start => None,
                Position::After(key) => Some(key),
            };
            loop {
                let counted = SelectedAttributes::Count;
                let request = self.request(partition, start, self.limit, counted)?;
                let outcome = self.db.backend.query(request).await?;
                self.db.count_read(&outcome.consumed);
                count += outcome.count;
                start = outcome.last_key;
                if start.is_none() {
                    break;
                }
            }
        }
        Ok(count)
    }

    async fn of_partition(&self, partition: &Partition) -> Result<Found<P>, Error> {
        let start = self.start_in(partition)?;
        let is_continued = start.is_some();
        let Fetched { mut items, last } = self.fetch(partition, start).await?;
        let cursor = |key: Item| Cursor::new(vec![Position::After(key)]);
        let first = items.first().filter(|_| is_continued);
        let first = first.map(|item| cursor(self.position_of(item)));
        let last = last.map(cursor);
        Ok(match self.side() {
            Side::After => (items, last, first),
            Side::Before => {
                items.reverse();
                (items, first, last)
            }
        })
    }

    async fn of_shards(&self, shards: &[Partition]) -> Result<Found<P>, Error> {
        let starts = self.shard_starts(shards)?;
        let wanted = self.shard_page_items();
        let mut reads: Vec<Read<'_>> = Vec::new();
        for (shard, start) in shards.iter().zip(starts) {
            reads.push(Box::pin(self.read_shard(shard, start, wanted)));
        }
        let sources: Vec<Source> = stream::iter(reads).buffered(CONCURRENCY).try_collect().await?;
        let merged = merge(sources, wanted, &P::schema().sort_names(), self.descending, |item| {
            self.position_of(item)
        });
        let is_over = merged.positions.iter().all(|it| *it == Position::End);
        let next =
            if is_over { None } else { Some(Cursor::over(self.shards(shards), merged.positions)) };
        Ok((merged.items, next, None))
    }

    /// How many items a page of all shards has.
    pub(super) fn shard_page_items(&self) -> usize {
        self.exactly.or(self.limit.map(|it| it as usize)).unwrap_or(SHARDED_PAGE_ITEMS)
    }

    async fn read_shard(
        &self,
        shard: &Partition,
        start: Position,
        wanted: usize,
    ) -> Result<Source, Error> {
        let fetched = match &start {
            Position::End => Fetched { items: Vec::new(), last: None },
            Position::Start => self.fetch_exactly(shard, None, wanted).await?,
            Position::After(key) => self.fetch_exactly(shard, Some(key.clone()), wanted).await?,
        };
        let has_more = fetched.last.is_some();
        Ok(Source { items: fetched.items.into(), has_more, position: start })
    }

    /// One page, or as many as an exact number of items takes.
    async fn fetch(&self, partition: &Partition, start: Option<Item>) -> Result<Fetched, Error> {
        if let Some(wanted) = self.exactly {
            return self.fetch_exactly(partition, start, wanted).await;
        }
        self.fetch_page(partition, start, self.limit).await
    }

    /// What one request finds.
    pub(super) async fn fetch_page(
        &self,
        partition: &Partition,
        start: Option<Item>,
        limit: Option<u32>,
    ) -> Result<Fetched, Error> {
        let request = self.request(partition, start, limit, SelectedAttributes::Projected)?;
        let outcome = self.db.backend.query(request).await?;
        self.db.count_read(&outcome.consumed);
        Ok(Fetched { items: outcome.items, last: outcome.last_key })
    }

    async fn fetch_exactly(
        &self,
        partition: &Partition,
        mut start: Option<Item>,
        wanted: usize,
    ) -> Result<Fetched, Error> {
        let mut items: Vec<Item> = Vec::new();
        loop {
            let missing = wanted.saturating_sub(items.len());
            let factor = if self.filter.is_some() { FILTER_FACTOR } else { 1 };
            let limit = missing.saturating_mul(factor).clamp(1, REQUEST_ITEMS_MAX);
            let limit = u32::try_from(limit).ok();
            let page = self.fetch_page(partition, start, limit).await?;
            items.extend(page.items);
            if items.len() > wanted {
                items.truncate(wanted);
                let last = items.last().map(|item| self.position_of(item));
                return Ok(Fetched { items, last });
            }
            start = page.last;
            if start.is_none() || items.len() == wanted {
                return Ok(Fetched { items, last: start });
            }
        }
    }

    /// The request for a page of a partition.
    pub(super) fn request(
        &self,
        partition: &Partition,
        start: Option<Item>,
        limit: Option<u32>,
        select: SelectedAttributes,
    ) -> Result<backend::Query, Error> {
        let mut placeholders = Placeholders::default();
        let key_condition = self.selection.key_condition(partition, &mut placeholders)?;
        let filter = self.filter.as_ref().map(|term| term.write(&mut placeholders));
        let schema = P::schema();
        let projection = match select {
            SelectedAttributes::Projected => {
                let (keys, kind) =
                    (schema.position_names(), schema.table.definition.type_attribute);
                projection_of::<R>(keys, kind, |name| schema.holds(name), &mut placeholders)
            }
            SelectedAttributes::All | SelectedAttributes::Count => None,
        };
        Ok(backend::Query {
            table: self.db.table(),
            index: schema.index.clone(),
            key_condition,
            filter,
            projection,
            names: placeholders.names,
            values: placeholders.values,
            select,
            forward: self.descending == (self.side() == Side::Before),
            limit,
            start_after: start,
            consistent: self.consistent,
            capacity: self.db.capacity(),
        })
    }

    pub(super) fn side(&self) -> Side {
        self.from.as_ref().map_or(Side::After, |(_, side)| *side)
    }

    /// The key that the cursor gives for the only partition.
    fn start_in(&self, partition: &Partition) -> Result<Option<Item>, Error> {
        let Some((cursor, _)) = &self.from else { return Ok(None) };
        let key = match cursor.positions() {
            [Position::After(key)] => key,
            _ => return Err(CursorError::OtherPattern.into()),
        };
        let is_here = partition.iter().all(|(name, value)| key.get(name) == Some(value));
        if is_here { Ok(Some(key.clone())) } else { Err(CursorError::OtherPartition.into()) }
    }

    /// Where reading begins in each shard. A position such as the end of a shard has no key: that
    /// it is one of these shards, in this order, is known by what the cursor says of all of them.
    pub(super) fn shard_starts(&self, shards: &[Partition]) -> Result<Vec<Position>, Error> {
        let cursor = match &self.from {
            None => return Ok(vec![Position::Start; shards.len()]),
            Some((_, Side::Before)) => return Err(CursorError::OneWay.into()),
            Some((cursor, Side::After)) => cursor,
        };
        let (is, of) = (self.shards(shards), cursor.shards().ok_or(CursorError::OtherPattern)?);
        if is.partitions != of.partitions {
            return Err(CursorError::OtherPartition.into());
        }
        if is.descending != of.descending {
            return Err(CursorError::OtherDirection.into());
        }
        if cursor.positions().len() != shards.len() {
            return Err(CursorError::OtherPattern.into());
        }
        Ok(cursor.positions().to_vec())
    }

    fn shards(&self, shards: &[Partition]) -> Shards {
        let values = shards.iter().map(|shard| sort_bytes(shard.iter().map(|(_, value)| value)));
        Shards { partitions: fingerprint(values), descending: self.descending }
    }

    /// The keys by which reading goes on after an item.
    fn position_of(&self, item: &Item) -> Item {
        let names = P::schema().position_names();
        let position = names.filter_map(|name| Some((name.to_owned(), item.get(name)?.clone())));
        position.collect()
    }
}
