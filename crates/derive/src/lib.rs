//! The derives of the typed client.
//!
//! Templates are parsed and judged here with the model's own code, when the application is
//! compiled: a template that cannot be built, names a field that does not exist or gets too long is
//! an error at its place in the source. What is generated is thin: constants, and functions that
//! call into `monotable`.
//!
//! ```text
//! table        #[derive(Table)]           the table, its keys and its indexes
//! entity       #[derive(Entity)]          key templates, attributes, uniqueness
//! key_part     #[derive(KeyPart)]         a type whose values stand in keys
//! attribute    #[derive(Attribute)]       a struct that is stored as a map
//! view         #[derive(View)]            some of the fields of an entity
//! collection   #[derive(Collection)]      what one query returns, as an enum
//! gather       #[derive(Gather)]          the same, sorted into fields by entity
//! case         names in the three cases of Rust, for all of them
//! ```

mod attribute;
mod case;
mod collection;
mod entity;
mod gather;
mod key_part;
mod table;
mod view;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct a table. See the guide of `monotable`.
#[proc_macro_derive(Table, attributes(table, gsi, lsi))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    table::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes a struct an entity of a table. See the guide of `monotable`.
#[proc_macro_derive(Entity, attributes(entity, key, index, local, unique, attr))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    entity::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes an enum of entities a collection. See the guide of `monotable`.
#[proc_macro_derive(Collection, attributes(collection))]
pub fn derive_collection(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    collection::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes a struct what one partition of a collection is read into. See the guide of `monotable`.
#[proc_macro_derive(Gather, attributes(gather, one, many))]
pub fn derive_gather(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    gather::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes a newtype, or an enum without data, an attribute that can be a part of a key.
#[proc_macro_derive(KeyPart, attributes(key_part))]
pub fn derive_key_part(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    key_part::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes a struct an attribute of type map.
#[proc_macro_derive(Attribute, attributes(attr))]
pub fn derive_attribute(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    attribute::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes a struct a view: some of the fields of an entity. See the guide of `monotable`.
#[proc_macro_derive(View, attributes(view))]
pub fn derive_view(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    view::derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}
