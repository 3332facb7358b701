//! Partial keys: the key condition for what is known of a key.
//!
//! A partial key ends at the boundary of a segment, so `jackson` never matches `jacksonville`.
//! Whoever wants that asks for it with [`PartialKey::begins`].

use std::ops::Bound;

use monotable_expr::KeyComparison;
use monotable_item::{Path, Type, Value};

use super::attributes::Attributes;
use super::delimiter::Delimiter;
use super::encoding::Form;
use super::error::BuildError;
use super::key_template::Template;
use super::range::{End, KeyRange};
use super::segment::{AttributePart, Presence, Segment};
use super::text_form::{Escaping, TextStep};

/// The beginning of a key, up to the boundary of a segment.
///
/// ```
/// use std::ops::Bound;
/// use monotable_expr::KeyComparison;
/// use monotable_item::{Item, Value};
/// use monotable_model::template::Template;
///
/// let template = Template::parse("ORDER#{placed_at:day}#{id:06}").unwrap();
/// let all = template.partial(&Item::new()).unwrap();
/// assert_eq!(all.condition(), Some(KeyComparison::BeginsWith(Value::from("ORDER#"))));
///
/// let (from, to) = (Value::from("2026-01-01"), Value::from("2026-01-31"));
/// let january = all.range(Bound::Included(&from), Bound::Included(&to)).unwrap();
/// let (lower, upper) = (Value::from("ORDER#2026-01-01"), Value::from("ORDER#2026-01-31$"));
/// assert_eq!(january, KeyComparison::Between(lower, upper));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialKey<'a> {
    template: &'a Template,
    text: String,
    segments: usize,
    /// The key itself, if it is a number or binary and known.
    whole: Option<Value>,
}

/// What is asked of a key has no key condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoundError {
    /// An end of the range cannot be written into a key.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// No attribute follows what is known, so there is nothing to range over.
    #[error("no attribute follows what is known of the key")]
    NothingFollows,
    /// Neither end was given.
    #[error("a range needs at least one end")]
    Unbounded,
    /// The first end lies after the second.
    #[error("the range ends before it begins")]
    Reversed,
    /// The part does not sort by value.
    #[error("attribute {path} does not sort by value: it is hashed, or a number without padding")]
    Unordered {
        /// The attribute.
        path: Path,
    },
    /// A key condition includes both its ends, and this end cannot be left out.
    #[error("the end of a range on attribute {path} cannot be left out")]
    ExcludedEnd {
        /// The attribute.
        path: Path,
    },
    /// The beginning of a value does not become the beginning of its text.
    #[error("the beginning of attribute {path} is not the beginning of its part of the key")]
    NoBeginning {
        /// The attribute.
        path: Path,
    },
}

impl Template {
    /// The longest beginning of a key that these attributes give.
    pub fn partial<A: Attributes + ?Sized>(
        &self,
        attributes: &A,
    ) -> Result<PartialKey<'_>, BuildError> {
        let has_shard = attributes.chosen_shard().is_some();
        let segments = self.known_segments(|path| attributes.value(path).is_some(), has_shard);
        self.partial_through(attributes, segments)
    }

    /// The beginning of a key that ends with the first so many segments.
    pub fn partial_through<A: Attributes + ?Sized>(
        &self,
        attributes: &A,
        segments: usize,
    ) -> Result<PartialKey<'_>, BuildError> {
        let mut partial = PartialKey { template: self, text: String::new(), segments, whole: None };
        if self.key_type() != Type::String {
            partial.whole = (segments > 0).then(|| self.build(attributes)).transpose()?;
            return Ok(partial);
        }
        for segment in self.segments().iter().take(segments) {
            partial.text.push_str(&segment.build(attributes, self.delimiter())?);
        }
        Ok(partial)
    }

    /// How many segments can be written from the left if these attributes are known, and the shard
    /// if the caller chooses it. Planning needs to know this before there are values.
    pub fn known_segments(&self, is_known: impl Fn(&Path) -> bool, has_shard: bool) -> usize {
        let can_write = |segment: &&Segment| match segment {
            Segment::Shard(shard) if shard.rule().input().is_none() => has_shard,
            segment => segment.paths().iter().all(|path| is_known(path)),
        };
        self.segments().iter().take_while(can_write).count()
    }
}

impl<'a> PartialKey<'a> {
    /// What every key begins with.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many segments it covers.
    pub fn segments(&self) -> usize {
        self.segments
    }

    /// Whether it is the whole key.
    pub fn is_whole(&self) -> bool {
        self.segments >= self.template.segments().len()
    }

    /// The attribute that follows, if one does.
    pub fn next(&self) -> Option<&'a AttributePart> {
        self.template.segments().get(self.segments).and_then(Segment::attribute)
    }

    /// The condition that all keys with this beginning meet, and of this template no others. There
    /// is none if nothing is known.
    pub fn condition(&self) -> Option<KeyComparison> {
        if let Some(key) = &self.whole {
            return Some(KeyComparison::Equal(key.clone()));
        }
        match self.text.as_str() {
            "" => None,
            text if self.is_whole() => Some(KeyComparison::Equal(Value::from(text))),
            text => Some(KeyComparison::BeginsWith(Value::from(text))),
        }
    }

    /// The condition for values of the next attribute that begin with a text.
    ///
    /// A time, a period or an identifier begins with the characters that stand in the key, such as
    /// `2026-01`.
    pub fn begins(&self, beginning: &str) -> Result<KeyComparison, BoundError> {
        let part = self.next().ok_or(BoundError::NothingFollows)?;
        let text = part.beginning(beginning, self.template.delimiter());
        let text = text.ok_or_else(|| BoundError::NoBeginning { path: part.path.clone() })?;
        Ok(KeyComparison::BeginsWith(Value::String(format!("{}{text}", self.text))))
    }

    /// The condition for values of the next attribute between two ends. Whatever follows the
    /// attribute may be anything.
    pub fn range(
        &self,
        from: Bound<&Value>,
        to: Bound<&Value>,
    ) -> Result<KeyComparison, BoundError> {
        let part = self.next().ok_or(BoundError::NothingFollows)?;
        match part.encoding.form() {
            Form::NumberKey | Form::BinaryKey => whole_range(part, from, to),
            Form::Plain | Form::Hash(_) => Err(BoundError::Unordered { path: part.path.clone() }),
            _ if part.encoding.sorts_descending() => self.text_range(part, to, from),
            _ => self.text_range(part, from, to),
        }
    }

    fn text_range(
        &self,
        part: &AttributePart,
        lower: Bound<&Value>,
        upper: Bound<&Value>,
    ) -> Result<KeyComparison, BoundError> {
        if (lower, upper) == (Bound::Unbounded, Bound::Unbounded) {
            return Err(BoundError::Unbounded);
        }
        let lower = match (lower, part.presence) {
            // A key that ends before the part has no value of it.
            (Bound::Unbounded, Presence::Optional) => End::Excluded(self.text.clone()),
            (lower, _) => self.end(part, lower)?,
        };
        let range = KeyRange {
            prefix: &self.text,
            lower,
            upper: self.end(part, upper)?,
            follow: self.follow(),
            fixed_width: part.encoding.form().fixed_width().is_some(),
        };
        range.condition().ok_or_else(|| {
            if range.is_reversed() {
                BoundError::Reversed
            } else {
                BoundError::ExcludedEnd { path: part.path.clone() }
            }
        })
    }

    fn end(&self, part: &AttributePart, end: Bound<&Value>) -> Result<End, BoundError> {
        let text = |value: &Value| match (part.encoding.form(), value) {
            (Form::Text(_), Value::Number(_)) => {
                Err(BoundError::Unordered { path: part.path.clone() })
            }
            _ => Ok(self.text.clone() + &part.encode(value, self.template.delimiter())?),
        };
        Ok(match end {
            Bound::Unbounded => End::Open,
            Bound::Included(value) => End::Included(text(value)?),
            Bound::Excluded(value) => End::Excluded(text(value)?),
        })
    }

    /// What follows the next attribute: nothing, or something that may begin with a literal.
    fn follow(&self) -> Option<&'a str> {
        self.template.segments().get(self.segments + 1).map(|segment| match segment {
            Segment::Literal(text) => text.as_str(),
            Segment::Attribute(_) | Segment::Shard(_) => "",
        })
    }
}

impl AttributePart {
    /// What the part's text begins with if the value begins so; nothing if that does not follow.
    /// Of a text that is cut it is no more than what is left of it.
    pub fn beginning(&self, beginning: &str, delimiter: Delimiter) -> Option<String> {
        match self.encoding.form() {
            Form::Text(form) => {
                let text = form.normalise(beginning);
                let keeps_beginning = |step: &TextStep| match step {
                    TextStep::Fold | TextStep::Upper | TextStep::Slug | TextStep::Snake => true,
                    TextStep::First(_) => true,
                    // A run of digits at the end may go on, and then be padded less.
                    TextStep::Digits(_) => !text.ends_with(|last: char| last.is_ascii_digit()),
                    TextStep::Reversed => false,
                };
                if !form.steps.iter().all(keeps_beginning) {
                    return None;
                }
                Some(match form.escaping {
                    Escaping::Delimiter => delimiter.escape_text(&text),
                    Escaping::Verbatim => text,
                })
            }
            Form::Time(_) | Form::YearFirst | Form::Identifier(_) | Form::Enumeration(_) => {
                Some(self.encoding.turn(beginning.to_owned()))
            }
            Form::Plain | Form::Number(_) | Form::Hash(_) | Form::Bool => None,
            Form::NumberKey | Form::BinaryKey => None,
        }
    }
}

/// The condition on a key that is the attribute itself.
fn whole_range(
    part: &AttributePart,
    from: Bound<&Value>,
    to: Bound<&Value>,
) -> Result<KeyComparison, BoundError> {
    let excluded = || BoundError::ExcludedEnd { path: part.path.clone() };
    match (from, to) {
        (Bound::Unbounded, Bound::Unbounded) => Err(BoundError::Unbounded),
        (Bound::Included(a), Bound::Included(b)) => {
            Ok(KeyComparison::Between(a.clone(), b.clone()))
        }
        (Bound::Included(a), Bound::Unbounded) => Ok(KeyComparison::GreaterOrEqual(a.clone())),
        (Bound::Excluded(a), Bound::Unbounded) => Ok(KeyComparison::Greater(a.clone())),
        (Bound::Unbounded, Bound::Included(b)) => Ok(KeyComparison::LessOrEqual(b.clone())),
        (Bound::Unbounded, Bound::Excluded(b)) => Ok(KeyComparison::Less(b.clone())),
        (Bound::Excluded(_), _) | (_, Bound::Excluded(_)) => Err(excluded()),
    }
}
