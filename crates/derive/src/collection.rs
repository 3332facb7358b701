//! `#[derive(Collection)]`.

use monotable_model::template::Template;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Error, Fields, Ident, LitStr, Path, Result, Token, Type, parenthesized,
};

use crate::entity::{part_names, shape};

struct Args {
    table: Path,
    partition: Option<LitStr>,
    index: Option<Ident>,
    /// The types of the parts of an index's partition key.
    parts: Vec<(Ident, Type)>,
    /// Whether the members are told apart by what they hold, and not by how their keys begin.
    is_mixed: bool,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Args> {
        let table: Path = input.parse()?;
        let (mut partition, mut index, mut is_mixed) = (None, None, false);
        let mut parts = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "pk" => {
                    input.parse::<Token![=]>()?;
                    partition = Some(input.parse()?);
                }
                "index" => {
                    input.parse::<Token![=]>()?;
                    index = Some(input.parse()?);
                }
                "parts" => {
                    let inner;
                    parenthesized!(inner in input);
                    parts = Punctuated::<Part, Token![,]>::parse_terminated(&inner)?
                        .into_iter()
                        .map(|part| (part.name, part.kind))
                        .collect();
                }
                "mixed" => is_mixed = true,
                _ => {
                    let message = "expected `pk = \"…\"`, index, parts or mixed";
                    return Err(Error::new(word.span(), message));
                }
            }
        }
        Ok(Args { table, partition, index, parts, is_mixed })
    }
}

/// A part of a partition key and its type: `order: OrderId`.
struct Part {
    name: Ident,
    kind: Type,
}

impl Parse for Part {
    fn parse(input: ParseStream<'_>) -> Result<Part> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Part { name, kind: input.parse()? })
    }
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let ident = &input.ident;
    let args = input.attrs.iter().find(|it| it.path().is_ident("collection"));
    let args = args.ok_or_else(|| {
        let message = "a collection needs `#[collection(Table, pk = \"…\")]`, or \
                       `#[collection(Table)]` for items of any partition";
        Error::new(ident.span(), message)
    })?;
    let args: Args = args.parse_args()?;
    let (variants, entities) = members(input)?;
    if entities.is_empty() {
        return Err(Error::new(ident.span(), "a collection has at least one member"));
    }
    let pattern = args.partition.as_ref().map(|it| pattern(ident, &args, it, &entities));
    let pattern = pattern.transpose()?;
    let row = row(ident, &args.table, &variants, &entities);
    Ok(quote! { #pattern #row })
}

/// What makes the collection an access pattern: its members lie in one partition.
fn pattern(
    ident: &Ident,
    args: &Args,
    partition: &LitStr,
    entities: &[&Type],
) -> Result<TokenStream> {
    let Args { table, index, parts: given, is_mixed, .. } = args;
    let template = Template::parse(&partition.value()).map_err(|error| {
        Error::new(partition.span(), format!("the template cannot be read: {error}"))
    })?;
    let first = entities.first();
    let parts: Vec<Ident> = part_names(std::slice::from_ref(&template))
        .iter()
        .map(|name| format_ident!("{name}", span = partition.span()))
        .collect();
    let part_texts = parts.iter().map(Ident::to_string);
    let part_types = part_types(&parts, index.as_ref(), first, given)?;
    let checks = checks(entities, &shape(&template), table, index.as_ref(), *is_mixed);
    let in_index = index.as_ref().map(|index| quote!(.in_index(&#table::#index)));
    let consistent = index.is_none().then(|| {
        quote! {
            impl ::monotable::ConsistentPattern for #ident {}
        }
    });
    let of_index = index.is_some().then(|| {
        quote! {
            impl ::monotable::IndexPattern for #ident {}
        }
    });
    let name = ident.to_string();
    Ok(quote! {
        #checks

        impl #ident {
            /// Everything in one partition.
            pub fn of(
                #( #parts: impl ::monotable::ValueOf<#part_types> ),*
            ) -> ::monotable::key::Selection<#ident> {
                ::monotable::key::Prefix::<#ident>::new()
                    #( .with::<#part_types>(#part_texts, #parts) )*
                    .selection()
            }
        }

        impl ::monotable::Pattern for #ident {
            type Table = #table;
            type Row = #ident;
            type Subject = #ident;

            fn schema() -> &'static ::monotable::schema::PatternSchema {
                static SCHEMA: ::std::sync::LazyLock<::monotable::schema::PatternSchema> =
                    ::std::sync::LazyLock::new(|| {
                        ::monotable::schema::PatternSchema::of_collection(
                            <#table as ::monotable::Table>::schema(),
                            #name,
                            #partition,
                        )
                        #in_index
                        .with_members(::std::vec![
                            #( <#entities as ::monotable::Entity>::schema() ),*
                        ])
                    });
                &SCHEMA
            }
        }

        #consistent
        #of_index
    })
}

/// Reading an item as the member that it is, and a whole table.
fn row(ident: &Ident, table: &Path, variants: &[&Ident], entities: &[&Type]) -> TokenStream {
    let name = ident.to_string();
    quote! {
        impl ::monotable::Scannable for #ident {
            type Table = #table;

            const NAME: &'static str = #name;

            const IS_WHOLE: bool = true;

            fn members() -> ::std::vec::Vec<&'static ::monotable::schema::EntitySchema> {
                ::std::vec![ #( <#entities as ::monotable::Entity>::schema() ),* ]
            }
        }

        impl ::monotable::Row for #ident {
            fn from_item(
                item: ::monotable::Item,
            ) -> ::core::result::Result<Self, ::monotable::DecodeError> {
                #(
                    if <#entities as ::monotable::Entity>::schema().recognizes(&item) {
                        return <#entities as ::monotable::Entity>::from_item(item)
                            .map(#ident::#variants);
                    }
                )*
                ::core::result::Result::Err(
                    <#table as ::monotable::Table>::schema().foreign(#name, &item),
                )
            }

            fn recognize(
                item: &::monotable::Item,
            ) -> ::core::result::Result<(), ::monotable::DecodeError> {
                #(
                    if <#entities as ::monotable::Entity>::schema().recognizes(item) {
                        return ::core::result::Result::Ok(());
                    }
                )*
                ::core::result::Result::Err(
                    <#table as ::monotable::Table>::schema().foreign(#name, item),
                )
            }
        }
    }
}

fn members(input: &DeriveInput) -> Result<(Vec<&Ident>, Vec<&Type>)> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "a collection is an enum of its entities"));
    };
    let mut variants = Vec::new();
    let mut entities = Vec::new();
    for variant in &data.variants {
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                variants.push(&variant.ident);
                entities.extend(fields.unnamed.first().map(|field| &field.ty));
            }
            _ => {
                let message = "a member of a collection is one entity: `Order(Order)`";
                return Err(Error::new(variant.ident.span(), message));
            }
        }
    }
    Ok((variants, entities))
}

/// The types of the parts: those of the first member's key in the table, or what is declared.
fn part_types(
    parts: &[Ident],
    index: Option<&Ident>,
    first: Option<&&Type>,
    given: &[(Ident, Type)],
) -> Result<Vec<TokenStream>> {
    let Some(index) = index else {
        let types = (0..parts.len())
            .map(|number| quote!(<#first as ::monotable::schema::PartitionPart<#number>>::Type));
        return Ok(types.collect());
    };
    let kind = |part: &Ident| {
        let declared = given.iter().find(|(name, _)| name == part);
        declared.map(|(_, kind)| quote!(#kind)).ok_or_else(|| {
            let message = format!("say what {part} is: `parts({part}: …)`");
            Error::new(index.span(), message)
        })
    };
    parts.iter().map(kind).collect()
}

/// Constant assertions: one partition template for all, and sort keys that keep apart.
fn checks(
    entities: &[&Type],
    shape: &str,
    table: &Path,
    index: Option<&Ident>,
    is_mixed: bool,
) -> TokenStream {
    let text = |entity: &Type| quote!(#entity).to_string();
    let of = |entity: &Type, what: &str| {
        let (own, in_index) = (format_ident!("{what}"), format_ident!("{what}_in"));
        match index {
            None => quote!(<#entity as ::monotable::Entity>::DEFINITION.#own),
            Some(index) => quote! {
                <#entity as ::monotable::Entity>::DEFINITION.#in_index(&#table::#index)
            },
        }
    };
    let shared = entities.iter().map(|entity| {
        let message = format!("{} does not lie in the partitions of the collection", text(entity));
        let own = of(entity, "partition_shape");
        quote! {
            const _: () =
                ::core::assert!(::monotable::schema::same_text(#own, #shape), #message);
        }
    });
    let pairs = entities
        .iter()
        .enumerate()
        .filter(|_| !is_mixed)
        .flat_map(|(at, left)| entities.iter().skip(at + 1).map(move |right| (left, right)));
    let apart = pairs.map(|(left, right)| {
        let message = format!(
            "the sort keys of {} and {} begin alike: a query for one would find the other",
            text(left),
            text(right)
        );
        let (left, right) = (of(left, "sort_prefix"), of(right, "sort_prefix"));
        quote! {
            const _: () = ::core::assert!(
                !::monotable::schema::prefixes_overlap(#left, #right),
                #message
            );
        }
    });
    quote! { #( #shared )* #( #apart )* }
}
