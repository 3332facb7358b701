//! Key texts: keys, or beginnings of keys, before there are values.
//!
//! A key text is a row of pieces. Literals are there already; values are put in when the pattern
//! runs. Two key texts can be compared before that, see `order`.

use std::fmt;

use monotable_item::{Item, Value};
use monotable_model::document::Source;
use monotable_model::template::{
    AttributePart, Delimiter, Direction, Form, Presence, Segment, Shard, Template,
};

use super::fill::{Arguments, FillError};

/// A key, or the beginning of one, up to values that are not there yet.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyText {
    delimiter: Delimiter,
    pieces: Vec<Piece>,
}

/// A piece of a key text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text that is always the same.
    Literal(String),
    /// The value of an attribute.
    Value {
        /// The attribute and how it is written.
        part: AttributePart,
        /// Where the value comes from.
        source: Source,
    },
    /// The beginning of a value.
    Beginning {
        /// The attribute and how it is written.
        part: AttributePart,
        /// Where the beginning comes from.
        source: Source,
    },
    /// A shard that is calculated from known attributes.
    Shard {
        /// The shard.
        shard: Shard,
        /// The attributes that it is calculated from.
        inputs: Vec<(String, Source)>,
    },
    /// A shard that is unknown: each is read.
    EachShard(Shard),
    /// A period of which only a range is known: each period of it is read.
    EachPeriod {
        /// The attribute and how it is written.
        part: AttributePart,
    },
}

impl KeyText {
    /// The empty beginning.
    pub(super) fn empty(delimiter: Delimiter) -> KeyText {
        KeyText { delimiter, pieces: Vec::new() }
    }

    /// The pieces, from the left.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns whether nothing is known of the key.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The delimiter, which is escaped inside values.
    pub fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// The text with a piece more. Literals that follow each other become one.
    pub(super) fn with(&self, piece: Piece) -> KeyText {
        let mut text = self.clone();
        match (text.pieces.last_mut(), piece) {
            (_, Piece::Literal(more)) if more.is_empty() => {}
            (Some(Piece::Literal(before)), Piece::Literal(more)) => before.push_str(&more),
            (_, piece) => text.pieces.push(piece),
        }
        text
    }

    /// The names of the parameters that it needs.
    pub fn parameters(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Value { source, .. } | Piece::Beginning { source, .. } => {
                    names.extend(name_of(source));
                }
                Piece::Shard { inputs, .. } => {
                    names.extend(inputs.iter().filter_map(|(_, source)| name_of(source)));
                }
                Piece::Literal(_) | Piece::EachShard(_) | Piece::EachPeriod { .. } => {}
            }
        }
        names
    }

    /// The text up to the first value of which only the beginning is known.
    pub(super) fn whole_values(&self) -> KeyText {
        let is_whole = |piece: &&Piece| !matches!(piece, Piece::Beginning { .. });
        let pieces = self.pieces.iter().take_while(is_whole).cloned().collect();
        KeyText { delimiter: self.delimiter, pieces }
    }

    /// A template of which this is a key, whatever the values; nothing for the beginning of a
    /// value.
    pub(super) fn template(&self) -> Option<Template> {
        let segment = |piece: &Piece| match piece {
            Piece::Literal(text) => Some(Segment::Literal(text.clone())),
            Piece::Value { part, .. } | Piece::EachPeriod { part } => {
                Some(Segment::Attribute(part.clone()))
            }
            Piece::Shard { shard, .. } | Piece::EachShard(shard) => {
                Some(Segment::Shard(shard.clone()))
            }
            Piece::Beginning { .. } => None,
        };
        let segments = self.pieces.iter().map(segment).collect::<Option<Vec<_>>>()?;
        Template::new(self.delimiter, segments).ok()
    }

    /// The key with all values put in.
    pub(super) fn fill(&self, arguments: &Arguments<'_>) -> Result<Value, FillError> {
        if let [Piece::Value { part, source }] = self.pieces.as_slice()
            && matches!(part.encoding.form(), Form::NumberKey | Form::BinaryKey)
        {
            return arguments.value(source);
        }
        let mut text = String::new();
        for piece in &self.pieces {
            text.push_str(&piece.fill(self.delimiter, arguments)?);
        }
        Ok(Value::String(text))
    }
}

impl Piece {
    fn fill(&self, delimiter: Delimiter, arguments: &Arguments<'_>) -> Result<String, FillError> {
        match self {
            Piece::Literal(text) => Ok(text.clone()),
            Piece::Value { part, source } => {
                let value = match (arguments.value(source), part.presence) {
                    (Err(FillError::Missing { .. }), Presence::Optional) => None,
                    (value, _) => Some(value?),
                };
                let item: Item =
                    value.map(|value| (part.path.root.clone(), value)).into_iter().collect();
                Ok(part.build(&item, delimiter)?)
            }
            Piece::Beginning { part, source } => {
                let beginning = arguments.text(source)?;
                let text = part.beginning(&beginning, delimiter);
                text.ok_or_else(|| FillError::NoBeginning { attribute: part.path.to_string() })
            }
            Piece::Shard { shard, inputs } => {
                let mut item = Item::new();
                for (name, source) in inputs {
                    item.insert(name.clone(), arguments.value(source)?);
                }
                Ok(Segment::Shard(shard.clone()).build(&item, delimiter)?)
            }
            Piece::EachShard(shard) => {
                arguments.shard.map(|number| shard.write(number)).ok_or(FillError::NoShard)
            }
            Piece::EachPeriod { part } => {
                let period = arguments.period.clone();
                period.ok_or_else(|| FillError::NoPeriod { attribute: part.path.to_string() })
            }
        }
    }
}

fn name_of(source: &Source) -> Option<&str> {
    match source {
        Source::Parameter(name) => Some(name.as_str()),
        Source::Literal(_) => None,
    }
}

/// How a part is written, where that is not as it is: the values of an enumeration that stand for
/// themselves need no list.
fn shown_encoding(part: &AttributePart) -> String {
    if let Form::Enumeration(values) = part.encoding.form()
        && values.tokens().all(|(value, token)| value == token)
        && part.encoding.direction() == Direction::Ascending
    {
        return String::new();
    }
    part.encoding.to_string()
}

/// Attributes stand with their encoding, as in the template: who writes code from a plan has to
/// write the same bytes.
impl fmt::Display for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Literal(text) => f.write_str(text),
            Piece::Value { part, source } => match source {
                Source::Parameter(name) => write!(f, "{{{name}{}}}", shown_encoding(part)),
                Source::Literal(value) => match part.encode(value, self.delimiter) {
                    Ok(text) => f.write_str(&text),
                    Err(_) => part.fmt(f),
                },
            },
            Piece::Beginning { part, source } => match source {
                Source::Parameter(name) => write!(f, "{{{name}{}…}}", shown_encoding(part)),
                Source::Literal(Value::String(text)) => f.write_str(text),
                Source::Literal(_) => f.write_str("{…}"),
            },
            Piece::Shard { shard, .. } => write!(f, "{}", Segment::Shard(shard.clone())),
            Piece::EachShard(shard) => {
                write!(f, "{{shard {}–{}}}", shard.first(), shard.first() + (shard.count() - 1))
            }
            Piece::EachPeriod { part } => part.fmt(f),
        })
    }
}
