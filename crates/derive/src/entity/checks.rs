//! What the compiler checks beside a definition: types of key parts, that keys, expiry and versions
//! are those of the table, and that indexes are what the entity takes them for.

use monotable_item::Type;
use monotable_model::template::{AttributePart, Escaping, Form, Template};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path};

use super::declaration::{Declaration, KeyDeclaration};
use super::field::Field;
use super::names::name_of;

pub(super) fn write(declaration: &Declaration) -> TokenStream {
    let mut checks = TokenStream::new();
    checks.extend(sort_check(declaration));
    for key in declaration.keys() {
        for template in key.partition.iter().chain(&key.sort) {
            checks.extend(part_checks(declaration, &template.template));
        }
        checks.extend(index_checks(declaration, key));
        checks.extend(column_checks(declaration, key));
    }
    for unique in &declaration.unique {
        checks.extend(part_checks(declaration, &unique.template.template));
    }
    checks.extend(version_checks(declaration));
    checks.extend(type_checks(declaration));
    checks.extend(ttl_checks(declaration));
    checks.extend(lock_checks(declaration));
    let parts = declaration.key.partition_names();
    for (number, name) in parts.iter().enumerate() {
        let (entity, field) = (&declaration.ident, declaration.field(name));
        let Some(kind) = field.map(|field| &field.kind) else { continue };
        checks.extend(quote! {
            impl ::monotable::schema::PartitionPart<#number> for #entity { type Type = #kind; }
        });
    }
    checks
}

/// Without a sort key the table would keep one item for all that the entity's template tells apart;
/// with one, an item without a template would have no key.
fn sort_check(declaration: &Declaration) -> TokenStream {
    let (entity, table) = (&declaration.ident, &declaration.table);
    let (of_table, partition) = (last(table), declaration.key.partition.first());
    let (has_sort, message, span) = match declaration.key.sort.first() {
        Some(sort) => {
            let text = sort.literal.value();
            let message = format!(
                "the key of {entity} has `sk = \"{text}\"`, and the table {of_table} has no sort \
                 key: declare it with `#[table(pk = \"…\", sk = \"…\")]`, or put its parts into \
                 `pk`"
            );
            (true, message, sort.literal.span())
        }
        None => {
            let message = format!(
                "the table {of_table} has a sort key, and the key of {entity} has no `sk = \"…\"`"
            );
            let span = partition.map_or(declaration.key.name.span(), |key| key.literal.span());
            (false, message, span)
        }
    };
    quote_spanned! { span =>
        const _: () = ::core::assert!(
            <#table as ::monotable::Table>::DEFINITION.sort_key.is_some() == #has_sort,
            "{}",
            #message
        );
    }
}

/// The type of what a template builds is that of the attribute that holds it.
fn column_checks(declaration: &Declaration, key: &KeyDeclaration) -> TokenStream {
    let table = &declaration.table;
    let columns = |is_sort: bool| match (&key.index, is_sort) {
        (Some(index), false) => quote!(#table::#index.partition),
        (Some(index), true) => quote!(#table::#index.sort),
        (None, false) => quote! {
            ::core::slice::from_ref(&<#table as ::monotable::Table>::DEFINITION.partition_key)
        },
        (None, true) => quote! {
            <#table as ::monotable::Table>::DEFINITION.sort_key.as_slice()
        },
    };
    let holder = key.index.as_ref().map_or_else(|| last(table), Ident::to_string);
    // The partition key of a local index is the table's.
    let partition = if key.local { &[][..] } else { &key.partition };
    let mut checks = TokenStream::new();
    for (word, is_sort, templates) in [("pk", false, partition), ("sk", true, &key.sort)] {
        for (at, template) in templates.iter().enumerate() {
            let (columns, text) = (columns(is_sort), template.literal.value());
            let built = template.template.key_type();
            for (kind, variant, noun) in KEY_TYPES.into_iter().filter(|it| it.0 != built) {
                let hint = whole_key_hint(&template.template, kind);
                let message = format!(
                    "`{word} = \"{text}\"` builds a {}, and {holder} declares a {noun} there{hint}",
                    noun_of(built)
                );
                let kind = quote::format_ident!("{variant}");
                checks.extend(quote_spanned! { template.literal.span() =>
                    const _: () = ::core::assert!(
                        !::monotable::schema::KeyColumn::is_at(
                            #columns,
                            #at,
                            ::monotable::schema::KeyType::#kind,
                        ),
                        "{}",
                        #message
                    );
                });
            }
        }
    }
    checks
}

/// The types of attributes of keys: how they are called in code, and in messages.
const KEY_TYPES: [(Type, &str, &str); 3] = [
    (Type::String, "String", "string"),
    (Type::Number, "Number", "number"),
    (Type::Binary, "Binary", "binary"),
];

fn noun_of(kind: Type) -> &'static str {
    KEY_TYPES.iter().find(|it| it.0 == kind).map_or("value", |it| it.2)
}

/// How a key that is no text is written.
fn whole_key_hint(template: &Template, wanted: Type) -> String {
    match (wanted, template.paths().next()) {
        (Type::Number, Some(path)) => format!(": write `{{{path}:number}}`"),
        (Type::Binary, Some(path)) => format!(": write `{{{path}:binary}}`"),
        _ => String::new(),
    }
}

/// The attribute that names the entity of an item is no field.
fn type_checks(declaration: &Declaration) -> TokenStream {
    let table = &declaration.table;
    let checks = declaration.fields.iter().map(|field| {
        let stored = field.stored_name();
        let message = format!(
            "{stored} names the entity of an item: name the field's attribute otherwise with \
             `#[attr(name = \"…\")]`"
        );
        quote_spanned! { field.span() =>
            const _: () = ::core::assert!(
                !<#table as ::monotable::Table>::DEFINITION.keeps_type_in(#stored),
                "{}",
                #message
            );
        }
    });
    quote! { #( #checks )* }
}

/// What expires by a field is what the table expires by, and is a number of seconds.
fn ttl_checks(declaration: &Declaration) -> TokenStream {
    let table = &declaration.table;
    let checks = declaration.fields.iter().filter(|field| field.settings.ttl).map(|field| {
        let (kind, stored) = (&field.kind, field.stored_name());
        let message = format!(
            "items expire by `{stored}` here, and the table {} does not expire them by it: declare \
             it with `#[table(ttl = \"{stored}\")]`, or name the field as the table does with \
             `#[attr(ttl, name = \"…\")]`",
            last(table)
        );
        let is_expiry = quote_spanned! { kind.span() =>
            const _: fn() = || {
                fn is_expiry<T: ::monotable::Expiry>() {}
                is_expiry::<#kind>();
            };
        };
        quote_spanned! { field.span() =>
            const _: () = ::core::assert!(
                <#table as ::monotable::Table>::DEFINITION.expires_by(#stored),
                "{}",
                #message
            );
            #is_expiry
        }
    });
    quote! { #( #checks )* }
}

/// A lock is a number that every item has.
fn lock_checks(declaration: &Declaration) -> TokenStream {
    let checks = declaration.fields.iter().filter(|field| field.settings.lock).map(|field| {
        let kind = &field.kind;
        quote_spanned! { kind.span() =>
            const _: fn() = || {
                fn is_lock<T: ::monotable::LockNumber>() {}
                is_lock::<#kind>();
            };
        }
    });
    quote! { #( #checks )* }
}

/// The last name of a path.
fn last(path: &Path) -> String {
    path.segments.last().map_or_else(String::new, |segment| segment.ident.to_string())
}

/// Older versions are told apart by an attribute of the table, which is no field.
fn version_checks(declaration: &Declaration) -> TokenStream {
    let (entity, table) = (&declaration.ident, &declaration.table);
    let mut checks = TokenStream::new();
    if let Some(older) = declaration.older.first() {
        let message = format!(
            "{entity} has older versions: say which attribute holds the version of an item with \
             `#[table(version_attr = \"…\")]`"
        );
        checks.extend(quote_spanned! { older.kind.span() =>
            const _: () = ::core::assert!(
                <#table as ::monotable::Table>::DEFINITION.version_attribute.is_some(),
                "{}",
                #message
            );
        });
    }
    if declaration.version.is_some() {
        for field in &declaration.fields {
            let stored = field.stored_name();
            let message = format!(
                "{stored} holds the version of an item: name the field's attribute otherwise with \
                 `#[attr(name = \"…\")]`"
            );
            checks.extend(quote_spanned! { field.span() =>
                const _: () = ::core::assert!(
                    !<#table as ::monotable::Table>::DEFINITION.keeps_version_in(#stored),
                    "{}",
                    #message
                );
            });
        }
    }
    checks
}

/// Every part of a key has a type that can be written in the form that the template asks for.
fn part_checks(declaration: &Declaration, template: &Template) -> TokenStream {
    let checks = template.attributes().filter_map(|part| {
        let kind = &declaration.field(&part.path.root)?.kind;
        let form = form(part);
        Some(quote_spanned! { kind.span() =>
            const _: fn() = || {
                fn is_key_part<T: ::monotable::KeyPart<::monotable::key::#form>>() {}
                is_key_part::<#kind>();
            };
        })
    });
    quote! { #( #checks )* }
}

fn index_checks(declaration: &Declaration, key: &KeyDeclaration) -> TokenStream {
    let (table, Some(index)) = (&declaration.table, &key.index) else { return TokenStream::new() };
    let (partition, sort, local) = (key.partition.len(), key.sort.len(), key.local);
    let arity = format!(
        "{index} has another number of key attributes than {} gives templates for",
        key.name
    );
    let scope =
        format!("{index} is declared with `#[lsi]` or `#[gsi]`: use `#[local]` or `#[index]`");
    let span = index.span();
    let mut checks = quote_spanned! { span =>
        const _: () = ::core::assert!(#table::#index.has_key_of(#partition, #sort), #arity);
        const _: () = ::core::assert!(#table::#index.is_local() == #local, #scope);
    };
    match &key.view {
        None => {
            let message = format!(
                "{index} does not hold whole items: name what {} reads with `view(…)`",
                key.name
            );
            checks.extend(quote_spanned! { span =>
                const _: () = ::core::assert!(#table::#index.holds_all(), #message);
            });
        }
        Some(fields) => {
            for field in fields {
                let stored = declaration.field(&name_of(field)).map(Field::stored_name);
                let stored = stored.unwrap_or_else(|| name_of(field));
                let message = format!("{index} does not hold {field}");
                checks.extend(quote_spanned! { field.span() =>
                    const _: () = ::core::assert!(#table::#index.holds(#stored), #message);
                });
            }
        }
    }
    checks
}

fn form(part: &AttributePart) -> TokenStream {
    match part.encoding.form() {
        Form::Text(form) if form.escaping == Escaping::Verbatim => quote!(Raw),
        Form::Hash(_) => quote!(Raw),
        Form::Text(_) | Form::YearFirst | Form::Identifier(_) | Form::Enumeration(_) => {
            quote!(Text)
        }
        Form::Plain | Form::Number(_) | Form::NumberKey => quote!(Digits),
        Form::Time(_) => quote!(Time),
        Form::Bool => quote!(Flag),
        Form::BinaryKey => quote!(Binary),
    }
}
