//! The one comparison that a key condition has for the sort key.

use std::fmt;

use monotable_expr::KeyComparison;
use monotable_item::Value;
use monotable_model::template::{after_all, before};

use super::fill::{Arguments, FillError};
use super::interval::{Closure, Edge, Interval, Limit};
use super::key_text::KeyText;

/// A comparison with the sort key.
#[derive(Debug, Clone, PartialEq)]
pub enum SortCondition {
    /// `=`
    Equal(KeyText),
    /// `begins_with`
    BeginsWith(KeyText),
    /// `<`
    Less(KeyEnd),
    /// `<=`
    LessOrEqual(KeyEnd),
    /// `>`
    Greater(KeyEnd),
    /// `>=`
    GreaterOrEqual(KeyEnd),
    /// `BETWEEN`, both ends included.
    Between(KeyEnd, KeyEnd),
}

/// A text that is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyEnd {
    /// The text that it is made of.
    pub text: KeyText,
    /// How it is made.
    pub offset: Offset,
}

/// How the text that is compared with comes from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offset {
    /// It is the text itself.
    None,
    /// The least text after all that begin with it: `ORDER#` gives `ORDER$`.
    AfterAll,
    /// The least text after it.
    Next,
    /// A text between it and all others of its width that are before it.
    Previous,
}

impl SortCondition {
    /// The condition for an interval that is not everything, or nothing if there is none.
    pub(super) fn of_interval(interval: &Interval) -> Option<SortCondition> {
        if let Some(text) = interval.single() {
            return Some(SortCondition::Equal(text.clone()));
        }
        if let Some(text) = interval.prefix() {
            return Some(SortCondition::BeginsWith(text.clone()));
        }
        match (&interval.lower, &interval.upper) {
            (None, None) => None,
            (Some(lower), None) => Some(from(lower)),
            (None, Some(upper)) => Some(to(upper)),
            (Some(lower), Some(upper)) => Some(SortCondition::Between(first(lower), last(upper)?)),
        }
    }

    /// How many words it takes, for choosing between conditions that return the same.
    pub(super) fn complexity(&self) -> usize {
        match self {
            SortCondition::Equal(_) => 1,
            SortCondition::BeginsWith(_) => 2,
            SortCondition::Less(_)
            | SortCondition::LessOrEqual(_)
            | SortCondition::Greater(_)
            | SortCondition::GreaterOrEqual(_) => 3,
            SortCondition::Between(..) => 4,
        }
    }

    /// The comparison with all values put in.
    pub(super) fn fill(&self, arguments: &Arguments<'_>) -> Result<KeyComparison, FillError> {
        Ok(match self {
            SortCondition::Equal(text) => KeyComparison::Equal(text.fill(arguments)?),
            SortCondition::BeginsWith(text) => KeyComparison::BeginsWith(text.fill(arguments)?),
            SortCondition::Less(end) => KeyComparison::Less(end.fill(arguments)?),
            SortCondition::LessOrEqual(end) => KeyComparison::LessOrEqual(end.fill(arguments)?),
            SortCondition::Greater(end) => KeyComparison::Greater(end.fill(arguments)?),
            SortCondition::GreaterOrEqual(end) => {
                KeyComparison::GreaterOrEqual(end.fill(arguments)?)
            }
            SortCondition::Between(lower, upper) => {
                KeyComparison::Between(lower.fill(arguments)?, upper.fill(arguments)?)
            }
        })
    }

    /// The condition in words, for a key attribute.
    pub fn describe(&self, attribute: &str) -> String {
        match self {
            SortCondition::Equal(text) => format!("{attribute} = {text}"),
            SortCondition::BeginsWith(text) => format!("begins_with({attribute}, {text})"),
            SortCondition::Less(end) => format!("{attribute} < {end}"),
            SortCondition::LessOrEqual(end) => format!("{attribute} <= {end}"),
            SortCondition::Greater(end) => format!("{attribute} > {end}"),
            SortCondition::GreaterOrEqual(end) => format!("{attribute} >= {end}"),
            SortCondition::Between(lower, upper) => {
                format!("{attribute} BETWEEN {lower} AND {upper}")
            }
        }
    }
}

fn from(limit: &Limit) -> SortCondition {
    match (limit.edge, limit.closure) {
        (Edge::At, Closure::Excluded | Closure::ExcludedAtWidth) => {
            SortCondition::Greater(KeyEnd::new(limit, Offset::None))
        }
        (Edge::At, Closure::Included | Closure::Vacant) => {
            SortCondition::GreaterOrEqual(KeyEnd::new(limit, Offset::None))
        }
        (Edge::AfterAll, _) => SortCondition::GreaterOrEqual(KeyEnd::new(limit, Offset::AfterAll)),
    }
}

fn to(limit: &Limit) -> SortCondition {
    match (limit.edge, limit.closure) {
        (Edge::At, Closure::Included) => {
            SortCondition::LessOrEqual(KeyEnd::new(limit, Offset::None))
        }
        (Edge::At, Closure::Excluded | Closure::ExcludedAtWidth | Closure::Vacant) => {
            SortCondition::Less(KeyEnd::new(limit, Offset::None))
        }
        (Edge::AfterAll, _) => SortCondition::Less(KeyEnd::new(limit, Offset::AfterAll)),
    }
}

fn first(limit: &Limit) -> KeyEnd {
    let offset = match (limit.edge, limit.closure) {
        (Edge::AfterAll, _) => Offset::AfterAll,
        (Edge::At, Closure::Included | Closure::Vacant) => Offset::None,
        (Edge::At, Closure::Excluded | Closure::ExcludedAtWidth) => Offset::Next,
    };
    KeyEnd::new(limit, offset)
}

/// The last text that `BETWEEN` includes. A free text has none before another.
fn last(limit: &Limit) -> Option<KeyEnd> {
    let offset = match (limit.edge, limit.closure) {
        (Edge::AfterAll, _) => Offset::AfterAll,
        (Edge::At, Closure::Included | Closure::Vacant) => Offset::None,
        (Edge::At, Closure::ExcludedAtWidth) => Offset::Previous,
        (Edge::At, Closure::Excluded) => return None,
    };
    Some(KeyEnd::new(limit, offset))
}

impl KeyEnd {
    fn new(limit: &Limit, offset: Offset) -> KeyEnd {
        KeyEnd { text: limit.text.clone(), offset }
    }

    fn fill(&self, arguments: &Arguments<'_>) -> Result<Value, FillError> {
        Ok(match (self.text.fill(arguments)?, self.offset) {
            (Value::String(text), Offset::AfterAll) => Value::String(after_all(&text)),
            (Value::String(text), Offset::Next) => Value::String(text + "\0"),
            (Value::String(text), Offset::Previous) => {
                Value::String(before(&text).unwrap_or_default())
            }
            (value, _) => value,
        })
    }
}

impl fmt::Display for KeyEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.to_string();
        match self.offset {
            Offset::None => f.write_str(&text),
            Offset::AfterAll if text.ends_with('}') => write!(f, "{text}…"),
            Offset::AfterAll => f.write_str(&after_all(&text)),
            Offset::Next => write!(f, "just after {text}"),
            Offset::Previous => write!(f, "just before {text}"),
        }
    }
}
