//! `#[derive(View)]`.
//!
//! The compiler itself compares the fields: for the entity, and for the rows of each index that is
//! named, functions are written that take a reference of the view's type to every field.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Data, DeriveInput, Error, Fields, Ident, Path, Result, Token, Type};

use crate::entity::name_of;

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let ident = &input.ident;
    let unnamed = || {
        let message = "a view names its entity, and the indexes that hold only some attributes: \
                       `#[view(Order)]`, `#[view(Order, order::ByDay)]`";
        Error::new(ident.span(), message)
    };
    let args = input.attrs.iter().find(|it| it.path().is_ident("view")).ok_or_else(unnamed)?;
    let paths = args.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)?;
    let mut paths = paths.iter();
    let entity = paths.next().ok_or_else(unnamed)?;
    let patterns: Vec<&Path> = paths.collect();
    let fields = fields(input)?;
    let checks = checks(entity, &patterns, &fields);
    let idents: Vec<&Ident> = fields.iter().map(|(ident, _)| *ident).collect();
    let names: Vec<String> = idents.iter().map(|ident| name_of(ident)).collect();
    let stored: Vec<TokenStream> = names
        .iter()
        .map(|name| quote!(<#entity as ::monotable::Entity>::DEFINITION.stored_name_of(#name)))
        .collect();
    Ok(quote! {
        #checks

        impl ::monotable::View for #ident {
            type Entity = #entity;
        }

        #( impl ::monotable::ViewOf<#patterns> for #ident {} )*

        impl ::monotable::Row for #ident {
            const ATTRIBUTES: &'static [&'static str] = &[ #( #stored ),* ];

            fn from_item(
                mut item: ::monotable::Item,
            ) -> ::core::result::Result<Self, ::monotable::DecodeError> {
                let schema = <#entity as ::monotable::Entity>::schema();
                schema.receive_part(&mut item, Self::ATTRIBUTES)?;
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

fn fields(input: &DeriveInput) -> Result<Vec<(&Ident, &Type)>> {
    let misfit = || Error::new(input.ident.span(), "a view is a struct with named fields");
    let Data::Struct(data) = &input.data else { return Err(misfit()) };
    let Fields::Named(fields) = &data.fields else { return Err(misfit()) };
    let fields = fields.named.iter().filter_map(|field| Some((field.ident.as_ref()?, &field.ty)));
    let fields: Vec<(&Ident, &Type)> = fields.collect();
    if fields.is_empty() { Err(misfit()) } else { Ok(fields) }
}

/// Every field is one of the entity, of the same type, and one that the indexes hold.
fn checks(entity: &Path, patterns: &[&Path], fields: &[(&Ident, &Type)]) -> TokenStream {
    let of_rows = patterns.iter().map(|path| quote!(<#path as ::monotable::Pattern>::Row));
    let wholes = std::iter::once(quote!(#entity)).chain(of_rows);
    let checks = wholes.map(|whole| {
        let same = fields.iter().map(|(ident, kind)| {
            quote_spanned! { ident.span() =>
                const _: fn(&#whole) -> &#kind = |read| &read.#ident;
            }
        });
        quote! { #( #same )* }
    });
    quote! { #( #checks )* }
}
