//! The traits that the derives implement.

use std::collections::BTreeSet;
use std::sync::Arc;

use monotable_item::{Item, Number};
use monotable_model::document::Model;

use crate::attribute::{Attribute, UnixSeconds};
use crate::backend::Backend;
use crate::db::{Db, GatherField, Patch};
use crate::error::{DecodeError, Error};
use crate::model::model_of;
use crate::schema::{EntityDefinition, EntitySchema, PatternSchema, TableDefinition, TableSchema};

/// A table: `#[derive(Table)]`.
pub trait Table: Sized + Send + Sync + 'static {
    /// What the derive knows about it.
    const DEFINITION: &'static TableDefinition;

    /// The table's keys and indexes.
    fn schema() -> &'static TableSchema;

    /// The entities that the derive lists, for the model document.
    fn entities() -> Vec<&'static EntitySchema>;

    /// The model document of the table and its entities.
    fn model() -> Model {
        model_of::<Self>()
    }

    /// Asserts in a test that a model file says what the code says; see
    /// [`crate::assert_model_matches`].
    ///
    /// # Panics
    ///
    /// Panics if it does not, with a line for each difference.
    #[track_caller]
    #[cfg(feature = "model-files")]
    fn assert_model_matches(path: impl AsRef<std::path::Path>) {
        crate::model::assert_model_matches::<Self>(path);
    }

    /// A handle on the table of this name in a database.
    fn open(name: &str, backend: impl Backend) -> Db<Self> {
        Db::new(name, Arc::new(backend))
    }
}

/// A kind of item: `#[derive(Entity)]`.
pub trait Entity: Sized + Send + Sync + 'static {
    /// The table whose items it is.
    type Table: Table;

    /// The builder of patches, with a setter for each field that may change.
    type Patch<C>;

    /// What the derive knows about it.
    const DEFINITION: &'static EntityDefinition;

    /// Its keys and attributes.
    fn schema() -> &'static EntitySchema;

    /// The attributes under their names in the model.
    fn to_attributes(&self) -> Result<Item, Error>;

    /// Reads an item, such as one of a stream record.
    fn from_item(item: Item) -> Result<Self, DecodeError>;

    /// Gives a patch its setters.
    fn patch<C>(patch: Patch<Self, C>) -> Self::Patch<C>;
}

/// An entity without unique attributes, which may be written whole whatever was there before.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has unique attributes and cannot be written blindly",
    label = "the old item's unique values would stay taken",
    note = "use `create`, `patch` to change it, and `delete_item` in a transaction"
)]
pub trait Replaceable: Entity {}

/// An entity of which a patch can create an item: outside of its key it has no field that is
/// required, and no unique attributes. `C` is what sends the patch, if anything does.
#[diagnostic::on_unimplemented(
    message = "a patch cannot create a `{Self}`, which has unique attributes",
    label = "nobody would hold the new item's unique values",
    note = "write the item with `create`"
)]
pub trait Startable<C>: Entity {}

/// A type of attribute that an item need not have: an `Option` or a set.
#[diagnostic::on_unimplemented(
    message = "a patch cannot create an item whose fields of type `{Self}` it may leave out",
    label = "an item without a `{Self}` could not be read",
    note = "write the item with `create`, or make every field outside of the key an `Option` or a \
            set"
)]
pub trait Omittable<C>: Attribute {}

impl<T: Attribute, C> Omittable<C> for Option<T> {}
impl<M: Attribute + Ord, C> Omittable<C> for BTreeSet<M> {}

/// A type of field by which items can expire: a number of seconds since 1970. A newtype of one
/// implements it itself.
#[diagnostic::on_unimplemented(
    message = "items cannot expire by a `{Self}`",
    label = "DynamoDB expires items by a number of seconds since 1970, and by nothing else",
    note = "use `UnixSeconds` or `Option<UnixSeconds>`; a newtype of a number implements `Expiry` \
            itself"
)]
pub trait Expiry: Attribute {}

/// A type of lock: a number that every item has. A newtype of one implements it itself.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be a lock",
    label = "every change adds 1 to the lock, so it is a number that every item has",
    note = "use `u64`; a newtype of a number implements `LockNumber` itself"
)]
pub trait LockNumber: Attribute {}

macro_rules! whole_numbers {
    ($($number:ty),+) => {$(
        impl Expiry for $number {}
        impl LockNumber for $number {}
    )+};
}

whole_numbers!(u8, u16, u32, u64, i8, i16, i32, i64, Number);

impl Expiry for UnixSeconds {}
impl<T: Expiry> Expiry for Option<T> {}

/// An entity with a lock: a number that every change raises.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no lock",
    note = "give it one: `#[attr(lock)] rev: u64`"
)]
pub trait Locked: Entity {}

/// An access pattern: a key of an entity, or a collection.
pub trait Pattern: Send + Sync + 'static {
    /// The table.
    type Table: Table;

    /// What a query finds.
    type Row: Row;

    /// What filters refer to: the entity, or the collection.
    type Subject;

    /// The key that it reads by.
    fn schema() -> &'static PatternSchema;
}

/// What a query finds: an entity, a part of one, what an index holds of one, or one of a
/// collection.
pub trait Row: Sized + Send + Sync + 'static {
    /// The attributes to ask for, by their names in items; all if none are named.
    const ATTRIBUTES: &'static [&'static str] = &[];

    /// Reads an item.
    fn from_item(item: Item) -> Result<Self, DecodeError>;

    /// Reports an error if the item is not of this row type.
    fn recognize(item: &Item) -> Result<(), DecodeError>;
}

impl<E: Entity> Row for E {
    fn from_item(item: Item) -> Result<E, DecodeError> {
        <E as Entity>::from_item(item)
    }

    fn recognize(item: &Item) -> Result<(), DecodeError> {
        E::schema().recognize(item)
    }
}

/// What a whole table can be read as: an entity, or a collection of entities.
pub trait Scannable: Row {
    /// The table.
    type Table: Table;

    /// The name of the entity or collection.
    const NAME: &'static str;

    /// Whether the table holds nothing else, so that other items are reported as misfits.
    const IS_WHOLE: bool;

    /// The entities.
    fn members() -> Vec<&'static EntitySchema>;
}

impl<E: Entity> Scannable for E {
    type Table = <E as Entity>::Table;

    const NAME: &'static str = E::DEFINITION.name;

    const IS_WHOLE: bool = false;

    fn members() -> Vec<&'static EntitySchema> {
        vec![E::schema()]
    }
}

/// An access pattern on the table itself or on a local index, which can be read consistently.
#[diagnostic::on_unimplemented(
    message = "`{Self}` reads a global index, which cannot be read consistently",
    label = "a global index is always a little behind its table",
    note = "leave out `consistent()`, or read the table by its own key"
)]
pub trait ConsistentPattern: Pattern {}

/// An access pattern on an index, which can be read whole.
#[diagnostic::on_unimplemented(
    message = "`{Self}` reads the table by its own key, and no index",
    label = "not an access pattern on an index",
    note = "read the whole table with `scan_everything`, or name an access pattern that is \
            declared with `#[index(…)]` or `#[local(…)]`"
)]
pub trait IndexPattern: Pattern {}

/// An access pattern that finds whole items of an entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` reads an index that does not hold whole items",
    label = "a view that the index is not known to hold",
    note = "name the index at views that it holds: `#[view(Order, order::ByDay)]`"
)]
pub trait WholePattern: Pattern {
    /// The entity.
    type Entity: Entity<Table = Self::Table>;
}

/// An access pattern on an index that does not hold whole items.
pub trait NarrowPattern: Pattern {
    /// The entity whose items the index holds in part.
    type Entity: Entity<Table = Self::Table>;
}

/// A struct that one partition of a collection is read into: `#[derive(Gather)]`.
///
/// ```
/// use monotable::prelude::*;
/// # #[derive(Table)]
/// # #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Author, Post))]
/// # pub struct Blog;
///
/// #[derive(Entity, Debug, Clone, PartialEq)]
/// #[entity(table = Blog)]
/// #[key(by_name: pk = "AUTHOR#{name}", sk = "AUTHOR")]
/// pub struct Author {
///     pub name: String,
/// }
///
/// #[derive(Entity, Debug, Clone, PartialEq)]
/// #[entity(table = Blog)]
/// #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
/// pub struct Post {
///     pub author: String,
///     pub number: u32,
/// }
///
/// /// What lies in the partition of an author.
/// #[derive(Collection)]
/// #[collection(Blog, pk = "AUTHOR#{author}")]
/// pub enum AuthorRow {
///     Author(Author),
///     Post(Post),
/// }
///
/// #[derive(Gather)]
/// #[gather(AuthorRow)]
/// pub struct AuthorPage {
///     #[one]
///     pub author: Option<Author>,
///     #[many(desc, max = 10)]
///     pub newest: Vec<Post>,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Blog::open("blog", monotable_embedded::Embedded::in_memory());
/// # db.create_table().await?;
/// db.create(&Author { name: "ada".to_owned() }).await?;
/// db.create(&Post { author: "ada".to_owned(), number: 1 }).await?;
/// let page: AuthorPage = db.gather(AuthorRow::of("ada")).await?;
/// assert!(page.author.is_some());
/// assert_eq!(page.newest.len(), 1);
/// # Ok(())
/// # }
/// ```
pub trait Gather: Sized + Send + Sync + 'static {
    /// The collection.
    type Collection: Pattern;

    /// Its fields, in order.
    const FIELDS: &'static [GatherField];

    /// Makes it of the items of each field.
    fn assemble(members: Vec<Vec<Item>>) -> Result<Self, DecodeError>;
}

/// A partition and, if more is known, a range of its sort keys.
pub trait Select {
    /// The access pattern.
    type Pattern: Pattern;

    /// What to read.
    fn selection(self) -> crate::key::Selection<Self::Pattern>;
}
