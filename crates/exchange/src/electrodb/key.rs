//! Keys in ElectroDB's words: `{ field, composite, template, casing }`.

use monotable_item::{Type, Value};
use monotable_model::document::{AttributeFormat, Entity, Expression, NameSource, Source};
use monotable_model::template::{
    AttributePart, Direction, Form, Presence, Segment, Sign, Template, TextStep, TimeForm, TimeUnit,
};

use super::source::{literal, property};

/// One side of a key.
pub(super) struct Key {
    field: String,
    composite: Vec<String>,
    template: String,
    casing: &'static str,
    cast: Option<&'static str>,
}

impl Key {
    /// The object that says it.
    pub(super) fn text(&self) -> String {
        let composite: Vec<String> = self.composite.iter().map(|name| literal(name)).collect();
        let cast = self.cast.map(|cast| format!(", cast: {}", literal(cast))).unwrap_or_default();
        format!(
            "{{ field: {}, composite: [{}], template: {}, casing: {}{cast} }}",
            literal(&self.field),
            composite.join(", "),
            literal(&self.template),
            literal(self.casing)
        )
    }
}

/// The numbers of an entity that keys pad, each to one width. ElectroDB pads an attribute alike in
/// all keys.
pub(super) fn paddings(entity: &Entity) -> Vec<(String, u8)> {
    let mut found: Vec<(String, u8)> = Vec::new();
    for part in parts(entity) {
        if let Form::Number(form) = part.encoding.form()
            && form.sign() == Sign::Unsigned
            && form.fraction_digits() == 0
            && form.total().is_none()
            && part.encoding.direction() == Direction::Ascending
            && found.iter().all(|(name, _)| *name != part.path.root)
        {
            found.push((part.path.root.clone(), form.whole_digits()));
        }
    }
    found
}

fn parts(entity: &Entity) -> Vec<&AttributePart> {
    let of_indexes = entity.indexes.iter().map(|keys| &keys.keys);
    let keys = entity.key.iter().chain(of_indexes);
    let templates = keys.flat_map(|keys| keys.partition.iter().chain(&keys.sort));
    templates.flat_map(Template::attributes).collect()
}

/// A key, or why ElectroDB cannot build it.
pub(super) fn key(
    field: &str,
    template: &Template,
    entity: &Entity,
    paddings: &[(String, u8)],
) -> Result<Key, String> {
    let casing = casing(template)?;
    let mut written = String::new();
    let mut composite: Vec<String> = Vec::new();
    for segment in template.segments() {
        match segment {
            Segment::Literal(text) => written.push_str(text),
            Segment::Shard(_) => return Err("it has no shards".to_owned()),
            Segment::Attribute(part) => {
                let name = attribute(part, entity, paddings)?;
                if composite.contains(&name) {
                    return Err(format!("{name} stands twice in one key"));
                }
                written.push_str(&format!("${{{name}}}"));
                composite.push(name);
            }
        }
    }
    let is_number = template.key_type() == Type::Number;
    let is_text_of_number = !is_number
        && template.segments().len() == 1
        && composite.iter().any(|name| {
            entity.attribute(name).is_some_and(|attribute| attribute.kind == Type::Number)
        });
    Ok(Key {
        field: field.to_owned(),
        composite,
        template: written,
        casing,
        cast: is_text_of_number.then_some("string"),
    })
}

/// The sides of one key, unless ElectroDB refuses them together: an attribute may stand in both
/// only where it is all that the sort key has.
pub(super) fn sides(keys: Vec<Key>) -> Result<Vec<Key>, String> {
    if let [partition, sort] = keys.as_slice()
        && sort.composite.len() > 1
        && let Some(shared) = sort.composite.iter().find(|name| partition.composite.contains(name))
    {
        return Err(format!("{shared} stands in both sides, and not alone in the sort key"));
    }
    Ok(keys)
}

/// Upper or lower case for the whole key, if all of its texts have that and its literals as well.
fn casing(template: &Template) -> Result<&'static str, String> {
    let texts = template.attributes().filter_map(|part| match part.encoding.form() {
        Form::Text(form) => Some(form.steps.as_slice()),
        _ => None,
    });
    let steps: Vec<&[TextStep]> = texts.collect();
    let literals: String = template
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Literal(text) => Some(text.as_str()),
            Segment::Attribute(_) | Segment::Shard(_) => None,
        })
        .collect();
    let only = |step: TextStep| !steps.is_empty() && steps.iter().all(|own| *own == [step]);
    let others = template
        .attributes()
        .any(|part| !matches!(part.encoding.form(), Form::Text(_) | Form::Plain | Form::Number(_)));
    match () {
        () if steps.iter().all(|own| own.is_empty()) => Ok("none"),
        () if only(TextStep::Upper) && literals == literals.to_uppercase() && !others => {
            Ok("upper")
        }
        () if only(TextStep::Fold) && literals == literals.to_lowercase() && !others => Ok("lower"),
        () => Err("it changes the case of whole keys alone".to_owned()),
    }
}

/// The name of an attribute whose text ElectroDB writes as the template does.
fn attribute(
    part: &AttributePart,
    entity: &Entity,
    paddings: &[(String, u8)],
) -> Result<String, String> {
    let name = part.path.root.clone();
    if !part.path.is_attribute() {
        return Err(format!("{} lies inside a map", part.path));
    }
    if part.encoding.direction() == Direction::Descending {
        return Err(format!("it cannot turn the order of {name} round"));
    }
    if part.presence == Presence::Optional {
        return Err(format!("it has no keys that end without {name}"));
    }
    let is_padded = paddings.iter().any(|(padded, _)| *padded == name);
    match part.encoding.form() {
        Form::Text(_) | Form::Identifier(_) | Form::NumberKey => Ok(name),
        Form::Enumeration(values) if values.tokens().all(|(value, token)| value == token) => {
            Ok(name)
        }
        Form::Plain if is_padded => Err(format!("{name} is padded in another key")),
        Form::Plain => Ok(name),
        Form::Number(form) => {
            let width = (name.clone(), form.whole_digits());
            let fits = form.sign() == Sign::Unsigned
                && form.fraction_digits() == 0
                && form.total().is_none()
                && paddings.contains(&width);
            if fits { Ok(name) } else { Err(format!("it cannot write {name} so")) }
        }
        // A whole timestamp in seconds is stored as the key has it.
        Form::Time(TimeForm::Timestamp(TimeUnit::Seconds)) if is_timestamp(entity, &name) => {
            Ok(name)
        }
        Form::Enumeration(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Hash(_)
        | Form::Bool
        | Form::BinaryKey => {
            Err(format!("it has no encoding for {}", Segment::Attribute(part.clone())))
        }
    }
}

fn is_timestamp(entity: &Entity, name: &str) -> bool {
    let attribute = entity.attribute(name);
    attribute.is_some_and(|attribute| {
        attribute.kind == Type::String && attribute.format == Some(AttributeFormat::Rfc3339)
    })
}

/// A condition in TypeScript, if it is a comparison of one attribute with one value.
pub(super) fn condition(when: &Expression, entity: &Entity) -> Option<String> {
    let mut words = when.rewritten.split_whitespace();
    let (name, sign, value) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let sign = match sign {
        "=" => "===",
        "<>" => "!==",
        "<" | "<=" | ">" | ">=" => sign,
        _ => return None,
    };
    let stored = match when.names.get(name.trim_start_matches('#')).or_else(|| when.names.get(name))
    {
        Some(NameSource::Name(stored)) => stored.clone(),
        Some(NameSource::Parameter(_)) => return None,
        None => name.to_owned(),
    };
    let attribute = entity.attributes.iter().find(|one| one.item_name() == stored)?;
    let source =
        when.values.get(value.trim_start_matches(':')).or_else(|| when.values.get(value))?;
    let value = match source {
        Source::Literal(Value::String(text)) => literal(text),
        Source::Literal(Value::Number(number)) => number.to_string(),
        Source::Literal(Value::Bool(flag)) => flag.to_string(),
        Source::Literal(_) | Source::Parameter(_) => return None,
    };
    let member = property(&attribute.name);
    let access =
        if member == attribute.name { format!(".{member}") } else { format!("[{member}]") };
    Some(format!("item{access} {sign} {value}"))
}
