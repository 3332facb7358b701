//! Reading the items of an access pattern.
//!
//! A pattern whose partition key has a shard is read from all shards at once: each is a query of
//! its own, the results are merged by sort key, and one cursor holds every shard's position.

mod fetch;
mod merge;
mod page;

use std::collections::VecDeque;
use std::future::IntoFuture;
use std::marker::PhantomData;

use futures_util::stream::{self, Stream};
use monotable_item::Item;
use tracing::Instrument;

pub use page::Page;

use super::tally::operation_span;
use super::{Db, Operation};
use crate::backend::Select as SelectedAttributes;
use crate::condition::{Condition, Term};
use crate::cursor::Cursor;
use crate::entity::{ConsistentPattern, Entity, NarrowPattern, Pattern, Row};
use crate::error::Error;
use crate::key::Selection;
use crate::view::ViewOf;

/// How many items a page of a sharded pattern has, where no limit is given.
const SHARDED_PAGE_ITEMS: usize = 100;

/// Reads the items of an access pattern: awaited, one page of them.
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

    /// Leaves out items that do not meet this. They are read and paid for all the same.
    pub fn filter(mut self, condition: Condition<P::Subject>) -> Query<P, R> {
        self.filter = Some(match self.filter.take() {
            Some(term) => Term::All(vec![term, condition.term]),
            None => condition.term,
        });
        self
    }

    /// Reads from the greatest sort key to the least.
    pub fn desc(mut self) -> Query<P, R> {
        self.descending = true;
        self
    }

    /// Reads from the least sort key to the greatest, which goes without saying.
    pub fn asc(mut self) -> Query<P, R> {
        self.descending = false;
        self
    }

    /// Evaluates at most so many items for a page; a filter may leave fewer.
    pub fn limit(mut self, items: u32) -> Query<P, R> {
        self.limit = Some(items);
        self
    }

    /// Reads on until a page has so many items, or there are no more.
    pub fn exactly(mut self, items: usize) -> Query<P, R> {
        self.exactly = Some(items);
        self
    }

    /// Continues after a position, in the direction of the query.
    pub fn after(mut self, cursor: Cursor<P>) -> Query<P, R> {
        self.from = Some((cursor, Side::After));
        self
    }

    /// Reads the page that ends before a position; its items are in the order of the query.
    pub fn before(mut self, cursor: Cursor<P>) -> Query<P, R> {
        self.from = Some((cursor, Side::Before));
        self
    }

    /// Sees every write that was acknowledged, for twice the units.
    pub fn consistent(mut self) -> Query<P, R>
    where
        P: ConsistentPattern,
    {
        self.consistent = true;
        self
    }

    /// Reads all items.
    pub async fn all(self) -> Result<Vec<R>, Error> {
        let items = self.all_items().await?;
        items.into_iter().map(|item| Ok(R::from_item(item)?)).collect()
    }

    /// Reads the first item, if there is one.
    pub async fn first(self) -> Result<Option<R>, Error> {
        let page = self.exactly(1).await?;
        Ok(page.into_rows().into_iter().next())
    }

    /// Counts the items.
    pub async fn count(self) -> Result<u64, Error> {
        let mut count = 0;
        for partition in self.selection.partitions()? {
            let mut start = None;
            loop {
                let counted = SelectedAttributes::Count;
                let request = self.request(&partition, start, self.limit, counted)?;
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

    /// Reads the items one after another, page by page as they are wanted.
    pub fn stream(self) -> impl Stream<Item = Result<R, Error>> + Send {
        let start = (Some(self), VecDeque::new());
        stream::try_unfold(start, |(mut query, mut rows)| async move {
            loop {
                if let Some(row) = rows.pop_front() {
                    return Ok(Some((row, (query, rows))));
                }
                let Some(current) = query.take() else { return Ok(None) };
                let next = current.again();
                let page = current.page().await?;
                query = page.next().map(|cursor| next.after(cursor));
                rows = page.into_rows().into();
            }
        })
    }

    async fn all_items(self) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        let mut query = self;
        loop {
            let next = query.again();
            let (page, cursor, _) = query.items().await?;
            items.extend(page);
            match cursor {
                Some(cursor) => query = next.after(cursor),
                None => return Ok(items),
            }
        }
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
        let schema = P::schema();
        let span = operation_span!("query", self.db, schema.entity, schema.name);
        self.db.observe(&span);
        let (items, next, previous) = self.items().instrument(span).await?;
        let rows = items.into_iter().map(|item| Ok(R::from_item(item)?));
        Ok(Page::new(rows.collect::<Result<_, Error>>()?, next, previous))
    }
}

impl<P: NarrowPattern> Query<P> {
    /// Reads all items whole: by the index first, then each by its key in the table.
    pub async fn hydrate(self) -> Result<Vec<P::Entity>, Error> {
        let db = self.db.clone();
        let names: Vec<String> =
            <P::Entity as Entity>::schema().table.key_names().map(str::to_owned).collect();
        let keys = self.all_items().await?.into_iter().map(|mut item| {
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
