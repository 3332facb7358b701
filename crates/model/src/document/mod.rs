//! The model document: what a single-table design is, and reading and writing it.
//!
//! A document goes through four stages, each a plain function:
//!
//! 1. `reader` turns TOML, YAML or JSON into one tree of nodes with the bytes of every key and
//!    value.
//! 2. `decode` turns nodes into a [`Model`], by hand, so that every message can point at its place
//!    and all mistakes are reported at once.
//! 3. `resolve` checks every name that refers to something: tables, indexes, entities, attributes,
//!    patterns.
//! 4. `write` turns a model back into text: always the same text for the same model.
//!
//! [`read`] is the first three. What comes out is a [`Document`]: the model, in which every name
//! that is used exists, and the [`Places`] of its members in the file, for whoever has something to
//! say about them later.

mod allowance;
mod attribute;
#[cfg(feature = "files")]
mod decode;
#[cfg(feature = "files")]
mod document_file;
mod domain;
#[cfg(feature = "files")]
mod encode;
mod entity;
#[cfg(feature = "files")]
mod explain;
mod expression;
mod item;
mod lint_settings;
mod model;
mod model_test;
#[cfg(feature = "files")]
mod node;
mod pattern;
mod period_name;
#[cfg(feature = "files")]
mod places;
mod plain_text;
#[cfg(feature = "files")]
mod plain_value;
#[cfg(feature = "files")]
mod reader;
mod relationship;
#[cfg(feature = "files")]
mod resolve;
mod sample;
mod table;
mod tree;
#[cfg(feature = "files")]
mod words;
mod workload;
#[cfg(feature = "files")]
mod write;

pub use allowance::Allowance;
pub use attribute::{Attribute, AttributeOf, Format as AttributeFormat};
pub use domain::characters;
pub use entity::{Copies, EmbeddedIn, Entity, IndexKeys, Keys, Unique};
pub use expression::{
    Bound, ConditionError, EXPRESSIONS, Expression, ExpressionError, ExpressionKind,
    ExpressionWord, MissingParameter, NameSource, Scope, Token, TokenKind, parse_range,
    quoted_name, tokenize,
};
#[cfg(feature = "files")]
use item::sample_places;
pub use item::{ItemError, ItemSource, build_item, key_of};
pub use lint_settings::{Level, LintSettings, Profile};
pub use model::{FORMAT, Model};
pub use model_test::{Expectation, ExpectedRow, ExpectedUnits, ModelTest, TestStep};
pub use pattern::{
    Action, ActionKind, Each, IndexChoice, Known, Operation, Order, Parameter, Pattern, Purpose,
    Range, RangeComparison, ReturnsValues, Source, Step,
};
pub use period_name::{PeriodName, PeriodNameError};
pub use plain_text::plain_text;
pub use relationship::{Relationship, RelationshipKind};
pub use sample::Sample;
pub use table::{
    Backup, Billing, Index, IndexKind, IndexProjection, KeyAttribute, StreamView, Table, TableClass,
};
pub use tree::Tree;
pub use workload::Workload;
#[cfg(feature = "files")]
pub use {
    document_file::{Document, read, read_partly, read_with},
    encode::{
        attribute_tree, entity_tree, index_keys_tree, index_tree, keys_tree, members, pattern_tree,
        relationship_tree, table_tree, value_tree, workload_tree,
    },
    explain::{Explanation, KeySide, explain},
    places::{MemberSpans, Places},
    plain_value::{read_members, read_value, value_of_tree},
    reader::{Format, read_foreign, read_json},
    resolve::check_references,
    words::{TYPES, Words},
    write::{Comments, inline_tree, write, write_tree, write_with_comments, write_yaml},
};

/// The JSON Schema of the document (draft 2020-12), as text.
pub const SCHEMA: &str = include_str!("../../schema/model.schema.json");
