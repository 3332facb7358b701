//! Typed code, before it is code of a language: what the modules in TypeScript and Python share.
//!
//! A [`Module`] says of a model which types there are, which expressions build keys and requests,
//! and which functions an access pattern becomes. Expressions are [`Code`], a small language that
//! `typescript` and `python` write in their own words; both have the same helper functions below
//! their types, of which a module gets those that it uses.
//!
//! In reading order: [`code`] and [`kind`] are the words; `key` and `condition` turn templates and
//! conditions of indexes into expressions; `entity`, with `group` and `own_key`, makes the
//! operations on one item; `request` turns planned requests into expressions, and `function` access
//! patterns into functions. `type_name` keeps names apart, `library` chooses helper functions, and
//! `layout` breaks lines.

pub(crate) mod code;
mod condition;
pub(crate) mod entity;
mod function;
mod group;
mod key;
pub(crate) mod kind;
pub(crate) mod layout;
pub(crate) mod library;
mod own_key;
mod request;
mod scope;
pub(crate) mod type_name;

use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::Model;

pub(crate) use code::{Code, Loop};
pub(crate) use entity::EntityCode;
pub(crate) use function::{Function, Returns, Row, RowUnion};
pub(crate) use group::PatchField;
pub(crate) use kind::{Field, Kind, Record};

/// What a module has.
pub(crate) struct Module<'m> {
    /// The model.
    pub(crate) model: &'m Model,
    /// Types of maps, and of elements of lists that functions take.
    pub(crate) records: Vec<Record>,
    /// The entities that are items.
    pub(crate) entities: Vec<EntityCode<'m>>,
    /// The unions of entities that access patterns return.
    pub(crate) unions: Vec<RowUnion>,
    /// A function for each access pattern.
    pub(crate) functions: Vec<Function>,
    /// What cannot be said.
    pub(crate) notes: Vec<Diagnostic>,
}

impl<'m> Module<'m> {
    /// Describes the module of a model.
    pub(crate) fn of(model: &'m Model) -> Module<'m> {
        let mut module = Module {
            model,
            records: kind::records(model),
            entities: Vec::new(),
            unions: Vec::new(),
            functions: Vec::new(),
            notes: Vec::new(),
        };
        entity::describe(&mut module);
        function::describe(&mut module);
        module
    }
}
