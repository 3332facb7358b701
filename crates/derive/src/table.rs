//! `#[derive(Table)]`.

use monotable_item::limits::{GLOBAL_INDEXES_MAX, INDEX_KEY_PARTS_MAX, LOCAL_INDEXES_MAX};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Error, Ident, LitStr, Path, Result, Token, bracketed, parenthesized};

use crate::entity::name_of;

/// An attribute of a key: `"pk"`, or `"id": number`.
struct Column {
    name: LitStr,
    kind: TokenStream,
}

#[derive(Default)]
struct TableArgs {
    partition: Vec<Column>,
    sort: Vec<Column>,
    type_attribute: Option<LitStr>,
    version_attribute: Option<LitStr>,
    ttl: Option<LitStr>,
    entities: Vec<Path>,
    name: Option<LitStr>,
    projection: Option<TokenStream>,
}

struct IndexArgs {
    ident: Ident,
    args: TableArgs,
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let ident = &input.ident;
    let table = input.attrs.iter().find(|it| it.path().is_ident("table"));
    let table = table.ok_or_else(|| {
        Error::new(ident.span(), "a table needs its key: `#[table(pk = \"pk\", sk = \"sk\")]`")
    })?;
    let table: TableArgs = table.parse_args()?;
    let partition = one(&table.partition, ident, "pk")?;
    let sort = match table.sort.as_slice() {
        [] => quote!(::core::option::Option::None),
        _ => {
            let sort = one(&table.sort, ident, "sk")?;
            quote!(::core::option::Option::Some(#sort))
        }
    };
    let name = table.name.as_ref().map_or_else(|| ident.to_string(), LitStr::value);
    let type_attribute = optional(table.type_attribute.as_ref());
    let version_attribute = optional(table.version_attribute.as_ref());
    let ttl = optional(table.ttl.as_ref());
    let entities = &table.entities;
    let indexes = indexes(input, &partition)?;
    let idents: Vec<&Ident> = indexes.iter().map(|(ident, _)| ident).collect();
    let definitions = indexes.iter().map(|(_, definition)| definition);
    let visibility = &input.vis;
    let constants = idents.iter().zip(definitions).map(|(index, definition)| {
        let doc = format!("The index `{index}`.");
        quote! {
            #[doc = #doc]
            #[expect(non_upper_case_globals, reason = "an index has the name that it is given")]
            #visibility const #index: ::monotable::schema::IndexDefinition = #definition;
        }
    });
    Ok(quote! {
        impl #ident { #( #constants )* }

        impl ::monotable::Table for #ident {
            const DEFINITION: &'static ::monotable::schema::TableDefinition =
                &::monotable::schema::TableDefinition {
                    name: #name,
                    partition_key: #partition,
                    sort_key: #sort,
                    type_attribute: #type_attribute,
                    version_attribute: #version_attribute,
                    ttl: #ttl,
                    indexes: &[ #( #ident::#idents ),* ],
                };

            fn schema() -> &'static ::monotable::schema::TableSchema {
                static SCHEMA: ::std::sync::LazyLock<::monotable::schema::TableSchema> =
                    ::std::sync::LazyLock::new(|| {
                        ::monotable::schema::TableSchema::new(
                            <#ident as ::monotable::Table>::DEFINITION,
                        )
                    });
                &SCHEMA
            }

            fn entities() -> ::std::vec::Vec<&'static ::monotable::schema::EntitySchema> {
                ::std::vec![ #( <#entities as ::monotable::Entity>::schema() ),* ]
            }
        }
    })
}

fn indexes(input: &DeriveInput, partition: &TokenStream) -> Result<Vec<(Ident, TokenStream)>> {
    let mut indexes = Vec::new();
    let (mut local, mut global) = (0, 0);
    for attribute in &input.attrs {
        let is_local = attribute.path().is_ident("lsi");
        if !is_local && !attribute.path().is_ident("gsi") {
            continue;
        }
        let IndexArgs { ident, args } = attribute.parse_args()?;
        *(if is_local { &mut local } else { &mut global }) += 1;
        if global > GLOBAL_INDEXES_MAX || local > LOCAL_INDEXES_MAX {
            let message = format!(
                "a table has at most {GLOBAL_INDEXES_MAX} global and {LOCAL_INDEXES_MAX} local \
                 indexes"
            );
            return Err(Error::new(ident.span(), message));
        }
        let definition = index(&ident, &args, is_local.then_some(partition))?;
        indexes.push((ident, definition));
    }
    Ok(indexes)
}

fn index(ident: &Ident, args: &TableArgs, local: Option<&TokenStream>) -> Result<TokenStream> {
    if args.partition.len() > INDEX_KEY_PARTS_MAX || args.sort.len() > INDEX_KEY_PARTS_MAX {
        let message = format!(
            "the key of an index has at most {INDEX_KEY_PARTS_MAX} partition and \
             {INDEX_KEY_PARTS_MAX} sort attributes"
        );
        return Err(Error::new(ident.span(), message));
    }
    let partition = match local {
        Some(_) if !args.partition.is_empty() => {
            return Err(Error::new(ident.span(), "a local index has the table's partition key"));
        }
        Some(partition) => vec![partition.clone()],
        None if args.partition.is_empty() => {
            return Err(Error::new(ident.span(), "an index needs a partition key: `pk = \"…\"`"));
        }
        None => args.partition.iter().map(column).collect(),
    };
    let sort = args.sort.iter().map(column);
    let name = args.name.as_ref().map_or_else(|| ident.to_string(), LitStr::value);
    let kind = if local.is_some() { quote!(Local) } else { quote!(Global) };
    let all = quote!(::monotable::schema::ProjectionDefinition::All);
    let projection = args.projection.as_ref().unwrap_or(&all);
    Ok(quote! {
        ::monotable::schema::IndexDefinition {
            name: #name,
            kind: ::monotable::backend::IndexKind::#kind,
            partition: &[ #( #partition ),* ],
            sort: &[ #( #sort ),* ],
            projection: #projection,
        }
    })
}

fn one(columns: &[Column], ident: &Ident, what: &str) -> Result<TokenStream> {
    match columns {
        [one] => Ok(column(one)),
        _ => Err(Error::new(ident.span(), format!("a table has one attribute as its {what}"))),
    }
}

fn column(column: &Column) -> TokenStream {
    let Column { name, kind } = column;
    quote! {
        ::monotable::schema::KeyColumn {
            name: #name,
            kind: ::monotable::schema::KeyType::#kind,
        }
    }
}

fn optional(text: Option<&LitStr>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

impl Parse for IndexArgs {
    fn parse(input: ParseStream<'_>) -> Result<IndexArgs> {
        let ident = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok(IndexArgs { ident, args: input.parse()? })
    }
}

impl Parse for TableArgs {
    fn parse(input: ParseStream<'_>) -> Result<TableArgs> {
        let mut args = TableArgs::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            match word.to_string().as_str() {
                "pk" => args.partition = columns(input)?,
                "sk" => args.sort = columns(input)?,
                "type_attr" => args.type_attribute = Some(text(input)?),
                "version_attr" => args.version_attribute = Some(text(input)?),
                "ttl" => args.ttl = Some(text(input)?),
                "name" => args.name = Some(text(input)?),
                "project" => args.projection = Some(projection(input)?),
                "entities" => {
                    let inner;
                    parenthesized!(inner in input);
                    let paths = Punctuated::<Path, Token![,]>::parse_terminated(&inner)?;
                    args.entities = paths.into_iter().collect();
                }
                _ => {
                    let message = "expected pk, sk, type_attr, version_attr, ttl, name, project \
                                   or entities";
                    return Err(Error::new(word.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(args)
    }
}

fn text(input: ParseStream<'_>) -> Result<LitStr> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// One column, or several in brackets.
fn columns(input: ParseStream<'_>) -> Result<Vec<Column>> {
    input.parse::<Token![=]>()?;
    if !input.peek(syn::token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let inner;
    bracketed!(inner in input);
    Ok(Punctuated::<Column, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

impl Parse for Column {
    fn parse(input: ParseStream<'_>) -> Result<Column> {
        let name = input.parse()?;
        if !input.peek(Token![:]) {
            return Ok(Column { name, kind: quote!(String) });
        }
        input.parse::<Token![:]>()?;
        let kind: Ident = input.parse()?;
        let kind = match kind.to_string().as_str() {
            "string" => quote!(String),
            "number" => quote!(Number),
            "binary" => quote!(Binary),
            _ => return Err(Error::new(kind.span(), "expected string, number or binary")),
        };
        Ok(Column { name, kind })
    }
}

fn projection(input: ParseStream<'_>) -> Result<TokenStream> {
    let inner;
    parenthesized!(inner in input);
    let words = Punctuated::<Word, Token![,]>::parse_terminated(&inner)?;
    let words: Vec<String> = words.into_iter().map(|word| word.0).collect();
    Ok(match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["all"] => quote!(::monotable::schema::ProjectionDefinition::All),
        ["keys"] | [] => quote!(::monotable::schema::ProjectionDefinition::KeysOnly),
        names => quote!(::monotable::schema::ProjectionDefinition::Include(&[ #( #names ),* ])),
    })
}

/// An attribute that an index holds: its name, in quotes where it is no name in Rust.
struct Word(String);

impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> Result<Word> {
        if input.peek(LitStr) {
            return Ok(Word(input.parse::<LitStr>()?.value()));
        }
        Ok(Word(name_of(&input.parse::<Ident>()?)))
    }
}
