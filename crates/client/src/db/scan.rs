//! Reading a whole table, or a whole index.
//!
//! A scan reads every item of the table or index, whatever it is asked for, and all of them are
//! paid for. It can be read in segments, which are disjoint parts of it; a cursor holds the
//! position of every segment, and so stands for any of them: one that somebody else reads is at
//! its end.

mod scope;

use std::collections::VecDeque;
use std::future::IntoFuture;
use std::marker::PhantomData;

use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use monotable_item::Item;
use monotable_item::limits::SCAN_SEGMENTS_MAX;
use tracing::Instrument;

pub use scope::{ConsistentScope, Entries, Everything, ScanScope};

use super::tally::operation_span;
use super::{Db, Operation, unique};
use crate::backend::{self, CapacityDetail, PageOutcome, Segment, Select};
use crate::condition::{Condition, Term};
use crate::cursor::{Cursor, Position};
use crate::entity::{Entity, IndexPattern, Row};
use crate::error::{DecodeError, Error};
use crate::expression::Placeholders;
use crate::schema::ScanSchema;
use crate::view::{View, ViewOf};

/// How many segments are read at a time.
const CONCURRENCY: usize = 8;

/// Reads a whole table or index: awaited, one page of each segment.
///
/// Of an entity, it finds the items of that entity; of a collection, everything that there is, and
/// what is no member of the collection is reported. Either way the whole table or index is read
/// and paid for: a query is what reads only what is wanted. A sparse index that holds the few
/// items that are wanted is cheap to read whole.
///
/// ```
/// # use monotable::prelude::*;
/// # use futures_util::TryStreamExt;
/// # #[derive(Table)]
/// # #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Author, Post))]
/// # pub struct Blog;
/// # #[derive(Entity, Debug, Clone, PartialEq)]
/// # #[entity(table = Blog)]
/// # #[key(by_name: pk = "AUTHOR#{name}", sk = "AUTHOR")]
/// # pub struct Author { pub name: String }
/// # #[derive(Entity, Debug, Clone, PartialEq)]
/// # #[entity(table = Blog)]
/// # #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
/// # pub struct Post { pub author: String, pub number: u32, pub likes: u32 }
/// #[derive(Collection)]
/// #[collection(Blog)]
/// pub enum BlogItem {
///     Author(Author),
///     Post(Post),
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Blog::open("blog", monotable_embedded::Embedded::in_memory());
/// # db.create_table().await?;
/// db.create(&Author { name: "ada".to_owned() }).await?;
/// for number in 1..=9 {
///     db.create(&Post { author: "ada".to_owned(), number, likes: number % 2 }).await?;
/// }
/// let liked = db.scan_everything::<Post>().filter(Post::LIKES.gt(0_u32)).all().await?;
/// assert_eq!((liked.rows.len(), liked.evaluated), (5, 10));
///
/// // Everything, four parts of the table at a time.
/// let mut items = std::pin::pin!(db.scan_everything::<BlogItem>().segments(4).stream());
/// let mut posts = 0;
/// while let Some(item) = items.try_next().await? {
///     match item {
///         BlogItem::Author(_) => {}
///         BlogItem::Post(_) => posts += 1,
///     }
/// }
/// assert_eq!(posts, 9);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct Scan<S: ScanScope, R = <S as ScanScope>::Row> {
    db: Db<S::Table>,
    filter: Option<Term>,
    limit: Option<u32>,
    consistent: bool,
    /// Where reading goes on in each segment.
    positions: Vec<Position>,
    /// A requested segment that is out of range.
    misplaced: Option<Segment>,
    of: PhantomData<fn() -> R>,
}

/// What a scan has read.
#[derive(Debug)]
pub struct Scanned<R, S = Everything<R>> {
    /// The rows.
    pub rows: Vec<R>,
    /// The items that do not belong to the collection or cannot be read, each with its key and what
    /// is wrong with it.
    pub misfits: Vec<DecodeError>,
    /// How many items were read and paid for.
    pub evaluated: u64,
    /// The read units that were consumed.
    pub units: f64,
    /// Where the scan goes on, for [`Scan::after`]; nothing at the end.
    pub next: Option<Cursor<S>>,
}

impl<S: ScanScope> Scan<S> {
    pub(super) fn new(db: Db<S::Table>) -> Scan<S> {
        Scan {
            db,
            filter: None,
            limit: None,
            consistent: false,
            positions: vec![Position::Start],
            misplaced: None,
            of: PhantomData,
        }
    }
}

impl<E: Entity> Scan<Everything<E>> {
    /// Reads only the fields of a view, for the units of the whole items.
    pub fn view<V: View<Entity = E>>(self) -> Scan<Everything<E>, V> {
        self.read_as()
    }
}

impl<P: IndexPattern> Scan<Entries<P>> {
    /// Reads only the fields of a view, for the units of what the index holds.
    pub fn view<V: ViewOf<P>>(self) -> Scan<Entries<P>, V> {
        self.read_as()
    }
}

impl<S: ScanScope, R: Row> Scan<S, R> {
    /// The same scan, whose items are read as other rows.
    fn read_as<V>(self) -> Scan<S, V> {
        Scan {
            db: self.db,
            filter: self.filter,
            limit: self.limit,
            consistent: self.consistent,
            positions: self.positions,
            misplaced: self.misplaced,
            of: PhantomData,
        }
    }

    /// Leaves out items that do not meet this condition. They are still read and paid for.
    pub fn filter(mut self, condition: Condition<S::Subject>) -> Scan<S, R> {
        self.filter = Some(match self.filter.take() {
            Some(term) => Term::All(vec![term, condition.term]),
            None => condition.term,
        });
        self
    }

    /// Evaluates at most this many items of each segment for a page.
    pub fn limit(mut self, items: u32) -> Scan<S, R> {
        self.limit = Some(items);
        self
    }

    /// Reads this many segments of the table in parallel: faster, for the same units. Each request
    /// reads up to a megabyte of one segment, and a page is one request for each.
    pub fn segments(mut self, count: u32) -> Scan<S, R> {
        self.split(count.max(1), Position::Start);
        self
    }

    /// Reads one of this many segments of the table, counted from 0, while other workers read the
    /// others.
    pub fn segment(mut self, number: u32, of: u32) -> Scan<S, R> {
        self.split(of, Position::End);
        match self.positions.get_mut(number as usize) {
            Some(position) => *position = Position::Start,
            None => self.misplaced = Some(Segment { number, of }),
        }
        self
    }

    /// Sees every write that was acknowledged when its page is read, for twice the units.
    pub fn consistent(mut self) -> Scan<S, R>
    where
        S: ConsistentScope,
    {
        self.consistent = true;
        self
    }

    /// Continues after a page, with the same segments.
    pub fn after(mut self, cursor: Cursor<S>) -> Scan<S, R> {
        self.positions = cursor.into_positions();
        self
    }

    /// Reads to the end, and keeps everything in memory.
    pub async fn all(self) -> Result<Scanned<R, S>, Error> {
        let mut all = Scanned::default();
        let mut scan = self;
        loop {
            let next = scan.again();
            let page = scan.await?;
            all.rows.extend(page.rows);
            all.misfits.extend(page.misfits);
            all.evaluated += page.evaluated;
            all.units += page.units;
            match page.next {
                Some(cursor) => scan = next.after(cursor),
                None => return Ok(all),
            }
        }
    }

    /// Reads the items one after another, page by page as they are wanted. An item that is no row
    /// is an error at its place, after which the stream goes on; any other error ends it.
    pub fn stream(self) -> impl Stream<Item = Result<R, Error>> + Send {
        let start = (Some(self), VecDeque::<Result<R, DecodeError>>::new());
        stream::unfold(start, |(mut scan, mut found)| async move {
            loop {
                if let Some(row) = found.pop_front() {
                    return Some((row.map_err(Error::from), (scan, found)));
                }
                let current = scan.take()?;
                let next = current.again();
                match current.found().await {
                    Ok(page) => {
                        scan = page.next.map(|cursor| next.after(cursor));
                        found = page.rows.into();
                    }
                    Err(error) => return Some((Err(error), (None, VecDeque::new()))),
                }
            }
        })
    }

    /// Divides the table into so many segments, all of which are at one position.
    fn split(&mut self, count: u32, position: Position) {
        let is_allowed = i64::from(count) <= SCAN_SEGMENTS_MAX;
        let last = Segment { number: count.saturating_sub(1), of: count };
        self.misplaced = (!is_allowed).then_some(last);
        self.positions = vec![position; if is_allowed { count as usize } else { 0 }];
    }

    /// The same scan, to be sent for another page.
    fn again(&self) -> Scan<S, R> {
        Scan {
            db: self.db.clone(),
            filter: self.filter.clone(),
            limit: self.limit,
            consistent: self.consistent,
            positions: self.positions.clone(),
            misplaced: self.misplaced,
            of: PhantomData,
        }
    }

    async fn page(self) -> Result<Scanned<R, S>, Error> {
        let Found { rows: found, evaluated, units, next } = self.found().await?;
        let mut page = Scanned { evaluated, units, next, ..Scanned::default() };
        for row in found {
            match row {
                Ok(row) => page.rows.push(row),
                Err(misfit) => page.misfits.push(misfit),
            }
        }
        Ok(page)
    }

    async fn found(mut self) -> Result<Found<R, S>, Error> {
        let schema = S::schema();
        let pattern = schema.pattern.map(|pattern| pattern.name);
        let span = operation_span!("scan", self.db, schema.name, pattern);
        self.db.observe(&span);
        self.read(schema).instrument(span).await
    }

    /// Reads a page of each segment that is not at its end.
    async fn read(mut self, schema: ScanSchema) -> Result<Found<R, S>, Error> {
        if let Some(Segment { number, of }) = self.misplaced {
            return Err(Error::Segment { number, of });
        }
        let positions = self.positions.iter().enumerate();
        let reads: Vec<SegmentRead> = positions
            .filter_map(|(number, position)| self.read_on(&schema, number, position))
            .collect();
        let pages: Vec<(usize, PageOutcome)> =
            stream::iter(reads).buffered(CONCURRENCY).try_collect().await?;
        let mut found = Found { rows: Vec::new(), evaluated: 0, units: 0.0, next: None };
        for (number, page) in pages {
            if let Some(position) = self.positions.get_mut(number) {
                *position = page.last_key.map_or(Position::End, Position::After);
            }
            found.rows.extend(page.items.into_iter().filter_map(|item| row::<R>(&schema, item)));
            found.evaluated += page.scanned_count;
            found.units += page.consumed.map_or(0.0, |consumed| consumed.units);
        }
        let is_over = self.positions.iter().all(|it| *it == Position::End);
        found.next = (!is_over).then(|| Cursor::new(self.positions));
        Ok(found)
    }

    /// Reads the next page of a segment, if there is one.
    fn read_on(
        &self,
        schema: &ScanSchema,
        number: usize,
        position: &Position,
    ) -> Option<SegmentRead> {
        let start = match position {
            Position::Start => None,
            Position::After(key) => Some(key.clone()),
            Position::End => return None,
        };
        let (db, request) = (self.db.clone(), self.request(schema, number, start));
        Some(Box::pin(async move {
            let outcome = db.backend.scan(request).await?;
            db.count_read(&outcome.consumed);
            Ok((number, outcome))
        }))
    }

    fn request(&self, schema: &ScanSchema, number: usize, start: Option<Item>) -> backend::Scan {
        let count = self.positions.len();
        let segment = |(number, of)| Segment { number, of };
        let segment = u32::try_from(number).ok().zip(u32::try_from(count).ok()).map(segment);
        let terms: Vec<Term> = schema.type_term().into_iter().chain(self.filter.clone()).collect();
        let mut placeholders = Placeholders::default();
        let filter = (!terms.is_empty()).then(|| Term::All(terms).write(&mut placeholders));
        let projection = schema.projection::<R>(&mut placeholders);
        backend::Scan {
            table: self.db.table(),
            index: schema.index().map(str::to_owned),
            filter,
            projection,
            names: placeholders.names,
            values: placeholders.values,
            select: Select::Projected,
            segment: segment.filter(|segment| segment.of > 1),
            limit: self.limit,
            start_after: start,
            consistent: self.consistent,
            capacity: self.db.capacity().max(CapacityDetail::Total),
        }
    }
}

/// The page of a segment, with its number.
type SegmentRead = Operation<Result<(usize, PageOutcome), Error>>;

/// A page before rows and misfits are told apart.
struct Found<R, S> {
    rows: Vec<Result<R, DecodeError>>,
    evaluated: u64,
    units: f64,
    next: Option<Cursor<S>>,
}

/// Reads an item; nothing comes back for one that is not looked for.
fn row<R: Row>(schema: &ScanSchema, item: Item) -> Option<Result<R, DecodeError>> {
    let is_wanted = if schema.is_whole {
        !unique::is_claim(schema.table(), &item)
    } else {
        schema.recognizes(&item)
    };
    is_wanted.then(|| R::from_item(item))
}

impl<R, S> Default for Scanned<R, S> {
    fn default() -> Scanned<R, S> {
        Scanned { rows: Vec::new(), misfits: Vec::new(), evaluated: 0, units: 0.0, next: None }
    }
}

impl<S: ScanScope, R: Row> IntoFuture for Scan<S, R> {
    type Output = Result<Scanned<R, S>, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.page())
    }
}
