//! Attributes of a schema.

use monotable_item::{Type, Value};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::document::{Attribute, Tree};

use super::composition::Part;
use crate::foreign::{At, Object, Read};
use crate::source_node::code;
use crate::typed_json;

/// An attribute, as far as a model has a place for it.
#[derive(Debug)]
pub(super) struct ReadAttribute {
    /// Nothing, if its type is not known.
    pub(super) attribute: Option<Attribute>,
    /// What keys need of it.
    pub(super) part: Option<Part>,
    /// The options that a model has no place for, by their names.
    pub(super) kept: Vec<(String, Tree)>,
}

/// Reads an attribute: an object, or its type alone.
pub(super) fn read(name: &str, at: &At<'_>, notes: &mut Vec<Diagnostic>) -> Read<ReadAttribute> {
    if !matches!(at.tree, Tree::Map(_)) || code(at.tree).is_some() {
        let attribute = typed(name, at, None, notes)?;
        let part = attribute.as_ref().map(|attribute| part(attribute, None, None));
        return Ok(ReadAttribute { attribute, part, kept: Vec::new() });
    }
    let object = at.open()?;
    let attribute = declared(name, &object, notes)?;
    let label = object.peek("label").map(|at| at.text().map(str::to_owned)).transpose()?;
    let padding = object.peek("padding").map(|at| padding(&at)).transpose()?;
    let part = attribute.as_ref().map(|attribute| part(attribute, label, padding));
    let mut kept = object.leftover();
    if attribute.is_none() {
        // An attribute that is no part of the model is kept as a whole, if it can be written again.
        kept = at.open()?.leftover();
        let is_typed = at.tree.member("type").is_some_and(|kind| !holds_code(kind));
        kept.retain(|_| is_typed);
    }
    kept.retain(|(name, value)| name != "watch" && is_data(&object, name, value, notes));
    kept.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(ReadAttribute { attribute, part, kept })
}

fn part(attribute: &Attribute, label: Option<String>, padding: Option<(u64, String)>) -> Part {
    Part {
        name: attribute.name.clone(),
        field: attribute.item_name().to_owned(),
        kind: attribute.kind,
        label: label.filter(|label| !label.is_empty()),
        padding,
        source: None,
    }
}

/// The width and the character of `{ length, char }`.
pub(super) fn padding(at: &At<'_>) -> Read<(u64, String)> {
    let object = at.open()?;
    Ok((object.required("length")?.count()?, object.required("char")?.text()?.to_owned()))
}

/// Whether a value has no code in it; says so where it has.
fn is_data(object: &Object<'_>, name: &str, value: &Tree, notes: &mut Vec<Diagnostic>) -> bool {
    let has_code = holds_code(value);
    if has_code {
        let place = object.place.member(name);
        notes.push(crate::foreign::note(&place, "code stays in the source"));
    }
    !has_code
}

/// Whether a value is code, or holds some.
pub(super) fn holds_code(value: &Tree) -> bool {
    code(value).is_some()
        || value.elements().iter().any(holds_code)
        || value.members().iter().any(|(_, value)| holds_code(value))
}

fn declared(
    name: &str,
    object: &Object<'_>,
    notes: &mut Vec<Diagnostic>,
) -> Read<Option<Attribute>> {
    let kind = object.required("type")?;
    let Some(mut attribute) = typed(name, &kind, Some(object), notes)? else { return Ok(None) };
    attribute.required = flag(object, "required", notes)?;
    attribute.mutable = flag(object, "readOnly", notes)?.then_some(false);
    attribute.stored_name = object.text("field")?.filter(|field| field != name);
    Ok(Some(attribute))
}

/// A flag; one that code decides is not set.
fn flag(object: &Object<'_>, name: &str, notes: &mut Vec<Diagnostic>) -> Read<bool> {
    match object.take(name) {
        None => Ok(false),
        Some(at) if code(at.tree).is_some() => {
            notes.push(at.note("code decides it; it is taken for false"));
            Ok(false)
        }
        Some(at) => at.flag(),
    }
}

/// An attribute of a type; nothing if the type can be anything.
fn typed(
    name: &str,
    at: &At<'_>,
    object: Option<&Object<'_>>,
    notes: &mut Vec<Diagnostic>,
) -> Read<Option<Attribute>> {
    if matches!(at.tree, Tree::List(_)) {
        return enumeration(name, at).map(Some);
    }
    let custom = code(at.tree).map(custom_type);
    let word = match custom {
        Some(Some(word)) => {
            notes.push(at.note(format!("a type of its own; {word} is taken")));
            word
        }
        Some(None) => {
            notes.push(at.note("code says the type; the attribute is not in the model"));
            return Ok(None);
        }
        None => at.text()?,
    };
    let simple = |kind| Ok(Some(Attribute::new(name, kind)));
    match word {
        "string" => simple(Type::String),
        "number" => simple(Type::Number),
        "boolean" => simple(Type::Bool),
        "map" => map(name, object, notes).map(Some),
        "list" => list(name, object, notes).map(Some),
        "set" => set(name, object).map(Some),
        "any" => {
            notes.push(at.note("any type; the attribute is not in the model"));
            Ok(None)
        }
        other => {
            let known = "string, number, boolean, list, map, set, any";
            Err(at.error(format!("{other} is not one of {known}, or a list of values")))
        }
    }
}

/// The word in `CustomAttributeType<T>("string")`.
fn custom_type(code: &str) -> Option<&str> {
    let arguments = code.rsplit_once('(')?.1.strip_suffix(')')?.trim();
    Some(arguments.trim_matches(['"', '\'', '`'])).filter(|word| *word != arguments)
}

/// One of some values.
fn enumeration(name: &str, at: &At<'_>) -> Read<Attribute> {
    let values = at.list()?.iter().map(typed_json::plain).collect::<Read<Vec<Value>>>()?;
    let kind = values.first().map_or(Type::String, Value::kind);
    let is_scalar = matches!(kind, Type::String | Type::Number);
    if !is_scalar || values.iter().any(|value| value.kind() != kind) {
        return Err(at.error("the values of an enumeration are texts, or numbers"));
    }
    let mut attribute = Attribute::new(name, kind);
    for value in values {
        if !attribute.values.contains(&value) {
            attribute.values.push(value);
        }
    }
    Ok(attribute)
}

fn map(name: &str, object: Option<&Object<'_>>, notes: &mut Vec<Diagnostic>) -> Read<Attribute> {
    let mut attribute = Attribute::new(name, Type::Map);
    let properties = object.and_then(|object| object.take("properties"));
    let members = properties.map(|at| at.named()).transpose()?.unwrap_or_default();
    for (name, at) in members {
        let member = inner(name, &at, notes)?;
        attribute.members.extend(member);
    }
    Ok(attribute)
}

fn list(name: &str, object: Option<&Object<'_>>, notes: &mut Vec<Diagnostic>) -> Read<Attribute> {
    let mut attribute = Attribute::new(name, Type::List);
    if let Some(at) = object.and_then(|object| object.take("items")) {
        attribute.items = inner("", &at, notes)?.map(Box::new);
    }
    Ok(attribute)
}

/// A member of a map or an element of a list; what a model has no place for is said.
fn inner(name: &str, at: &At<'_>, notes: &mut Vec<Diagnostic>) -> Read<Option<Attribute>> {
    let read = read(name, at, notes)?;
    if let Some(attribute) = &read.attribute {
        for (option, _) in &read.kept {
            let place = at.place.member(option);
            let message = format!("a model has no place for it inside {}", attribute.kind.code());
            notes.push(crate::foreign::note(&place, message));
        }
    }
    Ok(read.attribute)
}

fn set(name: &str, object: Option<&Object<'_>>) -> Read<Attribute> {
    let Some(items) = object.and_then(|object| object.take("items")) else {
        return Ok(Attribute::new(name, Type::StringSet));
    };
    let word = match items.tree {
        Tree::List(_) => return Ok(Attribute::new(name, set_of(enumeration(name, &items)?.kind))),
        Tree::Map(_) if code(items.tree).is_none() => items.open()?.required("type")?,
        _ => items,
    };
    let kind = word.word(&[("string", Type::StringSet), ("number", Type::NumberSet)])?;
    Ok(Attribute::new(name, kind))
}

fn set_of(kind: Type) -> Type {
    if kind == Type::Number { Type::NumberSet } else { Type::StringSet }
}
