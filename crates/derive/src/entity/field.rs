//! The fields of an entity and their `#[attr(…)]`.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    Error, Field as SynField, GenericArgument, Ident, LitInt, LitStr, PathArguments, Result, Type,
};

use super::names::name_of;

/// A field.
pub(super) struct Field {
    pub(super) ident: Ident,
    pub(super) name: String,
    pub(super) kind: Type,
    pub(super) settings: FieldSettings,
}

/// What `#[attr(…)]` says.
#[derive(Default)]
pub(crate) struct FieldSettings {
    name: Option<String>,
    pub(super) key_only: bool,
    pub(super) create_only: bool,
    pub(super) lock: bool,
    pub(super) ttl: bool,
    pub(super) created: bool,
    pub(super) touched: bool,
    pub(super) max_len: Option<u64>,
}

impl Field {
    pub(super) fn of(field: &SynField) -> Result<Field> {
        let ident = field.ident.clone();
        let ident = ident.ok_or_else(|| Error::new(field.span(), "a field needs a name"))?;
        let name = name_of(&ident);
        Ok(Field { ident, name, kind: field.ty.clone(), settings: FieldSettings::of(field)? })
    }

    pub(super) fn stored_name(&self) -> String {
        self.settings.stored_name(&self.ident)
    }

    /// The type inside an `Option`, or the type itself.
    pub(super) fn inner(&self) -> &Type {
        option_inner(&self.kind).unwrap_or(&self.kind)
    }

    pub(super) fn is_option(&self) -> bool {
        option_inner(&self.kind).is_some()
    }

    pub(super) fn span(&self) -> Span {
        self.ident.span()
    }
}

impl FieldSettings {
    pub(crate) fn of(field: &SynField) -> Result<FieldSettings> {
        let mut settings = FieldSettings::default();
        for attribute in field.attrs.iter().filter(|it| it.path().is_ident("attr")) {
            attribute.parse_nested_meta(|meta| {
                let word = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
                match word.as_str() {
                    "name" => settings.name = Some(meta.value()?.parse::<LitStr>()?.value()),
                    "max_len" => {
                        settings.max_len = Some(meta.value()?.parse::<LitInt>()?.base10_parse()?);
                    }
                    "key_only" => settings.key_only = true,
                    "create_only" => settings.create_only = true,
                    "lock" => settings.lock = true,
                    "ttl" => settings.ttl = true,
                    "created" => settings.created = true,
                    "touched" => settings.touched = true,
                    _ => {
                        return Err(meta.error(
                            "expected name, max_len, key_only, create_only, lock, ttl, created or \
                             touched",
                        ));
                    }
                }
                Ok(())
            })?;
        }
        Ok(settings)
    }

    /// The name in items.
    pub(crate) fn stored_name(&self, ident: &Ident) -> String {
        self.name.clone().unwrap_or_else(|| name_of(ident))
    }
}

fn option_inner(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    })
}
