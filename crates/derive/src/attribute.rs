//! `#[derive(Attribute)]`: structs that become a map, or that read items of an older version.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use crate::entity::{FieldSettings, once};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let ident = &input.ident;
    let misfit = || Error::new(ident.span(), "`Attribute` is for structs with named fields");
    let Data::Struct(data) = &input.data else { return Err(misfit()) };
    let Fields::Named(fields) = &data.fields else { return Err(misfit()) };
    let mut idents = Vec::new();
    let mut names = Vec::new();
    for field in &fields.named {
        let field_ident = field.ident.as_ref().ok_or_else(misfit)?;
        names.push(FieldSettings::of(field)?.stored_name(field_ident));
        idents.push(field_ident);
    }
    let spans = idents.iter().map(|ident| ident.span());
    once(names.iter().cloned().zip(spans), |name| {
        format!("another field is {name} in items: name one otherwise with `#[attr(name = \"…\")]`")
    })?;
    Ok(quote! {
        impl ::monotable::schema::Members for #ident {
            const NAMES: &'static [&'static str] = &[ #( #names ),* ];

            fn from_members(
                mut members: ::monotable::Item,
            ) -> ::core::result::Result<Self, ::monotable::schema::MemberError> {
                ::core::result::Result::Ok(Self {
                    #( #idents: ::monotable::schema::read_member(&mut members, #names)?, )*
                })
            }
        }

        impl ::monotable::Nesting for #ident {}

        impl ::monotable::Attribute for #ident {
            const KIND: ::monotable::schema::Type = ::monotable::schema::Type::Map;

            fn to_value(&self) -> ::core::option::Option<::monotable::Value> {
                let mut map = ::monotable::Item::new();
                #( ::monotable::schema::put_member(&mut map, #names, &self.#idents)?; )*
                ::core::option::Option::Some(::monotable::Value::Map(map))
            }

            fn is_storable(&self) -> bool {
                let fields: &[bool] =
                    &[ #( ::monotable::Attribute::is_storable(&self.#idents) ),* ];
                fields.iter().all(|it| *it)
            }

            fn from_value(
                value: ::monotable::Value,
            ) -> ::core::result::Result<Self, ::monotable::ValueError> {
                let map = ::monotable::schema::map_of(value)?;
                ::core::result::Result::Ok(
                    <Self as ::monotable::schema::Members>::from_members(map)?,
                )
            }
        }
    })
}
