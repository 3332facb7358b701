//! Key templates.

use monotable_item::Type;

use super::context::{At, Context};
use super::scalar::text;
use crate::diagnostic::Diagnostic;
use crate::document::Attribute;
use crate::template::Template;

/// One template, or a list of them for a key of several attributes.
pub(super) fn templates(cx: &mut Context<'_>, at: &At<'_>) -> Option<Vec<Template>> {
    let elements = at.elements().unwrap_or_else(|| vec![at.clone()]);
    let count = elements.len();
    let templates: Vec<Template> =
        elements.iter().filter_map(|element| template(cx, element, "not a key template")).collect();
    (templates.len() == count).then_some(templates)
}

/// A template, or a complaint that begins with these words.
pub(super) fn template(cx: &mut Context<'_>, at: &At<'_>, complaint: &str) -> Option<Template> {
    let written = text(cx, at)?;
    match Template::parse(&written) {
        Ok(template) => Some(template),
        Err(error) => {
            let message = format!("{complaint}: {}", error.kind);
            let span = cx.span_of(at, &error.span);
            cx.report(Diagnostic::error("bad-template", at.place.clone(), message).with_span(span));
            None
        }
    }
}

/// The template of a key that is an attribute of the entity as it is.
pub(super) fn of_attribute(attribute: &Attribute) -> Option<Template> {
    let name = &attribute.name;
    let written = match attribute.kind {
        Type::String => format!("{{{name}:raw}}"),
        Type::Number => format!("{{{name}:number}}"),
        Type::Binary => format!("{{{name}:binary}}"),
        Type::Bool
        | Type::Null
        | Type::List
        | Type::Map
        | Type::StringSet
        | Type::NumberSet
        | Type::BinarySet => return None,
    };
    Template::parse(&written).ok()
}
