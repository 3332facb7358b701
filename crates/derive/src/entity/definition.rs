//! The constant definition, and reading and writing items.

use monotable_model::template::Segment;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::args::OlderVersion;
use super::declaration::{Declaration, KeyDeclaration, KeyTemplate};
use super::field::Field;
use super::names::name_of;
use super::{checks, shape};

pub(super) fn write(declaration: &Declaration) -> TokenStream {
    let (entity, table, tag) = (&declaration.ident, &declaration.table, &declaration.tag);
    let name = entity.to_string();
    let version = match declaration.version {
        Some(version) => quote!(::core::option::Option::Some(#version)),
        None => quote!(::core::option::Option::None),
    };
    let older = declaration.older.iter().map(|OlderVersion { version, kind }| {
        quote_spanned! { kind.span() =>
            ::monotable::schema::OlderDefinition {
                version: #version,
                members: <#kind as ::monotable::schema::Members>::NAMES,
            }
        }
    });
    let attributes = declaration.fields.iter().map(attribute);
    let key_name = name_of(&declaration.key.name);
    let partition = literals(&declaration.key.partition);
    let sort = optional(literals(&declaration.key.sort).pop());
    let partition = partition.first();
    let partition_shape = declaration.key.partition.first().map(|key| shape(&key.template));
    let sort_prefix = sort_prefix(&declaration.key);
    let indexes = declaration.indexes.iter().map(|key| index(declaration, key));
    let unique = declaration.unique.iter().map(|unique| {
        let (attribute, template) = (name_of(&unique.field), &unique.template.literal);
        quote!(::monotable::schema::UniqueDefinition { attribute: #attribute, template: #template })
    });
    let lock = declaration.fields.iter().find(|field| field.settings.lock);
    let locked = lock.map(|_| quote!(impl ::monotable::Locked for #entity {}));
    let lock = optional(lock.map(|field| field.name.clone()));
    let replaceable = declaration.unique.is_empty();
    let replaceable = replaceable.then(|| quote!(impl ::monotable::Replaceable for #entity {}));
    let checks = checks::write(declaration);
    let module = declaration.module_ident();
    quote! {
        #checks
        #locked
        #replaceable

        impl ::monotable::Entity for #entity {
            type Table = #table;
            type Patch<C> = #module::Patch<C>;

            const DEFINITION: &'static ::monotable::schema::EntityDefinition =
                &::monotable::schema::EntityDefinition {
                    name: #name,
                    tag: #tag,
                    version: #version,
                    older: &[ #( #older ),* ],
                    attributes: &[ #( #attributes ),* ],
                    key_name: #key_name,
                    partition: #partition,
                    partition_shape: #partition_shape,
                    sort: #sort,
                    sort_prefix: #sort_prefix,
                    indexes: &[ #( #indexes ),* ],
                    unique: &[ #( #unique ),* ],
                    lock: #lock,
                };

            fn schema() -> &'static ::monotable::schema::EntitySchema {
                static SCHEMA: ::std::sync::LazyLock<::monotable::schema::EntitySchema> =
                    ::std::sync::LazyLock::new(|| {
                        ::monotable::schema::EntitySchema::new(
                            <#entity as ::monotable::Entity>::DEFINITION,
                            <#table as ::monotable::Table>::schema(),
                        )
                    });
                &SCHEMA
            }

            fn to_attributes(
                &self,
            ) -> ::core::result::Result<::monotable::Item, ::monotable::Error> {
                self.__to_attributes()
            }

            fn from_item(
                item: ::monotable::Item,
            ) -> ::core::result::Result<Self, ::monotable::DecodeError> {
                Self::__from_item(item)
            }

            fn patch<C>(patch: ::monotable::db::Patch<Self, C>) -> Self::Patch<C> {
                Self::__patch(patch)
            }
        }
    }
}

pub(super) fn codec(declaration: &Declaration) -> TokenStream {
    let entity = &declaration.ident;
    let name = entity.to_string();
    let idents = declaration.fields.iter().map(|field| &field.ident).collect::<Vec<_>>();
    let names = declaration.fields.iter().map(|field| &field.name).collect::<Vec<_>>();
    let stored = declaration.fields.iter().map(Field::stored_name).collect::<Vec<_>>();
    let older = older_versions(declaration);
    quote! {
        impl #entity {
            fn __to_attributes(
                &self,
            ) -> ::core::result::Result<::monotable::Item, ::monotable::Error> {
                let mut attributes = ::monotable::Item::new();
                #(
                    ::monotable::schema::put_attribute(
                        &mut attributes, #name, #names, &self.#idents,
                    )?;
                )*
                ::core::result::Result::Ok(attributes)
            }

            fn __from_item(
                mut item: ::monotable::Item,
            ) -> ::core::result::Result<Self, ::monotable::DecodeError> {
                let schema = <#entity as ::monotable::Entity>::schema();
                schema.receive(&mut item)?;
                #older
                ::core::result::Result::Ok(Self {
                    #( #idents: schema.take_attribute(&mut item, #names, #stored)?, )*
                })
            }
        }
    }
}

/// Reads an item of an older version as the struct of that version, and makes the entity of it.
/// Where the table keeps versions, one that is not known is refused.
fn older_versions(declaration: &Declaration) -> TokenStream {
    if declaration.version.is_none() {
        return TokenStream::new();
    }
    let entity = &declaration.ident;
    let reads = declaration.older.iter().map(|OlderVersion { version, kind }| {
        quote_spanned! { kind.span() =>
            if version == ::core::option::Option::Some(#version) {
                let older: #kind = schema.take_older(item)?;
                return ::core::result::Result::Ok(
                    <#kind as ::core::convert::Into<#entity>>::into(older),
                );
            }
        }
    });
    let known = if declaration.older.is_empty() { quote!(_) } else { quote!(version) };
    quote! {
        let #known = schema.older_version(&item)?;
        #( #reads )*
    }
}

fn attribute(field: &Field) -> TokenStream {
    let Field { name, kind, settings, .. } = field;
    let stored_name = field.stored_name();
    let (create_only, ttl) = (settings.create_only || settings.created, settings.ttl);
    let stored = !settings.key_only;
    let max_bytes = match settings.max_len {
        Some(max) => quote!(::core::option::Option::Some(#max)),
        None => quote!(::core::option::Option::None),
    };
    let stamp = |wanted: bool| {
        if wanted {
            quote_spanned! { kind.span() =>
                ::core::option::Option::Some(|now| {
                    ::monotable::Attribute::to_value(&<#kind as ::monotable::Stamp>::stamp(now))
                })
            }
        } else {
            quote!(::core::option::Option::None)
        }
    };
    let (created, touched) = (stamp(settings.created), stamp(settings.touched));
    quote! {
        ::monotable::schema::AttributeDefinition {
            name: #name,
            stored_name: #stored_name,
            stored: #stored,
            kind: <#kind as ::monotable::Attribute>::KIND,
            required: <#kind as ::monotable::Attribute>::REQUIRED,
            create_only: #create_only,
            ttl: #ttl,
            max_bytes: #max_bytes,
            values: <#kind as ::monotable::Attribute>::VALUES,
            bounds: <#kind as ::monotable::Attribute>::BOUNDS,
            created: #created,
            touched: #touched,
        }
    }
}

fn index(declaration: &Declaration, key: &KeyDeclaration) -> TokenStream {
    let (table, index, name) = (&declaration.table, &key.index, name_of(&key.name));
    let (partition, sort) = (literals(&key.partition), literals(&key.sort));
    let when = optional(key.when.as_ref().map(syn::LitStr::value));
    let shapes: Vec<String> = key.partition.iter().map(|it| shape(&it.template)).collect();
    let (partition_shape, sort_prefix) = (shapes.join("|"), sort_prefix(key));
    quote! {
        ::monotable::schema::IndexKeysDefinition {
            name: #name,
            index: #table::#index,
            partition: &[ #( #partition ),* ],
            sort: &[ #( #sort ),* ],
            partition_shape: #partition_shape,
            sort_prefix: #sort_prefix,
            when: #when,
        }
    }
}

fn literals(keys: &[KeyTemplate]) -> Vec<String> {
    keys.iter().map(|key| key.literal.value()).collect()
}

fn optional(text: Option<String>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

/// What every sort key begins with.
fn sort_prefix(key: &KeyDeclaration) -> String {
    let first = key.sort.first().and_then(|key| key.template.segments().first());
    match first {
        Some(Segment::Literal(text)) => text.clone(),
        Some(Segment::Attribute(_) | Segment::Shard(_)) | None => String::new(),
    }
}
