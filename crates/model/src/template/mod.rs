//! Key templates: how an entity's attributes become a key, and what follows from that.
//!
//! A [`Template`] has a readable form. Text outside braces is literal; an attribute stands in
//! braces, with the encoding that makes its text sort as its value does:
//!
//! ```
//! use monotable_item::{Item, Value};
//! use monotable_model::template::Template;
//!
//! let template = Template::parse("DAY#{placed_at:day}#{shard(id, 16)}#{id:06}").unwrap();
//! let order = Item::from([
//!     ("placed_at".to_owned(), Value::from("2026-01-03T10:00:00Z")),
//!     ("id".to_owned(), Value::from(17)),
//! ]);
//! assert_eq!(template.build(&order).unwrap(), Value::from("DAY#2026-01-03#01#000017"));
//! ```
//!
//! What is known of a key becomes a key condition ([`Template::partial`], [`PartialKey`]). What can
//! happen to keys is decided on the set of all of them: [`KeySet`] says whether two templates can
//! have the same key, whether a range holds another's keys, whether keys have two readings, sort by
//! value, and how long they get; [`EntityKeys`] says the same of partition and sort key together,
//! and how the members of a collection lie.
//!
//! Keys read back ([`Template::read`]): texts are escaped so that a bare delimiter always ends
//! them. All encodings and their bytes are in `docs/design/0007-key-templates.md`; they are stored
//! data and do not change.

mod attributes;
mod delimiter;
mod display;
mod domain;
mod encoding;
mod entity_keys;
mod enumeration;
mod error;
mod hash_form;
mod identifier;
mod interleaving;
mod key_set;
mod key_template;
mod language;
mod minute_window;
mod mirror;
mod number_form;
mod order_fault;
mod partial;
mod range;
mod reading;
mod segment;
mod shard;
mod syntax;
mod text_form;
mod time_form;
mod verdict;
mod vocabulary;
mod whole_key;

pub use attributes::{Attributes, InShard, descend};
pub use delimiter::Delimiter;
pub use domain::{Domain, Domains};
pub use encoding::{Direction, Encoding, Form};
pub use entity_keys::{EntityKeys, ItemKey};
pub use enumeration::Enumeration;
pub use error::{BuildError, Kind, PartError, ReadError};
pub use hash_form::{HASH_DIGITS_MAX, HashForm};
pub use identifier::Identifier;
pub use interleaving::{Interleaving, KeyPair, Placement};
pub use key_set::{Ambiguity, KeySet, Overlap};
pub use key_template::{Template, TemplateError};
pub use language::CharSet;
pub use minute_window::MinuteWindow;
pub use number_form::{DIGITS_MAX, NumberForm, Sign};
pub use order_fault::{FaultCause, OrderFault};
pub use partial::{BoundError, PartialKey};
pub use range::{after_all, before};
pub use reading::{Meaning, ReadPart, Reading};
pub use segment::{AttributePart, Presence, Segment};
pub use shard::{Padding, Shard, ShardInput, ShardRule};
pub use syntax::{SyntaxError, SyntaxErrorKind};
pub use text_form::{Escaping, TextForm, TextStep};
pub use time_form::{Bucket, EpochUnit, TimeForm, TimeUnit};
pub use verdict::Verdict;
pub use vocabulary::{ENCODINGS, EncodingWord, ExampleValue, SHARD_FUNCTIONS, ShardFunction};
