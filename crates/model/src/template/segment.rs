//! The segments of a template: text that is always the same, attributes, shards.

use monotable_item::{Path, Value};

use super::attributes::Attributes;
use super::delimiter::Delimiter;
use super::encoding::{Encoding, Form};
use super::error::BuildError;
use super::shard::{Padding, Shard};
use super::text_form::{Escaping, TextForm};

/// One piece of a template. Every segment writes at least one character, but for an optional
/// attribute at the end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// Text that is the same in every key.
    Literal(String),
    /// An attribute.
    Attribute(AttributePart),
    /// A shard.
    Shard(Shard),
}

/// An attribute and how it is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AttributePart {
    /// Where the attribute lies in the item.
    pub path: Path,
    /// How it is written.
    pub encoding: Encoding,
    /// Whether an item must have it.
    pub presence: Presence,
}

/// Whether a key can be built without an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    /// It cannot.
    Required,
    /// `optional`: it can, and then ends where the attribute would begin.
    Optional,
}

impl Segment {
    /// The attribute that the segment writes.
    pub fn attribute(&self) -> Option<&AttributePart> {
        match self {
            Segment::Attribute(part) => Some(part),
            Segment::Literal(_) | Segment::Shard(_) => None,
        }
    }

    /// Returns whether the segment can be left out.
    pub fn is_optional(&self) -> bool {
        self.attribute().is_some_and(|part| part.presence == Presence::Optional)
    }

    /// The attributes that must be known to write the segment.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Segment::Literal(_) => Vec::new(),
            Segment::Attribute(part) => vec![&part.path],
            Segment::Shard(shard) => shard.rule().input().map(|i| i.paths()).unwrap_or_default(),
        }
    }

    /// The width in characters, if all texts have the same. A part that is left out is not meant.
    pub fn fixed_width(&self) -> Option<usize> {
        match self {
            Segment::Literal(text) => Some(text.chars().count()),
            Segment::Attribute(part) => part.encoding.form().fixed_width(),
            Segment::Shard(shard) => (shard.padding() == Padding::Zeros).then(|| shard.width()),
        }
    }

    /// Writes the segment of a key.
    pub fn build<A: Attributes + ?Sized>(
        &self,
        attributes: &A,
        delimiter: Delimiter,
    ) -> Result<String, BuildError> {
        match self {
            Segment::Literal(text) => Ok(text.clone()),
            Segment::Attribute(part) => part.build(attributes, delimiter),
            Segment::Shard(shard) => Ok(shard.write(shard.number(attributes)?)),
        }
    }

    /// Whether the segment's text may hold a bare delimiter. One that may not ends at the first.
    pub(crate) fn ends_at_delimiter(&self) -> bool {
        match self {
            Segment::Attribute(part) => match part.encoding.form() {
                Form::Text(form) => form.escaping == Escaping::Delimiter,
                _ => false,
            },
            Segment::Literal(_) | Segment::Shard(_) => false,
        }
    }
}

impl AttributePart {
    /// A part that an item must have.
    pub fn required(path: Path, encoding: Encoding) -> AttributePart {
        AttributePart { path, encoding, presence: Presence::Required }
    }

    /// Writes the part of an item's key.
    pub fn build<A: Attributes + ?Sized>(
        &self,
        attributes: &A,
        delimiter: Delimiter,
    ) -> Result<String, BuildError> {
        match (attributes.value(&self.path), self.presence) {
            (Some(value), _) => self.encode(value, delimiter),
            (None, Presence::Optional) => Ok(String::new()),
            (None, Presence::Required) => Err(BuildError::Missing { path: self.path.clone() }),
        }
    }

    /// Writes the part for a value of the attribute.
    pub fn encode(&self, value: &Value, delimiter: Delimiter) -> Result<String, BuildError> {
        let text = self.encoding.encode(value, delimiter);
        text.map_err(|reason| BuildError::Part { path: self.path.clone(), reason })
    }
}

/// The value of an attribute that a key cannot do without.
pub(crate) fn required<'a, A: Attributes + ?Sized>(
    path: &Path,
    attributes: &'a A,
) -> Result<&'a Value, BuildError> {
    attributes.value(path).ok_or_else(|| BuildError::Missing { path: path.clone() })
}

/// The text of an attribute as `raw` writes it.
pub(crate) fn raw_text<A: Attributes + ?Sized>(
    path: &Path,
    attributes: &A,
) -> Result<String, BuildError> {
    let form = TextForm { steps: Vec::new(), escaping: Escaping::Verbatim };
    let part = AttributePart::required(path.clone(), Encoding::ascending(Form::Text(form)));
    part.build(attributes, Delimiter::default())
}
