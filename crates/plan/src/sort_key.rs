//! Sort keys: the interval in which an entity's wanted items lie.

use monotable_model::document::{Range, RangeComparison, Source};
use monotable_model::template::{
    AttributePart, Form, Presence, Segment, Template, TextStep, TimeForm,
};

use super::bindings::Bindings;
use super::interval::{Closure, Interval, Limit};
use super::key_text::{KeyText, Piece};
use super::partition::known_piece;

/// What is known of one sort key attribute of an entity.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortKey {
    /// Where the items lie.
    pub(super) interval: Interval,
    /// What is known of the key.
    pub(super) known: KeyText,
    /// How many segments of the template that is.
    pub(super) segments: usize,
    /// The attributes that the interval makes use of.
    pub(super) uses: Vec<String>,
    /// How far the interval makes use of the range.
    pub(super) range_use: RangeUse,
    /// The text up to the last value and one character more. Whatever begins with it has the known
    /// values; literals that follow are in every key.
    pub(super) core: KeyText,
    /// The attribute that follows what is known.
    pub(super) next: Option<String>,
    /// Why a range of the next attribute is of no use.
    pub(super) fault: Option<RangeFault>,
}

/// How far an interval makes use of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RangeUse {
    /// Not at all.
    None,
    /// The keys hold only the period of a time or the beginning of a text, so that all of the
    /// first and the last lies inside.
    Coarse,
    /// Nothing else lies inside.
    Exact,
}

/// Why a range of the attribute that comes next is of no use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeFault {
    /// The part does not sort by value.
    Unordered,
    /// The beginning of a value is not the beginning of its part.
    NoBeginning,
}

/// The interval of the items of which these attributes, and a range of another, are known.
pub(super) fn sort_key(template: &Template, bindings: &Bindings, range: Option<&Range>) -> SortKey {
    let mut key = known_key(template, bindings);
    let mut rest = template.segments().iter().skip(key.segments);
    let part = rest.next().and_then(Segment::attribute);
    key.next = part.map(|part| part.path.to_string());
    if let (Some(part), Some(range)) = (part, range.filter(|range| names(range, part))) {
        let known = key.known.clone();
        let ranged = Ranged { known: &known, part, follow: rest.next() };
        match ranged.interval(&range.comparison) {
            Ok(interval) => {
                key.interval = interval;
                key.range_use = if ranged.is_coarse() { RangeUse::Coarse } else { RangeUse::Exact };
            }
            Err(fault) => key.fault = Some(fault),
        }
    }
    key
}

/// The interval of the items of which only whole attributes are known.
fn known_key(template: &Template, bindings: &Bindings) -> SortKey {
    let mut known = KeyText::empty(template.delimiter());
    let mut uses = Vec::new();
    let mut segments = 0;
    for segment in template.segments() {
        let Some(piece) = known_piece(segment, bindings) else { break };
        known = known.with(piece);
        uses.extend(segment.paths().iter().map(|path| path.root.clone()));
        segments += 1;
    }
    let is_whole = segments == template.segments().len();
    SortKey {
        interval: if is_whole {
            Interval::exactly(known.clone())
        } else {
            Interval::beginning(known.clone())
        },
        core: core(&known),
        known,
        segments,
        uses,
        range_use: RangeUse::None,
        next: None,
        fault: None,
    }
}

fn names(range: &Range, part: Option<&AttributePart>) -> bool {
    part.is_some_and(|part| part.path.to_string() == range.attribute)
}

/// The text up to the last value, and the first character after it. Without one, only a value of
/// fixed width has an end.
fn core(known: &KeyText) -> KeyText {
    let mut text = KeyText::empty(known.delimiter());
    let mut core = text.clone();
    let mut after_value = false;
    for piece in known.pieces() {
        if let (Piece::Literal(literal), true) = (piece, after_value) {
            core = text.with(Piece::Literal(literal.chars().take(1).collect()));
        }
        text = text.with(piece.clone());
        after_value = !matches!(piece, Piece::Literal(_));
        if has_width(piece) {
            core = text.clone();
        }
    }
    if after_value && core != text { KeyText::empty(known.delimiter()) } else { core }
}

fn has_width(piece: &Piece) -> bool {
    match piece {
        Piece::Value { part, .. } | Piece::EachPeriod { part } => {
            part.encoding.form().fixed_width().is_some()
        }
        Piece::Shard { shard, .. } | Piece::EachShard(shard) => {
            Segment::Shard(shard.clone()).fixed_width().is_some()
        }
        Piece::Literal(_) | Piece::Beginning { .. } => false,
    }
}

/// A range of the part that comes next.
struct Ranged<'a> {
    known: &'a KeyText,
    part: &'a AttributePart,
    /// What comes after the part.
    follow: Option<&'a Segment>,
}

impl Ranged<'_> {
    fn interval(&self, comparison: &RangeComparison) -> Result<Interval, RangeFault> {
        if let RangeComparison::BeginsWith(source) = comparison {
            return self.beginning(source);
        }
        if !is_ordered(self.part) {
            return Err(RangeFault::Unordered);
        }
        let (from, to) = ends(comparison);
        let (from, to) =
            if self.part.encoding.sorts_descending() { (to, from) } else { (from, to) };
        let all = Interval::beginning(self.known.clone());
        Ok(Interval {
            lower: from.map_or_else(|| self.open_lower(all.lower), |end| Some(self.lower(end))),
            upper: to.map_or(all.upper, |end| Some(self.upper(end))),
        })
    }

    fn beginning(&self, source: &Source) -> Result<Interval, RangeFault> {
        let can_begin = self.part.beginning("", self.known.delimiter()).is_some();
        if !can_begin {
            return Err(RangeFault::NoBeginning);
        }
        let piece = Piece::Beginning { part: self.part.clone(), source: source.clone() };
        Ok(Interval::beginning(self.known.with(piece)))
    }

    /// Returns whether keys hold less than the value.
    fn is_coarse(&self) -> bool {
        match self.part.encoding.form() {
            Form::Time(TimeForm::Bucket(..)) => true,
            Form::Text(form) => form.first().is_some(),
            _ => false,
        }
    }

    /// Where a range without a lower end begins. A key that ends before an optional part has no
    /// value of it.
    fn open_lower(&self, of_all: Option<Limit>) -> Option<Limit> {
        match self.part.presence {
            Presence::Required => of_all,
            Presence::Optional => Some(Limit::at(self.known.clone(), Closure::Excluded)),
        }
    }

    fn lower(&self, end: End<'_>) -> Limit {
        let text = self.text(end.source);
        match (end.is_included || self.is_coarse(), self.follow) {
            (true, _) => Limit::at(text, Closure::Included),
            (false, None) => Limit::at(text, Closure::Excluded),
            (false, Some(follow)) => Limit::after_all(followed(text, follow)),
        }
    }

    fn upper(&self, end: End<'_>) -> Limit {
        let text = self.text(end.source);
        let has_width = self.part.encoding.form().fixed_width().is_some();
        match (end.is_included || self.is_coarse(), self.follow) {
            (true, None) => Limit::at(text, Closure::Included),
            (true, Some(follow)) => Limit::after_all(followed(text, follow)),
            (false, Some(_)) => Limit::at(text, Closure::Vacant),
            (false, None) if has_width => Limit::at(text, Closure::ExcludedAtWidth),
            (false, None) => Limit::at(text, Closure::Excluded),
        }
    }

    fn text(&self, source: &Source) -> KeyText {
        self.known.with(Piece::Value { part: self.part.clone(), source: source.clone() })
    }
}

/// The text with the literal that comes after it, if one does.
fn followed(text: KeyText, follow: &Segment) -> KeyText {
    match follow {
        Segment::Literal(literal) => text.with(Piece::Literal(literal.clone())),
        Segment::Attribute(_) | Segment::Shard(_) => text,
    }
}

#[derive(Clone, Copy)]
struct End<'a> {
    source: &'a Source,
    is_included: bool,
}

fn ends(comparison: &RangeComparison) -> (Option<End<'_>>, Option<End<'_>>) {
    let included = |source| Some(End { source, is_included: true });
    let excluded = |source| Some(End { source, is_included: false });
    match comparison {
        RangeComparison::Less(source) => (None, excluded(source)),
        RangeComparison::LessOrEqual(source) => (None, included(source)),
        RangeComparison::Greater(source) => (excluded(source), None),
        RangeComparison::GreaterOrEqual(source) => (included(source), None),
        RangeComparison::Between(from, to) => (included(from), included(to)),
        RangeComparison::BeginsWith(_) => (None, None),
    }
}

/// Returns whether texts of the part sort by value.
fn is_ordered(part: &AttributePart) -> bool {
    match part.encoding.form() {
        Form::Plain | Form::Hash(_) => false,
        Form::Text(form) => !form.steps.contains(&TextStep::Reversed),
        Form::Number(_)
        | Form::Time(_)
        | Form::YearFirst
        | Form::Identifier(_)
        | Form::Enumeration(_)
        | Form::Bool
        | Form::NumberKey
        | Form::BinaryKey => true,
    }
}
