//! Reading the items of an access pattern.
//!
//! A pattern whose partition key has a shard is read from all shards at once: each is a query of
//! its own, the results are merged by sort key, and one cursor holds every shard's position.

mod fetch;
mod merge;
mod page;
mod reading;

use std::future::IntoFuture;
use std::marker::PhantomData;

use futures_util::stream::{self, Stream};
use tracing::{Instrument, Span};

pub(super) use fetch::CONCURRENCY;
pub(super) use merge::{Source, merge};
pub use page::Page;
use reading::Reading;

use super::tally::operation_span;
use super::{Db, Operation};
use crate::condition::{Condition, Term};
use crate::cursor::Cursor;
use crate::entity::{ConsistentPattern, Entity, NarrowPattern, Pattern, Row};
use crate::error::Error;
use crate::key::Selection;
use crate::view::ViewOf;

/// How many items a page of a sharded pattern has, where no limit is given.
const SHARDED_PAGE_ITEMS: usize = 100;

/// Reads the items of an access pattern. Awaiting it reads one page.
///
/// ```
/// # use monotable::prelude::*;
/// # #[derive(Table)]
/// # #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
/// # pub struct Blog;
/// # #[derive(Entity, Debug, Clone, PartialEq)]
/// # #[entity(table = Blog)]
/// # #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
/// # pub struct Post { pub author: String, pub number: u32, pub likes: u32 }
/// # fn post(number: u32) -> Post { Post { author: "ada".to_owned(), number, likes: 0 } }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Blog::open("blog", monotable_embedded::Embedded::in_memory());
/// # db.create_table().await?;
/// for number in 1..=9 {
///     db.create(&post(number)).await?;
/// }
/// let newest = db.query(Post::by_author("ada")).desc().exactly(2).await?;
/// assert_eq!(newest.rows(), [post(9), post(8)]);
///
/// // The next page, with a cursor that has been to a browser and back.
/// let sealed = newest.next().expect("there are more").seal(b"a secret");
/// let cursor = Cursor::open(&sealed, b"a secret")?;
/// let next = db.query(Post::by_author("ada")).desc().after(cursor).exactly(2).await?;
/// assert_eq!(next.rows(), [post(7), post(6)]);
///
/// // A range of the sort key, and a filter of what is read.
/// let middle = db.query(Post::by_author("ada").number_in(3_u32..=5));
/// assert_eq!(middle.filter(Post::LIKES.is(0_u32)).count().await?, 3);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read until it is awaited"]
pub struct Query<P: Pattern, R = <P as Pattern>::Row> {
    db: Db<P::Table>,
    selection: Selection<P>,
    filter: Option<Term>,
    descending: bool,
    limit: Option<u32>,
    exactly: Option<usize>,
    from: Option<(Cursor<P>, Side)>,
    consistent: bool,
    of: PhantomData<fn() -> R>,
}

/// On which side of a cursor a page lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    After,
    Before,
}

impl<P: Pattern> Query<P> {
    pub(super) fn new(db: Db<P::Table>, selection: Selection<P>) -> Query<P> {
        Query {
            db,
            selection,
            filter: None,
            descending: false,
            limit: None,
            exactly: None,
            from: None,
            consistent: false,
            of: PhantomData,
        }
    }

    /// Reads only the fields of a view, for the units of what the table or index holds.
    pub fn view<V: ViewOf<P>>(self) -> Query<P, V> {
        self.read_as()
    }
}

impl<P: Pattern, R: Row> Query<P, R> {
    /// The same query, whose items are read as other rows.
    fn read_as<V>(self) -> Query<P, V> {
        Query {
            db: self.db,
            selection: self.selection,
            filter: self.filter,
            descending: self.descending,
            limit: self.limit,
            exactly: self.exactly,
            from: self.from,
            consistent: self.consistent,
            of: PhantomData,
        }
    }

    /// Leaves out items that do not meet this condition. They are still read and paid for.
    pub fn filter(mut self, condition: Condition<P::Subject>) -> Query<P, R> {
        self.filter = Some(match self.filter.take() {
            Some(term) => Term::All(vec![term, condition.term]),
            None => condition.term,
        });
        self
    }

    /// Reads in descending sort-key order.
    pub fn desc(mut self) -> Query<P, R> {
        self.descending = true;
        self
    }

    /// Reads in ascending sort-key order, the default.
    pub fn asc(mut self) -> Query<P, R> {
        self.descending = false;
        self
    }

    /// Evaluates at most this many items for a page; a filter may leave fewer. Over several shards
    /// it is the number of items that a page has, as with [`exactly`](Query::exactly): each shard
    /// is read until it has so many, whatever a filter leaves out.
    pub fn limit(mut self, items: u32) -> Query<P, R> {
        self.limit = Some(items);
        self
    }

    /// Reads on until a page has this many items, or there are no more.
    pub fn exactly(mut self, items: usize) -> Query<P, R> {
        self.exactly = Some(items);
        self
    }

    /// Continues after a position, in the order of the query.
    pub fn after(mut self, cursor: Cursor<P>) -> Query<P, R> {
        self.from = Some((cursor, Side::After));
        self
    }

    /// Reads the page that ends before a position; its items are in the order of the query.
    pub fn before(mut self, cursor: Cursor<P>) -> Query<P, R> {
        self.from = Some((cursor, Side::Before));
        self
    }

    /// Reads consistently: sees every acknowledged write, for twice the units.
    pub fn consistent(mut self) -> Query<P, R>
    where
        P: ConsistentPattern,
    {
        self.consistent = true;
        self
    }

    /// Reads all items: with a cursor, all on its side.
    pub async fn all(mut self) -> Result<Vec<R>, Error> {
        let span = self.span();
        let items = self.all_items().instrument(span).await?;
        items.into_iter().map(|item| Ok(R::from_item(item)?)).collect()
    }

    /// Reads the first item, if there is one.
    pub async fn first(self) -> Result<Option<R>, Error> {
        let page = self.exactly(1).await?;
        Ok(page.into_rows().into_iter().next())
    }

    /// Counts the items: with a cursor, those on its side.
    pub async fn count(mut self) -> Result<u64, Error> {
        let span = self.span();
        self.count_items().instrument(span).await
    }

    /// Reads the items one after another, page by page as they are wanted.
    pub fn stream(self) -> impl Stream<Item = Result<R, Error>> + Send {
        stream::try_unfold(Reading::new(self), |mut reading| async move {
            Ok(reading.next().await?.map(|row| (row, reading)))
        })
    }

    /// The span of an operation on this query, whose requests are counted in it.
    fn span(&mut self) -> Span {
        let schema = P::schema();
        let span = operation_span!("query", self.db, schema.entity, schema.name);
        self.db.observe(&span);
        span
    }

    /// The same query, to be sent for another page.
    fn again(&self) -> Query<P, R> {
        Query {
            db: self.db.clone(),
            selection: self.selection.clone(),
            filter: self.filter.clone(),
            descending: self.descending,
            limit: self.limit,
            exactly: self.exactly,
            from: self.from.clone(),
            consistent: self.consistent,
            of: PhantomData,
        }
    }

    async fn page(mut self) -> Result<Page<P, R>, Error> {
        let span = self.span();
        let (items, next, previous) = self.items().instrument(span).await?;
        let rows = items.into_iter().map(|item| Ok(R::from_item(item)?));
        Ok(Page::new(rows.collect::<Result<_, Error>>()?, next, previous))
    }
}

impl<P: NarrowPattern> Query<P> {
    /// Reads items whole: by the index first, then each by its key in the table. They are all that
    /// there are, or with [`limit`](Query::limit) or [`exactly`](Query::exactly) those of a page.
    pub async fn hydrate(mut self) -> Result<Vec<P::Entity>, Error> {
        let span = self.span();
        self.hydrate_inside().instrument(span).await
    }

    async fn hydrate_inside(self) -> Result<Vec<P::Entity>, Error> {
        let db = self.db.clone();
        let names: Vec<String> =
            <P::Entity as Entity>::schema().table.key_names().map(str::to_owned).collect();
        let is_page = self.limit.is_some() || self.exactly.is_some();
        let items = if is_page { self.items().await?.0 } else { self.all_items().await? };
        let keys = items.into_iter().map(|mut item| {
            item.retain(|name, _| names.contains(name));
            item
        });
        db.items_by_key::<P::Entity>(keys.collect()).await
    }
}

impl<P: Pattern, R: Row> IntoFuture for Query<P, R> {
    type Output = Result<Page<P, R>, Error>;
    type IntoFuture = Operation<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.page())
    }
}
