//! The types of attributes in the words of libraries for JavaScript and Python.

use monotable_item::Type;
use monotable_model::document::{Attribute, AttributeFormat};

/// The JavaScript type of an attribute: `string`, `number` and so on.
pub(super) fn javascript(attribute: &Attribute) -> &'static str {
    match attribute.kind {
        Type::String | Type::Null => "string",
        Type::Number => "number",
        Type::Binary => "binary",
        Type::Bool => "boolean",
        Type::List => "array",
        Type::Map => "object",
        Type::StringSet | Type::NumberSet | Type::BinarySet => "set",
    }
}

/// The format of identifiers and times that a text shows, if all values have it.
pub(super) fn format_of<'v>(values: impl Iterator<Item = &'v str>) -> Option<AttributeFormat> {
    let values: Vec<&str> = values.collect();
    let all = |is: fn(&str) -> bool| !values.is_empty() && values.iter().all(|value| is(value));
    FORMATS.iter().find(|(_, is)| all(*is)).map(|(format, _)| *format)
}

type Recogniser = fn(&str) -> bool;

const FORMATS: [(AttributeFormat, Recogniser); 7] = [
    (AttributeFormat::Ksuid, |text| builds(text, "{a:ksuid}") && is_mixed(text)),
    (AttributeFormat::Ulid, |text| builds(text, "{a:ulid}")),
    (AttributeFormat::UuidV7, |text| builds(text, "{a:uuid7}")),
    (AttributeFormat::Uuid, |text| builds(text, "{a:uuid}")),
    (AttributeFormat::Rfc3339, |text| builds(text, "{a:hour}")),
    (AttributeFormat::Date, |text| text.len() == 10 && builds(text, "{a:day}")),
    (AttributeFormat::Email, is_email),
];

/// Whether a text is a value that the one placeholder of a template takes.
fn builds(text: &str, template: &str) -> bool {
    let Ok(template) = monotable_model::template::Template::parse(template) else { return false };
    let item = monotable_item::Item::from([("a".to_owned(), monotable_item::Value::from(text))]);
    template.build(&item).is_ok()
}

/// A KSUID has digits, capitals and small letters, as good as always.
fn is_mixed(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
        && text.chars().any(|c| c.is_ascii_uppercase())
        && text.chars().any(|c| c.is_ascii_lowercase())
}

fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    !name.is_empty() && domain.contains('.') && !text.contains([' ', '#', '/'])
}
