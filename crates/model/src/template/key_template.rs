//! The template itself, and building keys from it.

use std::str::FromStr;

use monotable_item::{Path, Type, Value};

use super::attributes::Attributes;
use super::delimiter::Delimiter;
use super::error::{BuildError, PartError};
use super::segment::{AttributePart, Segment, required};
use super::shard::{Shard, ShardRule};
use super::syntax::{self, SyntaxError};

/// How an entity's attributes become one key.
///
/// ```
/// use monotable_item::{Item, Value};
/// use monotable_model::template::Template;
///
/// let template: Template = "ORDER#{placed_at:day}#{id:06}".parse().unwrap();
/// let order = Item::from([
///     ("placed_at".to_owned(), Value::from("2026-01-03T10:00:00Z")),
///     ("id".to_owned(), Value::from(17)),
/// ]);
/// let key = template.build(&order).unwrap();
/// assert_eq!(key, Value::from("ORDER#2026-01-03#000017"));
///
/// let reading = template.read(&key).unwrap();
/// assert_eq!(reading.get("id"), Some(&Value::from(17)));
/// assert_eq!(template.to_string(), "ORDER#{placed_at:day}#{id:06}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Template {
    delimiter: Delimiter,
    segments: Vec<Segment>,
}

/// Segments that make no template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A key cannot be empty.
    #[error("a template needs at least one segment")]
    Empty,
    /// A key that is a number or binary is one attribute.
    #[error("a key of type {} is one attribute and nothing else", kind.code())]
    NotAlone {
        /// The type of the key.
        kind: Type,
    },
    /// A part can be left out only at the end, and never all of a key.
    #[error("only the last part of a key can be optional, and something must stand before it")]
    OptionalPlace,
    /// A name or a token has characters that mean something else in the string form.
    #[error("a name or a token cannot be written in the string form")]
    NoStringForm,
}

impl Template {
    /// A template of these segments. Literals that follow each other become one, empty ones none.
    pub fn new(delimiter: Delimiter, segments: Vec<Segment>) -> Result<Template, TemplateError> {
        let template = Template::assemble(delimiter, segments)?;
        let reads_back = Template::parse(&template.to_string()).as_ref() == Ok(&template);
        if reads_back { Ok(template) } else { Err(TemplateError::NoStringForm) }
    }

    pub(super) fn assemble(
        delimiter: Delimiter,
        segments: Vec<Segment>,
    ) -> Result<Template, TemplateError> {
        let template = Template { delimiter, segments: join_literals(segments) };
        if template.segments.is_empty() {
            return Err(TemplateError::Empty);
        }
        let last = template.segments.len() - 1;
        let is_misplaced = |(place, segment): (usize, &Segment)| {
            segment.is_optional() && (place == 0 || place < last)
        };
        if template.segments.iter().enumerate().any(is_misplaced) {
            return Err(TemplateError::OptionalPlace);
        }
        match template.key_type() {
            Type::String => Ok(template),
            _ if template.segments.len() == 1 => Ok(template),
            kind => Err(TemplateError::NotAlone { kind }),
        }
    }

    /// Reads the string form.
    pub fn parse(text: &str) -> Result<Template, SyntaxError> {
        syntax::parse(text)
    }

    /// The delimiter, which is escaped inside texts.
    pub fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// The segments in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The attributes that the template writes, in order.
    pub fn attributes(&self) -> impl Iterator<Item = &AttributePart> {
        self.segments.iter().filter_map(Segment::attribute)
    }

    /// The attributes that a key is built from, in order; one may occur twice.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.segments.iter().flat_map(Segment::paths)
    }

    /// The attributes without which no key can be built, in order; one may occur twice.
    pub fn required_paths(&self) -> impl Iterator<Item = &Path> {
        let required = self.segments.iter().filter(|segment| !segment.is_optional());
        required.flat_map(Segment::paths)
    }

    /// The attribute at the end that an item may lack.
    pub fn optional_part(&self) -> Option<&AttributePart> {
        self.segments.last().filter(|last| last.is_optional()).and_then(Segment::attribute)
    }

    /// The same template without the part that an item may lack.
    pub fn without_optional(&self) -> Template {
        let segments = self.segments.iter().filter(|segment| !segment.is_optional());
        Template { delimiter: self.delimiter, segments: segments.cloned().collect() }
    }

    /// The shard that is left to the writer, if there is one.
    pub fn chosen_shard(&self) -> Option<&Shard> {
        self.segments.iter().find_map(|segment| match segment {
            Segment::Shard(shard) if *shard.rule() == ShardRule::Chosen => Some(shard),
            Segment::Literal(_) | Segment::Attribute(_) | Segment::Shard(_) => None,
        })
    }

    /// Whether there is only one key: nothing but literals.
    pub fn is_singleton(&self) -> bool {
        self.segments.iter().all(|segment| matches!(segment, Segment::Literal(_)))
    }

    /// The type of the keys: `S`, or what a single `number` or `binary` attribute gives.
    pub fn key_type(&self) -> Type {
        let types = self.attributes().map(|part| part.encoding.key_type());
        types.into_iter().find(|kind| *kind != Type::String).unwrap_or(Type::String)
    }

    /// Builds the key of an item.
    pub fn build<A: Attributes + ?Sized>(&self, attributes: &A) -> Result<Value, BuildError> {
        match (self.key_type(), self.attributes().next()) {
            (Type::String, _) | (_, None) => Ok(Value::String(self.build_text(attributes)?)),
            (kind, Some(part)) => build_whole(kind, part, attributes),
        }
    }

    pub(crate) fn build_text<A: Attributes + ?Sized>(
        &self,
        attributes: &A,
    ) -> Result<String, BuildError> {
        self.segments.iter().map(|segment| segment.build(attributes, self.delimiter)).collect()
    }
}

impl FromStr for Template {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Template, SyntaxError> {
        Template::parse(text)
    }
}

/// A key that is the attribute itself.
fn build_whole<A: Attributes + ?Sized>(
    kind: Type,
    part: &AttributePart,
    attributes: &A,
) -> Result<Value, BuildError> {
    let value = required(&part.path, attributes)?;
    let fault = |reason| Err(BuildError::Part { path: part.path.clone(), reason });
    match value {
        _ if value.kind() != kind => fault(PartError::wrong_type(&[kind], value)),
        Value::Binary(bytes) if bytes.is_empty() => fault(PartError::Empty),
        _ => Ok(value.clone()),
    }
}

fn join_literals(segments: Vec<Segment>) -> Vec<Segment> {
    let mut joined: Vec<Segment> = Vec::with_capacity(segments.len());
    for segment in segments {
        match (joined.last_mut(), segment) {
            (_, Segment::Literal(text)) if text.is_empty() => {}
            (Some(Segment::Literal(before)), Segment::Literal(text)) => before.push_str(&text),
            (_, segment) => joined.push(segment),
        }
    }
    joined
}
