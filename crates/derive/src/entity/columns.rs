//! A constant for each field, for conditions and filters.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::declaration::Declaration;
use crate::case::screaming;

pub(super) fn write(declaration: &Declaration) -> TokenStream {
    let entity = &declaration.ident;
    let columns = declaration.fields.iter().filter(|it| !it.settings.key_only).map(|field| {
        let constant = format_ident!("{}", screaming(&field.name), span = field.span());
        let (kind, stored) = (field.inner(), field.stored_name());
        let is_written = declaration.is_in_key(&field.name)
            && !declaration.key.shard_names().contains(&field.name);
        let role = if is_written { quote!(InKey) } else { quote!(Plain) };
        let doc = format!("The column `{}`.", field.name);
        quote! {
            #[doc = #doc]
            pub const #constant: ::monotable::Column<#entity, #kind, ::monotable::#role> =
                ::monotable::Column::new(#stored);
        }
    });
    quote! { #( #columns )* }
}
