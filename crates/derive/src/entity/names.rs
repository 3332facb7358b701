//! Names that would meet in the code that a derive writes, or in items.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Error, Path, Result, Type};

use super::declaration::Declaration;
use super::patch::setter_name;
use super::write_group::WriteGroups;
use crate::case::pascal;

pub(super) fn check(declaration: &Declaration) -> Result<()> {
    let fields = declaration.fields.iter();
    let stored = fields.map(|field| (field.stored_name(), field.span()));
    once(stored, |name| {
        format!("another field is {name} in items: name one otherwise with `#[attr(name = \"…\")]`")
    })?;
    let patterns = declaration.keys().map(|key| (marker_name(&key.name), key.name.span()));
    once(patterns, |name| format!("another access pattern has the type {name}"))?;
    setters(declaration)?;
    types(declaration)
}

/// Refuses the second of two names that are the same.
pub(crate) fn once(
    names: impl Iterator<Item = (String, Span)>,
    message: impl Fn(&str) -> String,
) -> Result<()> {
    let mut known = BTreeMap::new();
    for (name, span) in names {
        if known.insert(name.clone(), span).is_some() {
            return Err(Error::new(span, message(&name)));
        }
    }
    Ok(())
}

/// The setters of a patch have the names of fields and of access patterns, beside its own methods.
fn setters(declaration: &Declaration) -> Result<()> {
    let groups = WriteGroups::of(declaration);
    let own = own_methods(declaration);
    let setters = setter_names(declaration, &groups);
    for (name, span) in &setters {
        if own.contains(&name.as_str()) {
            let message = format!(
                "every patch has a method `{name}`: call this otherwise; a field keeps its name in \
                 items with `#[attr(name = \"{name}\")]`"
            );
            return Err(Error::new(*span, message));
        }
    }
    once(setters.into_iter(), |name| {
        format!(
            "a patch would have two methods `{name}`: that of a field, and one that changes all \
             fields of an index's key; call the field or the access pattern otherwise"
        )
    })
}

/// Whether a patch has a method of this name that somebody can call.
pub(super) fn is_method(declaration: &Declaration, groups: &WriteGroups<'_>, name: &str) -> bool {
    let is_setter = setter_names(declaration, groups).iter().any(|(setter, _)| setter == name);
    is_setter || own_methods(declaration).contains(&name)
}

/// The methods of a patch that are no setters.
fn own_methods(declaration: &Declaration) -> &'static [&'static str] {
    if declaration.fields.iter().any(|field| field.settings.lock) {
        &["when", "or_create", "if_rev"]
    } else {
        &["when", "or_create"]
    }
}

/// The setters of fields that change alone, and those of groups.
fn setter_names(declaration: &Declaration, groups: &WriteGroups<'_>) -> Vec<(String, Span)> {
    let of_fields = declaration
        .fields
        .iter()
        .filter_map(|field| Some((setter_name(declaration, groups, field)?, field.span())));
    let of_groups = groups.larger().map(|group| (name_of(group.pattern), group.pattern.span()));
    of_fields.chain(of_groups).collect()
}

/// The module of an entity has types of its own, behind which others of the same name would vanish.
fn types(declaration: &Declaration) -> Result<()> {
    let mut own = vec![("Patch".to_owned(), "patches".to_owned())];
    for key in declaration.keys() {
        own.push((marker_name(&key.name), format!("the access pattern {}", key.name)));
    }
    let is_own = |name: &Ident| own.iter().find(|(own, _)| name == own);
    let of_fields = declaration.fields.iter().flat_map(|field| names_in(&field.kind));
    let table = first(&declaration.table).into_iter();
    for name in of_fields.chain([declaration.ident.clone()]).chain(table) {
        if let Some((own, whose)) = is_own(&name) {
            let message = format!(
                "{own} is also the type of {whose} in the module of the entity, and would mean \
                 that: call one of the two otherwise"
            );
            return Err(Error::new(name.span(), message));
        }
    }
    Ok(())
}

/// The names that a type is written with, without those that follow another by `::`.
fn names_in(kind: &Type) -> Vec<Ident> {
    let mut names = Vec::new();
    collect(kind.to_token_stream(), &mut names);
    names
}

fn collect(tokens: TokenStream, names: &mut Vec<Ident>) {
    let mut is_inside_path = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if !is_inside_path {
                    names.push(ident);
                }
                is_inside_path = false;
            }
            TokenTree::Punct(punct) => is_inside_path = punct.as_char() == ':',
            TokenTree::Group(group) => {
                collect(group.stream(), names);
                is_inside_path = false;
            }
            TokenTree::Literal(_) => is_inside_path = false,
        }
    }
}

fn first(path: &Path) -> Option<Ident> {
    let segment = path.segments.first().filter(|_| path.leading_colon.is_none())?;
    Some(segment.ident.clone())
}

fn marker_name(pattern: &Ident) -> String {
    pascal(&name_of(pattern))
}

/// A name as it is said, without the `r#` that lets a word of the language be one.
pub(crate) fn name_of(ident: &Ident) -> String {
    ident.unraw().to_string()
}
