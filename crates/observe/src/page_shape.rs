//! The queries and scans that access patterns make, in the form in which they arrive.
//!
//! A query is a pattern's if it asks the same table or index for a partition key of the same form,
//! and for the same part of the sort key. The same part can be asked for in several ways:
//! `begins_with` `ORDER#` and between `ORDER#` and `ORDER$` are one. Filters, the order, the limit
//! and the projection tell patterns apart that are equal up to there.

use monotable_item::Value;
use monotable_model::document::{Entity, Order, Source};
use monotable_model::template::Segment;
use monotable_plan::{
    FilterPlan, KeyText, Offset, Piece, PlannedAction, PlannedRequest, QueryPlan, SortCondition,
};

use crate::call::{Comparison, KeyBytes, PageCall, SortAsked};
use crate::key_form::{FormPiece, KeyForm};
use crate::shape::{same_names, same_projection, stored_names};

/// A query or scan that a pattern makes.
#[derive(Debug)]
pub(crate) struct PageShape {
    pub(crate) pattern: u16,
    index: Option<String>,
    /// None for a scan.
    query: Option<QueryShape>,
    filter: Vec<String>,
    projection: Option<Vec<String>>,
    has_limit: bool,
    is_descending: bool,
}

#[derive(Debug)]
struct QueryShape {
    partition: Vec<KeyForm>,
    leading: Vec<KeyForm>,
    sort: Option<SortShape>,
}

#[derive(Debug)]
struct SortShape {
    comparison: Comparison,
    value: EndShape,
    upper: Option<EndShape>,
}

/// A text that a sort key is compared with.
#[derive(Debug)]
struct EndShape {
    form: KeyForm,
    /// Whether it is the text itself, and not one beside it.
    is_exact: bool,
}

impl PageShape {
    /// The shapes of a planned query or scan: two, if its range may be left out.
    pub(crate) fn all(
        pattern: u16,
        request: &PlannedRequest,
        entities: &[&Entity],
    ) -> Vec<PageShape> {
        let without = request.without_range.as_deref();
        let requests = std::iter::once(request).chain(without);
        requests.filter_map(|request| PageShape::new(pattern, request, entities)).collect()
    }

    fn new(pattern: u16, request: &PlannedRequest, entities: &[&Entity]) -> Option<PageShape> {
        let (query, filter, project, is_descending, limit) = match &request.action {
            PlannedAction::Query(plan) => {
                let is_descending = plan.order == Order::Descending;
                (
                    Some(QueryShape::new(plan)),
                    &plan.filter,
                    &plan.project,
                    is_descending,
                    plan.limit,
                )
            }
            PlannedAction::Scan(plan) => (None, &plan.filter, &plan.project, false, plan.limit),
            PlannedAction::Get(_)
            | PlannedAction::Put(_)
            | PlannedAction::Update(_)
            | PlannedAction::Delete(_)
            | PlannedAction::Check(_)
            | PlannedAction::Fetch
            | PlannedAction::BatchGet(_)
            | PlannedAction::BatchWrite(_)
            | PlannedAction::TransactGet(_)
            | PlannedAction::TransactWrite(_) => return None,
        };
        let entity = entities.first();
        let names = |expression| entity.map(|entity| stored_names(expression, entity));
        Some(PageShape {
            pattern,
            index: request.target.index.clone(),
            query,
            filter: filter_names(filter, entity.copied()),
            projection: project.as_ref().and_then(names),
            has_limit: limit.is_some(),
            is_descending,
        })
    }

    /// How much a request is like this one; nothing if it is another.
    pub(crate) fn likeness(&self, call: &PageCall<'_>) -> Option<u32> {
        if self.index.as_deref() != call.index {
            return None;
        }
        let keys = match (&self.query, call.partition) {
            (None, None) => 0,
            (Some(query), Some(partition)) => query.likeness(partition, call)?,
            (Some(_), None) | (None, Some(_)) => return None,
        };
        let paths = call.filter.map(|filter| filter.paths()).unwrap_or_default();
        let same_filter = same_names(&self.filter, &paths);
        let same_projection = same_projection(self.projection.as_deref(), call.projection);
        let likeness = keys
            + 8 * u32::from(same_filter)
            + 4 * u32::from(self.is_descending == call.is_descending)
            + 2 * u32::from(self.has_limit == call.has_limit)
            + u32::from(same_projection);
        Some(likeness)
    }
}

impl QueryShape {
    fn new(plan: &QueryPlan) -> QueryShape {
        QueryShape {
            partition: plan.partition.iter().map(|part| key_form(&part.text)).collect(),
            leading: plan.leading.iter().map(|part| key_form(&part.text)).collect(),
            sort: plan.sort.as_ref().map(|(_, condition)| SortShape::new(condition)),
        }
    }

    fn likeness(&self, partition: &[Value], call: &PageCall<'_>) -> Option<u32> {
        let matches = |forms: &[KeyForm], values: &[Value]| {
            let pairs = forms.iter().zip(values);
            pairs.into_iter().all(|(form, value)| has_form(form, value))
        };
        if self.partition.len() != partition.len() || !matches(&self.partition, partition) {
            return None;
        }
        let equal = call.sort_equal;
        if equal.len() < self.leading.len() || !matches(&self.leading, equal) {
            return None;
        }
        let asked = match (equal.get(self.leading.len()..), call.sort) {
            (Some([]) | None, asked) => asked,
            (Some([value]), None) => {
                Some(SortAsked { comparison: Comparison::Equal, value, upper: None })
            }
            (Some(_), _) => return None,
        };
        match (&self.sort, asked) {
            (None, None) => Some(64),
            (Some(sort), Some(asked)) => sort.likeness(&asked),
            (Some(_), None) | (None, Some(_)) => None,
        }
    }
}

impl SortShape {
    fn new(condition: &SortCondition) -> SortShape {
        let whole = |text: &KeyText| EndShape { form: key_form(text), is_exact: true };
        let end = |end: &monotable_plan::KeyEnd| EndShape {
            form: key_form(&end.text),
            is_exact: end.offset == Offset::None,
        };
        let of = |comparison, value| SortShape { comparison, value, upper: None };
        match condition {
            SortCondition::Equal(text) => of(Comparison::Equal, whole(text)),
            SortCondition::BeginsWith(text) => of(Comparison::BeginsWith, whole(text)),
            SortCondition::Less(text) | SortCondition::LessOrEqual(text) => {
                of(Comparison::Before, end(text))
            }
            SortCondition::Greater(text) | SortCondition::GreaterOrEqual(text) => {
                of(Comparison::After, end(text))
            }
            SortCondition::Between(from, to) => {
                SortShape { upper: Some(end(to)), ..of(Comparison::Between, end(from)) }
            }
        }
    }

    fn likeness(&self, asked: &SortAsked<'_>) -> Option<u32> {
        match (self.comparison, asked.comparison) {
            (Comparison::Between, Comparison::Between) => {
                let lower = self.value.likeness(asked.value)?;
                let upper = self.upper.as_ref()?.likeness(asked.upper?)?;
                Some(32 + lower + upper)
            }
            // All that begins with a text lies between it and the text after all of them.
            (Comparison::BeginsWith, Comparison::Between) => {
                let is_end = is_end_of(text_of(asked.value)?, text_of(asked.upper?)?);
                (has_form(&self.value.form, asked.value) && is_end).then_some(48)
            }
            (Comparison::Between, Comparison::BeginsWith) => {
                let upper = self.upper.as_ref()?;
                let is_prefix = !upper.is_exact && has_form(&self.value.form, asked.value);
                is_prefix.then_some(48)
            }
            (Comparison::Before, Comparison::Before) | (Comparison::After, Comparison::After) => {
                Some(48 + self.value.likeness(asked.value)?)
            }
            // What is asked for itself has the form, and is not only near to it.
            (Comparison::Equal, Comparison::Equal)
            | (Comparison::BeginsWith, Comparison::BeginsWith) => {
                Some(48 + self.value.form_likeness(asked.value)?)
            }
            (_, _) => None,
        }
    }
}

impl EndShape {
    /// How much a value is like the text itself. Any text has the form of a beginning, so a form is
    /// more like it the more it says before that.
    fn form_likeness(&self, value: &Value) -> Option<u32> {
        has_form(&self.form, value).then(|| match self.form.parts_before_open_end() {
            Some(parts) => 4 + u32::try_from(parts.min(3)).unwrap_or(3),
            None => 8,
        })
    }

    /// How much a value is like the end of a range, which may lie beside the text.
    fn likeness(&self, value: &Value) -> Option<u32> {
        if let Some(likeness) = self.form_likeness(value) {
            return Some(likeness);
        }
        let is_near = match text_of(value) {
            Some(text) => self.form.begins_like(text),
            None => false,
        };
        (is_near || !self.is_exact && text_of(value).is_none()).then_some(0)
    }
}

/// Returns whether a text is written to come after all that begin with another one: its last byte
/// is raised, or a letter follows that sorts late.
fn is_end_of(beginning: &[u8], text: &[u8]) -> bool {
    let is_raised = match (beginning.split_last(), text.split_last()) {
        (Some((last, before)), Some((raised, same))) => {
            before == same && last.checked_add(1) == Some(*raised)
        }
        (None, _) | (_, None) => false,
    };
    let more = text.strip_prefix(beginning).and_then(<[u8]>::first);
    is_raised || more.is_some_and(|byte| *byte >= b'z')
}

fn has_form(form: &KeyForm, value: &Value) -> bool {
    KeyBytes::of_value(value).is_some_and(|value| form.matches(value))
}

fn text_of(value: &Value) -> Option<&[u8]> {
    match KeyBytes::of_value(value)? {
        KeyBytes::Text(text) => Some(text),
        KeyBytes::Number(_) | KeyBytes::Binary(_) => None,
    }
}

/// The attributes that a filter asks about, by their names in items.
fn filter_names(filter: &FilterPlan, entity: Option<&Entity>) -> Vec<String> {
    let declared = filter.declared.as_ref().zip(entity);
    let mut names = declared.map(|(declared, entity)| stored_names(declared, entity));
    let names = names.get_or_insert_default();
    names.extend(filter.added.iter().map(|added| added.attribute.clone()));
    std::mem::take(names)
}

/// The form of the keys that a key text stands for.
pub(crate) fn key_form(text: &KeyText) -> KeyForm {
    let mut pieces: Vec<FormPiece> = Vec::new();
    for piece in text.pieces() {
        let piece = match piece {
            Piece::Literal(literal) => FormPiece::Segment(Segment::Literal(literal.clone())),
            Piece::Value { part, source: Source::Literal(value) } => {
                match part.encode(value, text.delimiter()) {
                    Ok(written) => FormPiece::Segment(Segment::Literal(written)),
                    Err(_) => FormPiece::Segment(Segment::Attribute(part.clone())),
                }
            }
            Piece::Value { part, .. } | Piece::EachPeriod { part } => {
                FormPiece::Segment(Segment::Attribute(part.clone()))
            }
            Piece::Beginning { .. } => FormPiece::Beginning,
            Piece::Shard { shard, .. } | Piece::EachShard(shard) => {
                FormPiece::Segment(Segment::Shard(shard.clone()))
            }
        };
        pieces.push(piece);
    }
    KeyForm::new(text.delimiter(), &joined(pieces))
}

/// Literals that follow each other become one.
fn joined(pieces: Vec<FormPiece>) -> Vec<FormPiece> {
    let mut joined: Vec<FormPiece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (
                Some(FormPiece::Segment(Segment::Literal(before))),
                FormPiece::Segment(Segment::Literal(text)),
            ) => before.push_str(&text),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

/// Returns whether the pattern itself fixes a value in a key.
pub(crate) fn has_literal_value(text: &KeyText) -> bool {
    let is_fixed = |piece: &Piece| matches!(piece, Piece::Value { source: Source::Literal(_), .. });
    text.pieces().iter().any(is_fixed)
}
