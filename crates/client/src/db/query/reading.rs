//! Reading an access pattern item by item.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use monotable_item::Item;
use tracing::Instrument;

use super::fetch::{CONCURRENCY, Fetched, REQUEST_ITEMS_MAX};
use super::merge::first_of;
use super::{Query, Side};
use crate::cursor::Position;
use crate::entity::{Pattern, Row};
use crate::error::Error;
use crate::key::Partition;
use crate::schema::sort_bytes;

/// How far a query has been read.
pub(super) enum Reading<P: Pattern, R> {
    /// Nothing was read.
    Nothing(Query<P, R>),
    /// The rows that are left of a page, and the query of the next one.
    Page(VecDeque<R>, Option<Query<P, R>>),
    /// All shards side by side.
    Shards(Query<P, R>, Vec<Shard>),
}

/// A shard that is read a page at a time. What was read is kept until it is wanted, so that nothing
/// is read twice.
pub(super) struct Shard {
    partition: Partition,
    /// What was read and not taken, with the bytes that it is ordered by.
    items: VecDeque<(Vec<u8>, Item)>,
    /// Where reading goes on.
    next: Position,
}

/// The next page of the shard with this number.
type Read<'a> = Pin<Box<dyn Future<Output = Result<(usize, Fetched), Error>> + Send + 'a>>;

impl<P: Pattern, R: Row> Reading<P, R> {
    pub(super) fn new(query: Query<P, R>) -> Reading<P, R> {
        Reading::Nothing(query)
    }

    /// The next row.
    pub(super) async fn next(&mut self) -> Result<Option<R>, Error> {
        loop {
            match self {
                Reading::Nothing(query) => *self = query.again().begin().await?,
                Reading::Page(rows, next) => {
                    if let Some(row) = rows.pop_front() {
                        return Ok(Some(row));
                    }
                    let Some(query) = next.take() else { return Ok(None) };
                    *self = query.next_page().await?;
                }
                Reading::Shards(query, shards) => {
                    query.refill(shards).await?;
                    let heads = shards.iter().map(Shard::head);
                    let Some(at) = first_of(heads, query.descending) else { return Ok(None) };
                    let item = shards.get_mut(at).and_then(|shard| shard.items.pop_front());
                    return item.map(|(_, item)| Ok(R::from_item(item)?)).transpose();
                }
            }
        }
    }
}

impl Shard {
    /// The bytes by which the first item is ordered that was not taken.
    fn head(&self) -> Option<&[u8]> {
        self.items.front().map(|(order, _)| order.as_slice())
    }

    fn is_drained(&self) -> bool {
        self.items.is_empty() && self.next != Position::End
    }
}

impl<P: Pattern, R: Row> Query<P, R> {
    async fn begin(self) -> Result<Reading<P, R>, Error> {
        let partitions = self.selection.partitions()?;
        if let [_] = partitions.as_slice() {
            if self.side() == Side::Before {
                return Ok(Reading::Page(self.all().await?.into(), None));
            }
            return self.next_page().await;
        }
        let starts = self.shard_starts(&partitions)?;
        let shards = partitions.into_iter().zip(starts);
        let shards =
            shards.map(|(partition, next)| Shard { partition, items: VecDeque::new(), next });
        Ok(Reading::Shards(self, shards.collect()))
    }

    async fn next_page(self) -> Result<Reading<P, R>, Error> {
        let next = self.again();
        let page = self.page().await?;
        let next = page.next().map(|cursor| next.after(cursor));
        Ok(Reading::Page(page.into_rows().into(), next))
    }

    /// Reads on in the shards of which nothing is left, until each has an item or is at its end.
    async fn refill(&mut self, shards: &mut [Shard]) -> Result<(), Error> {
        if !shards.iter().any(Shard::is_drained) {
            return Ok(());
        }
        let span = self.span();
        self.refill_inside(shards).instrument(span).await
    }

    async fn refill_inside(&self, shards: &mut [Shard]) -> Result<(), Error> {
        let sort_names = P::schema().sort_names();
        let order = |item: &Item| sort_bytes(sort_names.iter().filter_map(|name| item.get(name)));
        let limit = self.shard_page_items().clamp(1, REQUEST_ITEMS_MAX);
        let limit = u32::try_from(limit).ok();
        while shards.iter().any(Shard::is_drained) {
            let mut reads: Vec<Read<'_>> = Vec::new();
            for (at, shard) in shards.iter().enumerate().filter(|(_, shard)| shard.is_drained()) {
                let start = match &shard.next {
                    Position::After(key) => Some(key.clone()),
                    Position::Start | Position::End => None,
                };
                reads.push(Box::pin(async move {
                    Ok((at, self.fetch_page(&shard.partition, start, limit).await?))
                }));
            }
            let reads = stream::iter(reads).buffered(CONCURRENCY);
            let pages: Vec<(usize, Fetched)> = reads.try_collect().await?;
            for (at, page) in pages {
                let Some(shard) = shards.get_mut(at) else { continue };
                shard.items.extend(page.items.into_iter().map(|item| (order(&item), item)));
                shard.next = page.last.map_or(Position::End, Position::After);
            }
        }
        Ok(())
    }
}
