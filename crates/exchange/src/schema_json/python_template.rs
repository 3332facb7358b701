//! Templates with Python's format specifications: `ORDER#{number:06d}`.

use monotable_item::Type;
use monotable_model::document::Attribute;
use monotable_model::template::{Direction, Form, Presence, Segment, Sign, Template};

/// Our template for one of Python's. Numbers without a specification are written as they are.
pub(super) fn read(text: &str, attributes: &[Attribute]) -> Result<Template, String> {
    let mut written = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['{', '}']) {
        let (literal, from) = rest.split_at(start);
        written.push_str(literal);
        if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
            written.push_str(from.get(..2).unwrap_or_default());
            rest = after;
            continue;
        }
        let (reference, after) = from
            .strip_prefix('{')
            .and_then(|inside| inside.split_once('}'))
            .ok_or("a brace has no partner")?;
        written.push_str(&placeholder(reference, attributes)?);
        rest = after;
    }
    written.push_str(rest);
    Template::parse(&written).map_err(|error| format!("{text} is no template: {}", error.kind))
}

fn placeholder(reference: &str, attributes: &[Attribute]) -> Result<String, String> {
    let (name, specification) = reference.split_once(':').unwrap_or((reference, ""));
    let attribute = attributes.iter().find(|attribute| attribute.name == name);
    let attribute = attribute.ok_or_else(|| format!("the entity has no field {name}"))?;
    let plain = match attribute.kind {
        Type::Number => format!("{{{name}:raw}}"),
        _ => format!("{{{name}}}"),
    };
    if specification.is_empty() {
        return Ok(plain);
    }
    let digits = specification.trim_end_matches(['d', 'f']);
    let is_padded =
        digits.starts_with('0') && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_padded && attribute.kind == Type::Number {
        Ok(format!("{{{name}:{digits}}}"))
    } else {
        Err(format!("the format {specification} has no encoding here"))
    }
}

/// Python's template for one of ours, or why there is none.
pub(super) fn write(template: &Template) -> Result<String, String> {
    template.segments().iter().map(segment_text).collect()
}

fn segment_text(segment: &Segment) -> Result<String, String> {
    let part = match segment {
        Segment::Literal(text) => return Ok(text.replace('{', "{{").replace('}', "}}")),
        Segment::Shard(_) => return Err("it has no shards".to_owned()),
        Segment::Attribute(part) => part,
    };
    let path = &part.path;
    let unknown = || Err(format!("it has no encoding for {segment}"));
    let is_turned = part.encoding.direction() == Direction::Descending;
    if is_turned || !path.is_attribute() || part.presence == Presence::Optional {
        return unknown();
    }
    match part.encoding.form() {
        Form::Text(form) if form.steps.is_empty() => Ok(format!("{{{path}}}")),
        Form::Plain | Form::Identifier(_) | Form::NumberKey | Form::BinaryKey => {
            Ok(format!("{{{path}}}"))
        }
        Form::Enumeration(values) if values.tokens().all(|(value, token)| value == token) => {
            Ok(format!("{{{path}}}"))
        }
        Form::Number(form) if form.total().is_none() && form.sign() == Sign::Unsigned => {
            let fraction = match form.fraction_digits() {
                0 => "d".to_owned(),
                digits => format!(".{digits}f"),
            };
            Ok(format!("{{{path}:0{}{fraction}}}", form.width()))
        }
        Form::Text(_)
        | Form::Enumeration(_)
        | Form::Number(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Hash(_)
        | Form::Bool => unknown(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_the_same_both_ways() {
        let attributes =
            [Attribute::new("user", Type::String), Attribute::new("number", Type::Number)];
        for (python, ours) in [
            ("USER#{user}", "USER#{user}"),
            ("{number:06d}", "{number:06}"),
            ("{number:08.2f}", "{number:08.2}"),
            ("{{{user}}}", "{{{user}}}"),
        ] {
            let template = read(python, &attributes).unwrap();
            assert_eq!(template.to_string(), ours);
            assert_eq!(write(&template).unwrap(), python);
        }
        assert!(read("{nobody}", &attributes).is_err());
        assert!(read("{user:>8}", &attributes).is_err());
    }
}
