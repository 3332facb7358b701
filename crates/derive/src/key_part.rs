//! `#[derive(KeyPart)]`: newtypes, and enums without data.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Ident, LitStr, Result, Type};

use crate::entity::name_of;

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let inner = fields.unnamed.first().map(|field| &field.ty);
                let inner = inner.ok_or_else(|| misfit(&input.ident))?;
                Ok(newtype(&input.ident, inner))
            }
            _ => Err(misfit(&input.ident)),
        },
        Data::Enum(data) => enumeration(&input.ident, data),
        Data::Union(_) => Err(misfit(&input.ident)),
    }
}

fn misfit(ident: &Ident) -> Error {
    Error::new(ident.span(), "`KeyPart` is for structs of one unnamed field and enums without data")
}

fn newtype(ident: &Ident, inner: &Type) -> TokenStream {
    quote! {
        impl ::monotable::Attribute for #ident {
            const KIND: ::monotable::schema::Type =
                <#inner as ::monotable::Attribute>::KIND;
            const REQUIRED: bool = <#inner as ::monotable::Attribute>::REQUIRED;
            const VALUES: &'static [&'static str] = <#inner as ::monotable::Attribute>::VALUES;
            const BOUNDS: ::monotable::NumberBounds = <#inner as ::monotable::Attribute>::BOUNDS;

            fn to_value(&self) -> ::core::option::Option<::monotable::Value> {
                ::monotable::Attribute::to_value(&self.0)
            }

            fn is_storable(&self) -> bool {
                ::monotable::Attribute::is_storable(&self.0)
            }

            fn from_value(
                value: ::monotable::Value,
            ) -> ::core::result::Result<Self, ::monotable::ValueError> {
                ::monotable::Attribute::from_value(value).map(Self)
            }

            fn from_missing() -> ::core::option::Option<Self> {
                ::monotable::Attribute::from_missing().map(Self)
            }
        }

        impl<C> ::monotable::Omittable<C> for #ident
        where
            #inner: ::monotable::Omittable<C>,
        {
        }

        impl<Form> ::monotable::KeyPart<Form> for #ident
        where
            #inner: ::monotable::KeyPart<Form>,
        {
        }
    }
}

fn enumeration(ident: &Ident, data: &DataEnum) -> Result<TokenStream> {
    let mut variants = Vec::new();
    let mut tokens: Vec<LitStr> = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new(variant.ident.span(), "a part of a key has no data inside"));
        }
        let mut token = LitStr::new(&name_of(&variant.ident), variant.ident.span());
        for attribute in variant.attrs.iter().filter(|it| it.path().is_ident("key_part")) {
            token = attribute.parse_args()?;
        }
        if token.value().is_empty() || tokens.iter().any(|it| it.value() == token.value()) {
            return Err(Error::new(token.span(), "each variant needs a text of its own"));
        }
        variants.push(&variant.ident);
        tokens.push(token);
    }
    Ok(quote! {
        impl ::monotable::Attribute for #ident {
            const KIND: ::monotable::schema::Type = ::monotable::schema::Type::String;
            const VALUES: &'static [&'static str] = &[ #( #tokens ),* ];

            fn to_value(&self) -> ::core::option::Option<::monotable::Value> {
                let token = match self { #( Self::#variants => #tokens, )* };
                ::core::option::Option::Some(::monotable::Value::from(token))
            }

            fn from_value(
                value: ::monotable::Value,
            ) -> ::core::result::Result<Self, ::monotable::ValueError> {
                let text = <::std::string::String as ::monotable::Attribute>::from_value(value)?;
                match text.as_str() {
                    #( #tokens => ::core::result::Result::Ok(Self::#variants), )*
                    other => ::core::result::Result::Err(
                        ::monotable::ValueError::unexpected([#( #tokens ),*].join(" or "), other),
                    ),
                }
            }
        }

        impl ::monotable::KeyPart<::monotable::key::Text> for #ident {}
    })
}
