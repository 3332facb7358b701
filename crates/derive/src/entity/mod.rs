//! `#[derive(Entity)]`.
//!
//! [`declaration`] reads the attributes and judges the templates; the other files write code, each
//! for one part of the surface.

mod args;
mod checks;
mod columns;
mod declaration;
mod definition;
mod field;
mod keys;
mod names;
mod patch;
mod write_group;

use monotable_model::template::{Segment, Template};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Result};

use declaration::Declaration;
pub(crate) use field::FieldSettings;
pub(crate) use names::{name_of, once};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let declaration = Declaration::read(input)?;
    let ident = &input.ident;
    let module = declaration.module_ident();
    let visibility = &input.vis;
    let definition = definition::write(&declaration);
    let codec = definition::codec(&declaration);
    let columns = columns::write(&declaration);
    let keys = keys::write(&declaration, &module)?;
    let patch = patch::write(&declaration)?;
    let doc = format!("Keys, rows and patches of [`{ident}`].");
    let (inherent, inside) = (keys.inherent, keys.inside);
    Ok(quote! {
        #definition
        #codec

        impl #ident {
            #columns
            #inherent
        }

        #[doc = #doc]
        #visibility mod #module {
            use super::*;

            #inside
            #patch
        }

        impl #ident {
            #[doc(hidden)]
            #visibility fn __patch<C>(
                patch: ::monotable::db::Patch<#ident, C>,
            ) -> #module::Patch<C> {
                #module::Patch::__of(patch)
            }
        }
    })
}

/// The fields whose values a template writes, in order and without repetition.
pub(crate) fn part_names(templates: &[Template]) -> Vec<String> {
    let mut names = Vec::new();
    for part in templates.iter().flat_map(Template::attributes) {
        if !names.contains(&part.path.root) {
            names.push(part.path.root.clone());
        }
    }
    names
}

/// A template with numbers for the names of fields: two entities share partitions if these are the
/// same, whatever their fields are called.
pub(crate) fn shape(template: &Template) -> String {
    let names = part_names(std::slice::from_ref(template));
    let mut shape = String::new();
    for segment in template.segments() {
        match segment {
            Segment::Attribute(part) => {
                let number = names.iter().position(|name| *name == part.path.root);
                let number = number.unwrap_or_default();
                shape.push_str(&format!("{{{number}{}}}", part.encoding));
            }
            // By what a number follows from does not matter to who reads all of them.
            Segment::Shard(shard) => {
                let (first, count) = (shard.first(), shard.count());
                shape.push_str(&format!("{{shard {first} {count} {:?}}}", shard.padding()));
            }
            Segment::Literal(_) => shape.push_str(&segment.to_string()),
        }
    }
    shape
}
