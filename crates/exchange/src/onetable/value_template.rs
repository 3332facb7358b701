//! Templates of OneTable: `order#${date}#${number:8:0}`.

use monotable_item::Type;
use monotable_model::document::{Attribute, AttributeFormat, Entity};
use monotable_model::template::{Direction, Escaping, Form, Presence, Segment, Sign, Template};

/// Our template for one of OneTable's.
pub(super) fn read(value: &str, attributes: &[Attribute]) -> Result<Template, String> {
    let mut written = String::new();
    let mut rest = value;
    while let Some((literal, after)) = rest.split_once("${") {
        written.push_str(&escaped(literal));
        let (reference, after) = after.split_once('}').ok_or("${ has no closing }")?;
        written.push_str(&placeholder(reference, attributes)?);
        rest = after;
    }
    written.push_str(&escaped(rest));
    Template::parse(&written).map_err(|error| format!("{value} is no template: {}", error.kind))
}

fn escaped(literal: &str) -> String {
    literal.replace('{', "{{").replace('}', "}}")
}

/// `id`, `number:8` or `number:8:0`, in which the width and the character pad from the left.
fn placeholder(reference: &str, attributes: &[Attribute]) -> Result<String, String> {
    let mut parts = reference.split(':');
    let path = parts.next().unwrap_or_default().trim();
    let root = path.split('.').next().unwrap_or_default();
    let attribute = attributes.iter().find(|attribute| attribute.name == root);
    let attribute = attribute.ok_or_else(|| format!("the model has no field {root}"))?;
    let is_number = attribute.kind == Type::Number && path == root;
    match (parts.next(), parts.next().unwrap_or("0")) {
        (None, _) if is_number => Ok(format!("{{{path}:raw}}")),
        (None, _) => Ok(format!("{{{path}}}")),
        (Some(width), "0") if is_number => {
            let width: u8 = width.parse().map_err(|_| format!("{width} is no width"))?;
            Ok(format!("{{{path}:0{width}}}"))
        }
        (Some(width), "0") => Ok(format!("{{{path}:digits({width})}}")),
        (Some(_), pad) => Err(format!("padding with {pad} has no encoding here")),
    }
}

/// OneTable's template for one of ours, or why there is none.
pub(super) fn write(template: &Template, entity: &Entity) -> Result<String, String> {
    template.segments().iter().map(|segment| segment_text(segment, entity)).collect()
}

fn segment_text(segment: &Segment, entity: &Entity) -> Result<String, String> {
    let part = match segment {
        Segment::Literal(text) => return Ok(text.clone()),
        Segment::Shard(_) => return Err("it has no shards".to_owned()),
        Segment::Attribute(part) => part,
    };
    let path = &part.path;
    let plain = Ok(format!("${{{path}}}"));
    if part.encoding.direction() == Direction::Descending {
        return Err(format!("it cannot turn the order of {path} round"));
    }
    if part.presence == Presence::Optional {
        return Err(format!("it has no keys that end without {path}"));
    }
    match part.encoding.form() {
        Form::Text(form) if form.steps.is_empty() => plain,
        Form::Plain | Form::Identifier(_) | Form::NumberKey | Form::BinaryKey => plain,
        Form::Enumeration(values) if values.tokens().all(|(value, token)| value == token) => plain,
        Form::Number(form) if form.total().is_none() && form.fraction_digits() == 0 => {
            match form.sign() {
                Sign::Unsigned => Ok(format!("${{{path}:{}}}", form.whole_digits())),
                Sign::Offset => Err(format!("it cannot write {path} with an offset")),
            }
        }
        // A time that is stored as the key has it is written as it is.
        Form::Time(_) if is_stored_so(entity, &path.root) => plain,
        Form::Text(_)
        | Form::Enumeration(_)
        | Form::Number(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Hash(_)
        | Form::Bool => Err(format!("it has no encoding for {segment}")),
    }
}

/// Whether the samples and the format of an attribute say that it is a whole timestamp.
fn is_stored_so(entity: &Entity, name: &str) -> bool {
    let attribute = entity.attribute(name);
    attribute.is_some_and(|attribute| attribute.format == Some(AttributeFormat::Rfc3339))
}

/// Whether a form is one that escapes, which OneTable does not.
pub(super) fn escapes(template: &Template) -> bool {
    template.attributes().any(|part| {
        matches!(part.encoding.form(), Form::Text(form) if form.escaping == Escaping::Delimiter)
    })
}
