//! `#[derive(Gather)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Data, DeriveInput, Error, Field, Fields, GenericArgument, Ident, LitInt, Meta, Path,
    PathArguments, Result, Type,
};

use crate::entity::name_of;

/// How a field takes members.
struct Member<'a> {
    ident: &'a Ident,
    entity: &'a Type,
    one: bool,
    optional: bool,
    descending: bool,
    max: Option<usize>,
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let ident = &input.ident;
    let collection = input.attrs.iter().find(|it| it.path().is_ident("gather"));
    let collection = collection.ok_or_else(|| {
        Error::new(ident.span(), "a gathered struct needs `#[gather(Collection)]`")
    })?;
    let collection: Path = collection.parse_args()?;
    let misfit = || Error::new(ident.span(), "`Gather` is for structs with named fields");
    let Data::Struct(data) = &input.data else { return Err(misfit()) };
    let Fields::Named(fields) = &data.fields else { return Err(misfit()) };
    let members: Vec<Member<'_>> = fields.named.iter().map(member).collect::<Result<_>>()?;
    let definitions = members.iter().map(|member| {
        let (entity, descending) = (member.entity, member.descending);
        let max = match member.max {
            Some(max) => quote!(::core::option::Option::Some(#max)),
            None => quote!(::core::option::Option::None),
        };
        quote! {
            ::monotable::db::GatherField {
                schema: <#entity as ::monotable::Entity>::schema,
                descending: #descending,
                max: #max,
            }
        }
    });
    let name = ident.to_string();
    let fields = members.iter().map(|member| {
        let (ident, entity) = (member.ident, member.entity);
        let decoded = quote! {
            parts.next().unwrap_or_default().into_iter()
                .map(<#entity as ::monotable::Entity>::from_item)
        };
        match (member.one, member.optional) {
            (false, _) => quote!(#ident: #decoded.collect::<::core::result::Result<_, _>>()?),
            (true, true) => quote!(#ident: #decoded.next().transpose()?),
            (true, false) => {
                let field = name_of(ident);
                quote!(#ident: #decoded.next().transpose()?.ok_or_else(|| {
                    ::monotable::db::missing_member(#name, #field)
                })?)
            }
        }
    });
    Ok(quote! {
        impl ::monotable::Gather for #ident {
            type Collection = #collection;

            const FIELDS: &'static [::monotable::db::GatherField] = &[ #( #definitions ),* ];

            fn assemble(
                parts: ::std::vec::Vec<::std::vec::Vec<::monotable::Item>>,
            ) -> ::core::result::Result<Self, ::monotable::DecodeError> {
                let mut parts = parts.into_iter();
                ::core::result::Result::Ok(Self { #( #fields ),* })
            }
        }
    })
}

fn member(field: &Field) -> Result<Member<'_>> {
    let misfit = |message: &str| {
        let ident = field.ident.as_ref();
        Error::new(ident.map_or_else(proc_macro2::Span::call_site, Ident::span), message)
    };
    let ident = field.ident.as_ref().ok_or_else(|| misfit("a field needs a name"))?;
    let role =
        field.attrs.iter().find(|it| it.path().is_ident("one") || it.path().is_ident("many"));
    let role = role.ok_or_else(|| misfit("a field is `#[one]` or `#[many]` of an entity"))?;
    let one = role.path().is_ident("one");
    let wrapper = inner(&field.ty);
    let optional = one && wrapper.is_some_and(|(name, _)| name == "Option");
    let entity = match wrapper {
        Some((name, entity)) if !one && name == "Vec" => entity,
        Some((name, entity)) if one && name == "Option" => entity,
        _ if one => &field.ty,
        _ => return Err(misfit("`#[many]` is for a `Vec` of an entity")),
    };
    let mut member =
        Member { ident, entity, one, optional, descending: false, max: one.then_some(1) };
    if matches!(role.meta, Meta::List(_)) {
        role.parse_nested_meta(|meta| {
            if meta.path.is_ident("desc") {
                member.descending = true;
            } else if meta.path.is_ident("max") {
                member.max = Some(meta.value()?.parse::<LitInt>()?.base10_parse()?);
            } else {
                return Err(meta.error("expected desc or max"));
            }
            Ok(())
        })?;
    }
    // One of an entity is the first that the whole partition has: it needs no query of its own.
    if member.one && !member.descending {
        member.max = None;
    }
    Ok(member)
}

fn inner(kind: &Type) -> Option<(&Ident, &Type)> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let inner = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    });
    Some((&last.ident, inner?))
}
