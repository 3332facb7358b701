//! Constructors of keys, and a type for each number of known sort key parts.

use monotable_model::template::{Form, Segment};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, Ident, Result};

use super::declaration::{Declaration, KeyDeclaration, templates};
use super::field::Field;
use super::names::name_of;
use super::write_group::WriteGroups;
use crate::case::pascal;

/// What the keys add to the entity, and to its module.
pub(super) struct Keys {
    pub(super) inherent: TokenStream,
    pub(super) inside: TokenStream,
}

pub(super) fn write(declaration: &Declaration, module: &Ident) -> Result<Keys> {
    let mut keys = Keys { inherent: TokenStream::new(), inside: TokenStream::new() };
    for key in declaration.keys() {
        let pattern = Pattern::new(declaration, key);
        keys.inherent.extend(pattern.constructor(module));
        keys.inside.extend(pattern.marker());
        keys.inside.extend(pattern.row()?);
        keys.inside.extend(pattern.states());
    }
    Ok(keys)
}

struct Pattern<'a> {
    declaration: &'a Declaration,
    key: &'a KeyDeclaration,
    marker: Ident,
    partition: Vec<&'a Field>,
    sort: Vec<&'a Field>,
}

impl<'a> Pattern<'a> {
    fn new(declaration: &'a Declaration, key: &'a KeyDeclaration) -> Pattern<'a> {
        let fields = |names: Vec<String>| -> Vec<&'a Field> {
            names.iter().filter_map(|name| declaration.field(name)).collect()
        };
        let name = pascal(&name_of(&key.name));
        let mut sort = fields(key.sort_names());
        if key.index.is_none() {
            // A whole key of the table names its shard, so what that follows from comes last.
            sort.extend(fields(key.shard_names()));
        }
        Pattern {
            declaration,
            key,
            marker: format_ident!("{name}", span = key.name.span()),
            partition: fields(key.partition_names()),
            sort,
        }
    }

    /// The type of a prefix with so many sort key parts.
    fn state(&self, known: usize) -> TokenStream {
        if known < self.sort.len() {
            let state = self.state_ident(known);
            return quote!(#state);
        }
        let (entity, marker) = (&self.declaration.ident, &self.marker);
        match self.key.index {
            None => quote!(::monotable::Key<#entity>),
            Some(_) => quote!(::monotable::key::Selection<#marker>),
        }
    }

    fn state_ident(&self, known: usize) -> Ident {
        let last = known.checked_sub(1).and_then(|at| self.sort.get(at));
        match last {
            None => format_ident!("{}Partition", self.marker),
            Some(field) => format_ident!("{}After{}", self.marker, pascal(&field.name)),
        }
    }

    /// Turns an expression of a prefix into the state with so many sort key parts.
    fn state_of(&self, known: usize, prefix: &TokenStream) -> TokenStream {
        if known < self.sort.len() {
            let state = self.state_ident(known);
            return quote!(#state::__of(#prefix));
        }
        match self.key.index {
            None => quote!(#prefix.key()),
            Some(_) => quote!(#prefix.selection()),
        }
    }

    fn constructor(&self, module: &Ident) -> TokenStream {
        let (name, marker) = (&self.key.name, &self.marker);
        let idents: Vec<&Ident> = self.partition.iter().map(|field| &field.ident).collect();
        let names = self.partition.iter().map(|field| &field.name);
        let kinds: Vec<_> = self.partition.iter().map(|field| field.inner()).collect();
        let with = self.partition.iter().map(|field| {
            let is_whole = self.key.is_whole_in_partition(&field.name);
            if is_whole { format_ident!("with") } else { format_ident!("with_coarse") }
        });
        let whole = self.sort.is_empty();
        let (returns, finish) = match (&self.key.index, whole) {
            (None, true) => {
                let entity = &self.declaration.ident;
                (quote!(::monotable::Key<#entity>), quote!(prefix.key()))
            }
            (Some(_), true) => {
                (quote!(::monotable::key::Selection<#module::#marker>), quote!(prefix.selection()))
            }
            (_, false) => {
                let state = self.state_ident(0);
                (quote!(#module::#state), quote!(#module::#state::__of(prefix)))
            }
        };
        let texts: Vec<String> = self
            .key
            .partition
            .iter()
            .chain(&self.key.sort)
            .map(|it| format!("`{}`", it.literal.value()))
            .collect();
        let doc = format!("Begins a key of {}.", texts.join(", "));
        quote! {
            #[doc = #doc]
            pub fn #name( #( #idents: impl ::monotable::ValueOf<#kinds> ),* ) -> #returns {
                let prefix = ::monotable::key::Prefix::<#module::#marker>::new()
                    #( .#with::<#kinds>(#names, #idents) )*;
                #finish
            }
        }
    }

    fn marker(&self) -> TokenStream {
        let (marker, entity, table) =
            (&self.marker, &self.declaration.ident, &self.declaration.table);
        let name = name_of(&self.key.name);
        let row = match &self.key.view {
            Some(_) => {
                let row = format_ident!("{marker}Row");
                quote!(#row)
            }
            None => quote!(#entity),
        };
        let schema = match self.key.index {
            None => quote!(::monotable::schema::PatternSchema::of_key(schema)),
            Some(_) => quote!(::monotable::schema::PatternSchema::of_index(schema, #name)),
        };
        let is_consistent = self.key.index.is_none() || self.key.local;
        let consistent =
            is_consistent.then(|| quote!(impl ::monotable::ConsistentPattern for #marker {}));
        let in_index =
            self.key.index.is_some().then(|| quote!(impl ::monotable::IndexPattern for #marker {}));
        let extent = match self.key.view {
            Some(_) => quote!(NarrowPattern),
            None => quote!(WholePattern),
        };
        let structure = match WriteGroups::of(self.declaration).struct_fields(&self.key.name) {
            None => {
                let doc = format!("The access pattern `{name}`.");
                quote! { #[doc = #doc] #[derive(Debug, Clone, Copy)] pub struct #marker; }
            }
            Some(fields) => {
                let doc = format!(
                    "The access pattern `{name}`, and the fields that its key takes together."
                );
                let idents = fields.iter().map(|field| &field.ident);
                let docs = fields.iter().map(|field| format!("The new `{}`.", field.name));
                let kinds = fields.iter().map(|field| &field.kind);
                quote! {
                    #[doc = #doc]
                    pub struct #marker { #( #[doc = #docs] pub #idents: #kinds ),* }
                }
            }
        };
        quote! {
            #structure

            impl ::monotable::Pattern for #marker {
                type Table = #table;
                type Row = #row;
                type Subject = #entity;

                fn schema() -> &'static ::monotable::schema::PatternSchema {
                    static SCHEMA: ::std::sync::LazyLock<::monotable::schema::PatternSchema> =
                        ::std::sync::LazyLock::new(|| {
                            let schema = <#entity as ::monotable::Entity>::schema();
                            #schema
                        });
                    &SCHEMA
                }
            }

            #consistent

            #in_index

            impl ::monotable::#extent for #marker { type Entity = #entity; }
        }
    }

    /// The struct for what an index holds of an item: the parts of the table's key and the fields
    /// that the view names.
    fn row(&self) -> Result<TokenStream> {
        let Some(view) = &self.key.view else { return Ok(TokenStream::new()) };
        let mut fields: Vec<&Field> = Vec::new();
        for name in self.declaration.key.partition_names() {
            fields.extend(self.declaration.field(&name));
        }
        for name in self.declaration.key.sort_names() {
            fields.extend(self.declaration.field(&name));
        }
        for ident in view {
            let field = self.declaration.field(&name_of(ident)).ok_or_else(|| {
                let message = format!("{} has no field {ident}", self.declaration.ident);
                Error::new(ident.span(), message)
            })?;
            if !fields.iter().any(|known| known.name == field.name) {
                fields.push(field);
            }
        }
        let row = format_ident!("{}Row", self.marker);
        let entity = &self.declaration.ident;
        let idents: Vec<&Ident> = fields.iter().map(|field| &field.ident).collect();
        let kinds = fields.iter().map(|field| &field.kind);
        let names = fields.iter().map(|field| &field.name);
        let stored = fields.iter().map(|field| field.stored_name());
        let docs = fields.iter().map(|field| format!("The field `{}`.", field.name));
        let doc = format!("What the index of `{}` holds of a [`{entity}`].", self.key.name);
        Ok(quote! {
            #[doc = #doc]
            #[derive(Debug, Clone, PartialEq)]
            pub struct #row { #( #[doc = #docs] pub #idents: #kinds ),* }

            impl ::monotable::Row for #row {
                fn from_item(
                    mut item: ::monotable::Item,
                ) -> ::core::result::Result<Self, ::monotable::DecodeError> {
                    let schema = <#entity as ::monotable::Entity>::schema();
                    schema.check_type(&item)?;
                    schema.restore(&mut item);
                    ::core::result::Result::Ok(Self {
                        #( #idents: schema.take_attribute(&mut item, #names, #stored)?, )*
                    })
                }

                fn recognize(
                    item: &::monotable::Item,
                ) -> ::core::result::Result<(), ::monotable::DecodeError> {
                    <#entity as ::monotable::Entity>::schema().recognize(item)
                }
            }
        })
    }

    fn states(&self) -> TokenStream {
        let states = (0..self.sort.len()).map(|known| self.one_state(known));
        quote! { #( #states )* }
    }

    fn one_state(&self, known: usize) -> TokenStream {
        let (state, marker) = (self.state_ident(known), &self.marker);
        let Some(next) = self.sort.get(known) else { return TokenStream::new() };
        let (ident, kind, name) = (&next.ident, next.inner(), &next.name);
        let returns = self.state(known + 1);
        let with = quote!(self.0.with::<#kind>(#name, #ident));
        let finish = self.state_of(known + 1, &with);
        let doc = format!("Gives `{name}`, the next part of the sort key.");
        let at = self.at(known);
        let range = self.range(next);
        let known_names: Vec<&str> =
            self.sort.iter().take(known).map(|field| field.name.as_str()).collect();
        let state_doc = match known_names.as_slice() {
            [] => format!("A partition of `{}`.", self.key.name),
            names => format!("A partition of `{}`, with {}.", self.key.name, names.join(", ")),
        };
        quote! {
            #[doc = #state_doc]
            #[derive(Clone)]
            pub struct #state(::monotable::key::Prefix<#marker>);

            impl #state {
                #[doc(hidden)]
                pub fn __of(prefix: ::monotable::key::Prefix<#marker>) -> Self {
                    Self(prefix)
                }

                #[doc = #doc]
                pub fn #ident(self, #ident: impl ::monotable::ValueOf<#kind>) -> #returns {
                    #finish
                }

                #range
                #at
            }

            impl ::monotable::Select for #state {
                type Pattern = #marker;

                fn selection(self) -> ::monotable::key::Selection<#marker> {
                    self.0.selection()
                }
            }
        }
    }

    /// Ranges of the next part, and its beginnings where it has any.
    fn range(&self, next: &Field) -> TokenStream {
        let (marker, kind, name) = (&self.marker, next.inner(), &next.name);
        if self.key.shard_names().contains(name) {
            return TokenStream::new();
        }
        let within = format_ident!("{name}_in");
        let within_doc = format!("What has `{name}` in a range, such as `from..to`.");
        let range = quote! {
            #[doc = #within_doc]
            pub fn #within<V: ::monotable::ValueOf<#kind> + ::core::clone::Clone>(
                self,
                range: impl ::core::ops::RangeBounds<V>,
            ) -> ::monotable::key::Selection<#marker> {
                self.0.range::<#kind, V>(&range)
            }
        };
        if !self.has_beginnings(name) {
            return range;
        }
        let begins = format_ident!("{name}_begins");
        let begins_doc = format!("What has a `{name}` that begins with a text.");
        quote! {
            #range

            #[doc = #begins_doc]
            pub fn #begins(self, beginning: &str) -> ::monotable::key::Selection<#marker> {
                self.0.begins(beginning)
            }
        }
    }

    fn has_beginnings(&self, name: &str) -> bool {
        let templates = templates(&self.key.sort);
        let mut parts = templates
            .iter()
            .flat_map(|template| template.segments().iter().filter_map(Segment::attribute));
        parts.find(|part| part.path.root == name).is_some_and(|part| match part.encoding.form() {
            Form::Text(_)
            | Form::Time(_)
            | Form::YearFirst
            | Form::Identifier(_)
            | Form::Enumeration(_) => true,
            Form::Plain | Form::Number(_) | Form::Hash(_) | Form::Bool => false,
            Form::NumberKey | Form::BinaryKey => false,
        })
    }

    /// The rest of the sort key in one call, where it is more than one part. A part that is called
    /// `at` itself has the name.
    fn at(&self, known: usize) -> Option<TokenStream> {
        let rest: Vec<&&Field> = self.sort.iter().skip(known).collect();
        let is_taken = self.sort.iter().any(|field| field.name == "at");
        if is_taken || rest.len() < 2 && known > 0 {
            return None;
        }
        let idents: Vec<&Ident> = rest.iter().map(|field| &field.ident).collect();
        let names = rest.iter().map(|field| &field.name);
        let kinds: Vec<_> = rest.iter().map(|field| field.inner()).collect();
        let returns = self.state(self.sort.len());
        let with = quote!(self.0 #( .with::<#kinds>(#names, #idents) )*);
        let finish = self.state_of(self.sort.len(), &with);
        Some(quote! {
            /// Gives the rest of the sort key.
            pub fn at(self, #( #idents: impl ::monotable::ValueOf<#kinds> ),*) -> #returns {
                #finish
            }
        })
    }
}
