//! Attributes that are made up for parts of keys which no attribute of the items explains.

use std::collections::BTreeMap;

use monotable_item::{Item, Path, Value};
use monotable_model::document::AttributeFormat;
use monotable_model::template::{
    AttributePart, Encoding, Form, NumberForm, Sign, Template, TextForm,
};

use super::key_text::DELIMITERS;
use super::synthesis::Piece;
use crate::attribute_words::format_of;
use crate::case::snake;

/// Values of made-up attributes, by item.
#[derive(Debug, Clone, Default)]
pub(super) struct Inventions {
    by_member: BTreeMap<usize, Item>,
}

/// A made-up attribute as it stands in a key, and its value for each item.
pub(super) type Invented = (AttributePart, Vec<Value>);

impl Inventions {
    /// Adds the values of an attribute.
    pub(super) fn add(&mut self, name: &str, members: &[usize], values: Vec<Value>) {
        for (member, value) in members.iter().zip(values) {
            self.by_member.entry(*member).or_default().insert(name.to_owned(), value);
        }
    }

    /// What an item has.
    pub(super) fn of(&self, member: usize) -> Item {
        self.by_member.get(&member).cloned().unwrap_or_default()
    }

    /// The names of all attributes.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.by_member.values().flat_map(|item| item.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// An attribute for each unknown piece, in their order.
pub(super) fn invent(pieces: &[Piece], items: &[&Item], known: &Inventions) -> Vec<Invented> {
    let mut invented: Vec<Invented> = Vec::new();
    let mut word = "key".to_owned();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => word = last_word(text).unwrap_or(word),
            Piece::Attribute(_) => {}
            Piece::Unknown(texts) => {
                let taken = |name: &str| {
                    items.iter().any(|item| item.contains_key(name))
                        || known.names().contains(&name)
                        || invented.iter().any(|(part, _)| part.path.root == name)
                };
                let name = free_name(&format!("{}_id", snake(&word)), taken);
                invented.push(encoded(&name, texts));
            }
        }
    }
    invented
}

fn last_word(text: &str) -> Option<String> {
    text.split(DELIMITERS).rfind(|word| !word.is_empty()).map(str::to_owned)
}

fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// Numbers with leading zeros are numbers, identifiers and times are what they look like, and the
/// rest is text.
fn encoded(name: &str, texts: &[String]) -> Invented {
    let path = Path::attribute(name);
    if let Some((form, values)) = padded(texts) {
        return (AttributePart::required(path, Encoding::ascending(form)), values);
    }
    let values: Vec<Value> = texts.iter().map(|text| Value::from(text.as_str())).collect();
    let form = match format_of(texts.iter().map(String::as_str)) {
        Some(AttributeFormat::Ksuid) => ":ksuid",
        Some(AttributeFormat::Ulid) => ":ulid",
        Some(AttributeFormat::UuidV7) => ":uuid7",
        Some(AttributeFormat::Uuid) => ":uuid",
        Some(_) | None => "",
    };
    let parsed = Template::parse(&format!("{{a{form}}}")).ok();
    let encoding = parsed.and_then(|template| template.attributes().next().cloned());
    let encoding = encoding
        .map_or_else(|| Encoding::ascending(Form::Text(TextForm::escaped())), |part| part.encoding);
    (AttributePart::required(path, encoding), values)
}

fn padded(texts: &[String]) -> Option<(Form, Vec<Value>)> {
    let width = texts.first()?.len();
    let are_digits = texts
        .iter()
        .all(|text| text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit()));
    if !are_digits || width < 2 || !texts.iter().any(|text| text.starts_with('0')) {
        return None;
    }
    let form = NumberForm::whole(Sign::Unsigned, u8::try_from(width).ok()?)?;
    let number = |text: &String| text.parse().ok().map(Value::Number);
    let values: Option<Vec<Value>> = texts.iter().map(number).collect();
    Some((Form::Number(form), values?))
}
