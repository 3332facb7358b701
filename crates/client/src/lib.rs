//! A typed client for single-table designs on DynamoDB: a wrong key does not compile.
//!
//! A table is a struct with `#[derive(Table)]`, an entity one with `#[derive(Entity)]`. Its key
//! templates say how fields become keys, in the language of the model document; everything else
//! follows: constructors of keys that take their parts from left to right, setters that keep index
//! keys in step, conditions that name fields, and pages with typed cursors.
//!
//! ```
//! use monotable::prelude::*;
//! use monotable_embedded::Embedded;
//!
//! #[derive(Table)]
//! #[table(pk = "pk", sk = "sk", type_attr = "type", entities(Author, Post))]
//! #[gsi(Gsi1, pk = "gsi1pk", sk = "gsi1sk")]
//! pub struct Blog;
//!
//! #[derive(Entity, Debug, Clone, PartialEq)]
//! #[entity(table = Blog)]
//! #[key(by_name: pk = "AUTHOR#{name}", sk = "AUTHOR")]
//! #[unique(email)]
//! pub struct Author {
//!     pub name: String,
//!     pub email: String,
//! }
//!
//! #[derive(Entity, Debug, Clone, PartialEq)]
//! #[entity(table = Blog)]
//! #[key(by_author: pk = "AUTHOR#{author}", sk = "POST#{number:04}")]
//! #[index(Gsi1 by_topic: pk = "TOPIC#{topic}", sk = "{author}#{number:04}")]
//! pub struct Post {
//!     pub author: String,
//!     pub number: u32,
//!     pub topic: String,
//!     pub likes: u32,
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let db = Blog::open("blog", Embedded::in_memory());
//!     db.create_table().await?;
//!     let (author, topic) = ("ada".to_owned(), "keys".to_owned());
//!     db.create(&Post { author, number: 1, topic, likes: 0 }).await?;
//!
//!     // The key of the index follows the topic.
//!     let key = Post::by_author("ada").number(1_u32);
//!     let post = db.patch(key.clone()).topic("sorting".to_owned()).likes(add(1_u32)).await?;
//!     assert_eq!(db.get(key).await?, Some(post.clone()));
//!     assert_eq!(db.query(Post::by_topic("sorting")).all().await?, [post]);
//!     assert_eq!(db.query(Post::by_topic("keys")).count().await?, 0);
//!     Ok(())
//! }
//! ```
//!
//! In reading order:
//!
//! 1. [`attribute`] is how Rust values become attribute values.
//! 2. [`key`] has keys and beginnings of keys, [`schema`] what the derives say about entities, by
//!    way of the traits in `entity`, and `model` makes a model document of it.
//! 3. `column`, `condition` with `measure`, and `change` with `nested_change` are what conditions
//!    and patches are made of; `expression` puts placeholders into their texts.
//! 4. [`db`] is the handle on a table and its operations. A page ends at a `cursor`, and a `view`
//!    reads some of the fields.
//! 5. [`stream`] reads the changes of a table.
//! 6. [`backend`] is the edge to a database, and `aws` leads over it to DynamoDB by the AWS SDK.
//! 7. `prelude` is what most programs use of all this.

// The derives name this crate, also where they are used in its own tests.
extern crate self as monotable;

pub mod attribute;
#[cfg(feature = "aws")]
pub mod aws;
pub mod backend;
mod change;
mod column;
mod condition;
mod cursor;
pub mod db;
mod entity;
mod error;
mod expression;
pub mod key;
mod measure;
mod model;
mod nested_change;
pub mod prelude;
pub mod schema;
pub mod stream;
mod view;

pub use attribute::{
    Attribute, Bytes, NumberBounds, Stamp, Timestamp, UnixSeconds, ValueError, ValueOf,
};
pub use change::{Add, Addable, Change, ChangeOf, Clear, Insert, Remove, Sub};
pub use change::{add, clear, insert, remove, sub};
pub use column::{Column, Containing, Filterable, InKey, Plain, Textual};
pub use condition::Condition;
pub use cursor::{Cursor, CursorScope};
pub use db::Db;
pub use entity::{
    ConsistentPattern, Entity, Expiry, Gather, IndexPattern, LockNumber, Locked, NarrowPattern,
    Omittable, Pattern, Replaceable, Row, Scannable, Select, Startable, Table, WholePattern,
};
pub use error::{CursorError, DecodeError, DecodeFault, Error, WriteError};
pub use key::{Key, KeyPart};
pub use measure::{MemberOf, SizeOf};
pub use model::model_of;
#[cfg(feature = "model-files")]
pub use model::{assert_model_matches, differences};
pub use monotable_derive::{Attribute, Collection, Entity, Gather, KeyPart, Table, View};
pub use monotable_item::{Item, Number, Value};
pub use monotable_model::document::Model;
pub use nested_change::{
    Decrease, IfMissing, Increase, InsertAll, Nested, NestedPath, Nesting, PathStep, RemoveAll,
};
pub use nested_change::{decrease, element, if_missing, increase, insert_all, member, remove_all};
pub use view::{View, ViewOf};

/// A patch for a transaction, with the setters of its entity.
pub fn patch<E: Entity>(key: Key<E>) -> E::Patch<()> {
    E::patch(db::Patch::detached(key))
}
