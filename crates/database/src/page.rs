//! The one page loop, of Query and Scan on tables and indexes.
//!
//! A page is read in two steps. First the entries of a key range are collected until the limit or
//! the megabyte is reached; their sizes stand at their front, so nothing is decoded. Then each is
//! filtered and projected. So what a page costs and where it ends depend on what was read, not on
//! what is returned.

use std::ops::ControlFlow;
use std::time::Duration;

use bytes::Bytes;
use monotable_expr::{Condition, Projection};
use monotable_item::Item;
use monotable_item::limits::PAGE_BYTES_MAX;
use monotable_item::stored::{self, CorruptItem, ItemView};
use monotable_storage::{Direction, Engine, Key, KeyRange, Snapshot};

use crate::Database;
use crate::capacity::{Consistency, Consumed, read_units};
use crate::error::ReadError;
use crate::key::ItemKey;
use crate::off_worker;
use crate::projection::{decode_roots, project};
use crate::schema::{IndexId, IndexSchema, TableSchema};
use crate::selection::{Span, StartKey, after, after_key};
use crate::table::Table;

/// A page of a Query or Scan.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// The index that is read, or none for the table.
    pub index: Option<IndexId>,
    /// The part of it that is read.
    pub span: Span,
    /// In which direction.
    pub direction: Direction,
    /// Where the page before ended.
    pub start: Option<StartKey>,
    /// The most entries to evaluate.
    pub limit: Option<usize>,
    /// How fresh the read must be.
    pub consistency: Consistency,
    /// Which entries are returned.
    pub filter: Option<Condition>,
    /// What is returned of them.
    pub output: Output,
    /// Whether attributes are wanted that a local index does not hold, so that the items must be
    /// fetched from the table.
    pub fetch_items: bool,
}

/// What a page returns.
#[derive(Debug, Clone)]
pub enum Output {
    /// Only how many entries.
    Count,
    /// The entries whole.
    Whole,
    /// Parts of the entries.
    Parts(Projection),
}

/// What a page found.
#[derive(Debug, Clone)]
pub struct Page {
    /// The items, in their stored form; none if only their number was asked for.
    pub items: Vec<Bytes>,
    /// How many passed the filter.
    pub count: usize,
    /// How many were evaluated.
    pub scanned_count: usize,
    /// The key of the last entry evaluated, if the page ended before the range did.
    pub last_key: Option<Item>,
    /// What it cost.
    pub consumed: Consumed,
}

impl<E: Engine> Database<E> {
    /// Reads one page of a table that the request was checked against.
    pub async fn page(&self, table: &Table, request: &PageRequest) -> Result<Page, ReadError> {
        if self.engine.is_shared()
            && request.consistency == Consistency::Eventual
            && let Some(page) = Box::pin(self.stale_page(table, request)).await
        {
            return Ok(page);
        }
        let snapshot = self.engine.snapshot().await?;
        if self.engine.is_shared() {
            let record = snapshot.get(table.record_key()).await?;
            Box::pin(self.check_version(table, record.as_ref())).await?;
        }
        Page::read(&snapshot, table.schema(), request).await
    }

    /// Reads one page from a copy of the store, if there is one that knows the same version of the
    /// table. If anything fails there, the store itself is read.
    async fn stale_page(&self, table: &Table, request: &PageRequest) -> Option<Page> {
        let snapshot = self.engine.stale_snapshot().await?;
        let record = snapshot.get(table.record_key()).await.ok()?;
        if !table.stands(record.as_ref()) {
            return None;
        }
        Page::read(&snapshot, table.schema(), request).await.ok()
    }

    /// Reads one page as it was so long ago; see [`Database::keep_history`].
    pub async fn page_before(
        &self,
        table: &Table,
        request: &PageRequest,
        age: Duration,
    ) -> Result<Page, ReadError> {
        Page::read(&self.snapshot_before(age).await?, table.schema(), request).await
    }
}

impl Page {
    async fn read<S: Snapshot>(
        snapshot: &S,
        schema: &TableSchema,
        request: &PageRequest,
    ) -> Result<Page, ReadError> {
        let index = match request.index {
            Some(id) => Some(schema.index_by_id(id).ok_or(ReadError::IndexNotFound)?),
            None => None,
        };
        let range = request.span.range(schema, index);
        let range = after(range, request.start.as_ref(), request.direction);
        let evaluated = evaluate(snapshot, &range, request).await?;
        let last_key = match evaluated.entries.last() {
            Some(last) if evaluated.ended_early => Some(keys_of(schema, index, last)?),
            _ => None,
        };
        let mut consumed = consumed(request, evaluated.size_bytes);
        let scanned_count = evaluated.entries.len();
        let items = if request.fetch_items {
            fetch(snapshot, schema, evaluated.entries, request, &mut consumed).await?
        } else {
            evaluated.entries
        };
        let (items, count) = output(items, request)?;
        Ok(Page { items, count, scanned_count, last_key, consumed })
    }
}

/// The entries that a page evaluates.
#[derive(Default)]
struct Evaluated {
    entries: Vec<Bytes>,
    size_bytes: usize,
    ended_early: bool,
    damage: Option<CorruptItem>,
    /// Where the first entries ended, if there are more than a worker should evaluate.
    first_end: Option<Vec<u8>>,
}

/// How many entries of a page are read, filtered and projected by a worker. A page of small ones
/// can have hundreds of thousands.
const WORKER_ENTRIES_MAX: usize = 200;

impl Evaluated {
    fn take_first(&mut self, key: &[u8], entry: Bytes, limit: Option<usize>) -> ControlFlow<()> {
        self.take(entry, limit)?;
        let is_enough = self.entries.len() >= WORKER_ENTRIES_MAX
            || self.size_bytes > off_worker::WORKER_BYTES_MAX;
        if is_enough {
            self.first_end = Some(key.to_vec());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn take(&mut self, entry: Bytes, limit: Option<usize>) -> ControlFlow<()> {
        match ItemView::new(&entry) {
            Ok(view) => self.size_bytes += view.size_bytes(),
            Err(damage) => {
                self.damage = Some(damage);
                return ControlFlow::Break(());
            }
        }
        self.entries.push(entry);
        self.ended_early = limit == Some(self.entries.len()) || self.size_bytes >= PAGE_BYTES_MAX;
        if self.ended_early { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

async fn evaluate<S: Snapshot>(
    snapshot: &S,
    range: &KeyRange,
    request: &PageRequest,
) -> Result<Evaluated, ReadError> {
    let mut evaluated = Evaluated::default();
    let visit = |key: &[u8], entry: Bytes| evaluated.take_first(key, entry, request.limit);
    let about = request.limit.unwrap_or(usize::MAX);
    snapshot.visit(range, request.direction, about, visit).await?;
    if let Some(end) = evaluated.first_end.take() {
        off_worker::move_if_large(usize::MAX).await;
        let rest = after_key(range, end, request.direction);
        let visit = |_: &[u8], entry: Bytes| evaluated.take(entry, request.limit);
        snapshot.visit(&rest, request.direction, about, visit).await?;
    }
    match evaluated.damage {
        Some(damage) => Err(damage.into()),
        None => Ok(evaluated),
    }
}

fn consumed(request: &PageRequest, size_bytes: usize) -> Consumed {
    let units = read_units(size_bytes, request.consistency);
    match request.index {
        None => Consumed::on_table(units),
        Some(index) => Consumed { indexes: vec![(index, units)], ..Consumed::default() },
    }
}

/// Replaces index entries by the items they stand for. Each item is charged as a read of its own.
async fn fetch<S: Snapshot>(
    snapshot: &S,
    schema: &TableSchema,
    entries: Vec<Bytes>,
    request: &PageRequest,
    consumed: &mut Consumed,
) -> Result<Vec<Bytes>, ReadError> {
    let mut keys: Vec<Key> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let attributes = keys_of(schema, None, entry)?;
        let key = ItemKey::of(schema, &attributes).map_err(|_| CorruptItem::WITHOUT_KEYS)?;
        keys.push(key.storage_key().clone());
    }
    let items: Vec<Bytes> = snapshot.get_many(&keys).await?.into_iter().flatten().collect();
    for item in &items {
        consumed.table += read_units(ItemView::new(item)?.size_bytes(), request.consistency);
    }
    Ok(items)
}

/// The key attributes of an entry: those of the table and of the index that is read.
fn keys_of(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    entry: &Bytes,
) -> Result<Item, CorruptItem> {
    let is_key = |name: &[u8]| {
        let mut attributes = schema
            .key
            .attributes()
            .chain(index.into_iter().flat_map(|index| index.key.attributes()));
        attributes.any(|attribute| attribute.name.as_bytes() == name)
    };
    stored::decode_attributes(entry, is_key)
}

/// Filters and projects; gives what is returned and how many passed the filter.
fn output(items: Vec<Bytes>, request: &PageRequest) -> Result<(Vec<Bytes>, usize), CorruptItem> {
    let passed = match &request.filter {
        Some(condition) => filter(items, condition)?,
        None => items,
    };
    let count = passed.len();
    let items = match &request.output {
        Output::Count => Vec::new(),
        Output::Whole => passed,
        Output::Parts(projection) => {
            passed.iter().map(|item| project(item, projection)).collect::<Result<_, _>>()?
        }
    };
    Ok((items, count))
}

fn filter(items: Vec<Bytes>, condition: &Condition) -> Result<Vec<Bytes>, CorruptItem> {
    let roots = condition.roots();
    let mut passed = Vec::with_capacity(items.len());
    for item in items {
        if condition.matches(&decode_roots(&item, &roots)?) {
            passed.push(item);
        }
    }
    Ok(passed)
}
