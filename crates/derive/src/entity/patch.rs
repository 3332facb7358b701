//! The builder of patches: a setter for each field that may change.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::declaration::Declaration;
use super::field::Field;
use super::names::{is_method, name_of};
use super::write_group::{WriteGroup, WriteGroups};
use crate::case::pascal;

pub(super) fn write(declaration: &Declaration) -> Result<TokenStream> {
    let (entity, table) = (&declaration.ident, &declaration.table);
    let groups = WriteGroups::of(declaration);
    let mut setters = TokenStream::new();
    for field in declaration.fields.iter().filter(|field| can_change(declaration, field)) {
        setters.extend(setter(declaration, &groups, field)?);
    }
    let mut refusals = TokenStream::new();
    for group in groups.larger() {
        setters.extend(group_setter(declaration, group)?);
        refusals.extend(refusal(declaration, group));
    }
    let if_rev = declaration.fields.iter().any(|field| field.settings.lock).then(|| {
        quote! {
            /// Changes the item only if its lock is this number: nobody changed it since it was
            /// read.
            pub fn if_rev(self, rev: u64) -> Self {
                Self(self.0.if_rev(rev))
            }
        }
    });
    let startable = startable(declaration);
    let doc = format!("A change of a [`{entity}`] that exists.");
    Ok(quote! {
        #startable

        #refusals

        #[doc = #doc]
        #[must_use = "nothing is changed until it is awaited"]
        pub struct Patch<C>(::monotable::db::Patch<#entity, C>);

        impl<C> Patch<C> {
            pub(super) fn __of(patch: ::monotable::db::Patch<#entity, C>) -> Self {
                Self(patch)
            }

            #setters

            /// Changes the item only if this holds of it.
            pub fn when(self, condition: ::monotable::Condition<#entity>) -> Self {
                Self(self.0.when(condition))
            }

            /// Creates the item if there is none, from its key and the changes.
            pub fn or_create(self) -> Self
            where
                #entity: ::monotable::Startable<C>,
            {
                Self(self.0.or_create())
            }

            #if_rev
        }

        impl ::core::future::IntoFuture for Patch<::monotable::Db<#table>> {
            type Output = ::core::result::Result<#entity, ::monotable::WriteError<#entity>>;
            type IntoFuture = ::monotable::db::Operation<Self::Output>;

            fn into_future(self) -> Self::IntoFuture {
                ::std::boxed::Box::pin(self.0.send())
            }
        }

        impl ::core::convert::From<Patch<()>> for ::monotable::db::Patch<#entity, ()> {
            fn from(patch: Patch<()>) -> Self {
                patch.0
            }
        }
    })
}

/// A patch can create an item if no field is required but those that the client writes by itself.
/// The compiler knows which types those are.
fn startable(declaration: &Declaration) -> TokenStream {
    if !declaration.unique.is_empty() {
        return TokenStream::new();
    }
    let entity = &declaration.ident;
    let others = declaration.fields.iter().filter(|field| {
        let settings = &field.settings;
        let is_written = settings.created || settings.touched || settings.lock;
        !is_written && !declaration.is_in_key(&field.name)
    });
    let omittable = others.map(|field| {
        let kind = &field.kind;
        quote_spanned!(kind.span() => #kind: ::monotable::Omittable<C>)
    });
    quote! {
        impl<C> ::monotable::Startable<C> for #entity where #( #omittable ),* {}
    }
}

fn can_change(declaration: &Declaration, field: &Field) -> bool {
    let settings = &field.settings;
    let is_kept = settings.create_only || settings.created || settings.touched || settings.lock;
    !is_kept && !declaration.is_in_key(&field.name)
}

/// The name of the setter that a field has for itself, if it has one.
pub(super) fn setter_name(
    declaration: &Declaration,
    groups: &WriteGroups<'_>,
    field: &Field,
) -> Option<String> {
    let shares = groups.group_of(&field.name).is_some_and(|group| group.fields.len() > 1);
    if !can_change(declaration, field) || shares {
        return None;
    }
    let is_unique = is_unique(declaration, field);
    Some(if is_unique { format!("{}_from", field.name) } else { field.name.clone() })
}

fn is_unique(declaration: &Declaration, field: &Field) -> bool {
    declaration.unique.iter().any(|unique| name_of(&unique.field) == field.name)
}

fn setter(
    declaration: &Declaration,
    groups: &WriteGroups<'_>,
    field: &Field,
) -> Result<TokenStream> {
    let (ident, kind, name) = (&field.ident, &field.kind, &field.name);
    let group = groups.group_of(name);
    let is_unique = is_unique(declaration, field);
    let shares = group.is_some_and(|group| group.fields.len() > 1);
    if is_unique && shares {
        let message = "a unique field cannot share the key of an index with fields that change";
        return Err(Error::new(field.span(), message));
    }
    if is_unique {
        let from = format_ident!("{name}_from");
        let doc = format!("Replaces the unique `{name}`; the old value is required to be there.");
        return Ok(quote! {
            #[doc = #doc]
            pub fn #from(self, old: #kind, new: #kind) -> Self {
                let old = ::monotable::Attribute::to_value(&old);
                Self(self.0.swap(#name, old, ::monotable::Attribute::to_value(&new)))
            }
        });
    }
    let doc = format!("Changes `{name}`.");
    Ok(match group {
        Some(group) if shares => refusing_setter(declaration, groups, group, field),
        Some(_) => quote! {
            #[doc = #doc]
            pub fn #ident(self, #ident: #kind) -> Self {
                Self(self.0.change(#name, ::monotable::ChangeOf::<#kind>::change(#ident)))
            }
        },
        None => quote! {
            #[doc = #doc]
            pub fn #ident(self, change: impl ::monotable::ChangeOf<#kind>) -> Self {
                Self(self.0.change(#name, change.change()))
            }
        },
    })
}

/// The setter of a field that does not change alone. No call of it compiles, and the compiler says
/// which setter to call; without it, it would offer a call that has not all fields.
fn refusing_setter(
    declaration: &Declaration,
    groups: &WriteGroups<'_>,
    group: &WriteGroup<'_>,
    field: &Field,
) -> TokenStream {
    let (ident, kind, bound) = (&field.ident, &field.kind, refusal_ident(group));
    if is_method(declaration, groups, &field.name) {
        return TokenStream::new();
    }
    quote! {
        #[doc(hidden)]
        pub fn #ident(self, _: #kind) -> Self
        where
            C: #bound,
        {
            self
        }
    }
}

/// What nothing is that sends a patch: able to change one field of a group.
fn refusal(declaration: &Declaration, group: &WriteGroup<'_>) -> TokenStream {
    let (bound, entity, module) =
        (refusal_ident(group), &declaration.ident, declaration.module_ident());
    let (setter, structure) = (name_of(group.pattern), pascal(&name_of(group.pattern)));
    let fields: Vec<&str> = group.fields.iter().map(|field| field.name.as_str()).collect();
    let (last, others) = fields.split_last().unwrap_or((&"", &[]));
    let message = format!("`{}` and `{last}` of a `{entity}` change together", others.join("`, `"));
    let fields = fields.join(", ");
    let note = format!("set them with `.{setter}({module}::{structure} {{{{ {fields} }}}})`");
    quote! {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(
            message = #message,
            label = "the key of an index would be stale if this changed alone",
            note = #note
        )]
        pub trait #bound {}

        // Of a trait without any, the compiler would propose to add an implementation.
        impl #bound for ::core::convert::Infallible {}
    }
}

fn refusal_ident(group: &WriteGroup<'_>) -> Ident {
    format_ident!("__PartOf{}", pascal(&name_of(group.pattern)))
}

/// A setter that takes all fields of a group. Those that never change are required to be what is
/// given.
fn group_setter(declaration: &Declaration, group: &WriteGroup<'_>) -> Result<TokenStream> {
    let name = group.pattern;
    let structure = format_ident!("{}", pascal(&name_of(name)));
    let mut steps = TokenStream::new();
    for field in &group.fields {
        if field.settings.touched {
            let message = "a `touched` field can share the key of an index only with parts of the \
                           table's key";
            return Err(Error::new(field.span(), message));
        }
        let (ident, kind, name) = (&field.ident, &field.kind, &field.name);
        steps.extend(if can_change(declaration, field) {
            quote! {
                let change = ::monotable::ChangeOf::<#kind>::change(parts.#ident);
                patch = patch.change(#name, change);
            }
        } else {
            quote! {
                let value = ::monotable::Attribute::to_value(&parts.#ident);
                patch = patch.assert(#name, value);
            }
        });
    }
    let doc = format!("Changes the fields that the key of `{name}` is made of, together.");
    Ok(quote! {
        #[doc = #doc]
        pub fn #name(self, parts: #structure) -> Self {
            let mut patch = self.0;
            #steps
            Self(patch)
        }
    })
}
