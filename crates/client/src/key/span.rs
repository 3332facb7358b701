//! Collections read from the first of their members' sort keys to the last.
//!
//! What lies in the partition before and after is not read. Each member's sort key has a condition
//! as in a query of that member alone; the span is the least range that covers all of them.

use std::ops::{Bound, RangeBounds};

use monotable_expr::KeyComparison;
use monotable_item::{Item, Value};
use monotable_model::template::{Template, after_all};

use super::selection::{SortRange, all_parts, key_error};
use super::{Selection, add_part};
use crate::attribute::{Attribute, ValueOf};
use crate::column::Column;
use crate::entity::{Entity, Pattern};
use crate::error::Error;
use crate::schema::{EntitySchema, PatternSchema};

/// The texts between which sort keys lie: from one on, and up to one.
type Ends = (Option<String>, Option<String>);

impl<P: Pattern> Selection<P> {
    /// Reads a collection from the first of its members' sort keys to the last.
    #[must_use]
    pub fn span(mut self) -> Selection<P> {
        self.span = Some(P::schema().members.clone());
        self
    }

    /// Reads a collection from the first sort key of this entity to the last. Called several times,
    /// it covers all of these entities.
    #[must_use]
    pub fn span_of<E: Entity>(mut self) -> Selection<P> {
        self.span.get_or_insert_default().push(E::schema());
        self
    }

    /// Gives a part of the key: the next of the sort key, or what the shard follows from.
    #[must_use]
    pub fn with<E: Entity, T: Attribute, Role>(
        mut self,
        column: Column<E, T, Role>,
        value: impl ValueOf<T>,
    ) -> Selection<P> {
        add_part(&mut self.parts, field_of(E::schema(), column.name()), value.value_of());
        self
    }

    /// Selects what has the next part of the sort key in a range, such as `from..=to`.
    #[must_use]
    pub fn within<E: Entity, T: Attribute, Role, V: ValueOf<T> + Clone>(
        mut self,
        _: Column<E, T, Role>,
        range: impl RangeBounds<V>,
    ) -> Selection<P> {
        let end = |end: Bound<&V>| match end {
            Bound::Included(value) => value.clone().value_of().map(Bound::Included),
            Bound::Excluded(value) => value.clone().value_of().map(Bound::Excluded),
            Bound::Unbounded => None,
        };
        let (from, to) = (end(range.start_bound()), end(range.end_bound()));
        let (from, to) = (from.unwrap_or(Bound::Unbounded), to.unwrap_or(Bound::Unbounded));
        self.range = Some(SortRange::Between(from, to));
        self
    }

    /// Selects what has a next part of the sort key that begins with a text.
    #[must_use]
    pub fn beginning<E: Entity, T: Attribute, Role>(
        mut self,
        _: Column<E, T, Role>,
        beginning: &str,
    ) -> Selection<P> {
        self.range = Some(SortRange::Begins(beginning.to_owned()));
        self
    }

    /// The one condition on the sort key; none where a member can lie anywhere.
    pub(super) fn span_condition(
        &self,
        schema: &PatternSchema,
        members: &[&'static EntitySchema],
    ) -> Result<Vec<(String, KeyComparison)>, Error> {
        let [attribute] = <[String; 1]>::try_from(schema.sort_names()).unwrap_or_default();
        let mut conditions = Vec::new();
        for &member in members {
            conditions.extend(self.member_condition(schema, member, &attribute)?);
        }
        let condition = match conditions.as_slice() {
            [] => None,
            [first, others @ ..] if others.iter().all(|it| it == first) => first.clone(),
            all => hull(all),
        };
        Ok(condition.map(|it| (attribute, it)).into_iter().collect())
    }

    /// The condition that a query of this member alone would have. A collection's parts are called
    /// as in its template, so they get the member's own names first.
    fn member_condition(
        &self,
        schema: &PatternSchema,
        member: &'static EntitySchema,
        attribute: &str,
    ) -> Result<Option<Option<KeyComparison>>, Error> {
        let Some(keys) = schema.keys_of(member) else { return Ok(None) };
        let Some(sort) = keys.sort.first() else { return Ok(None) };
        let mut parts = all_parts(&self.parts, &self.coarse);
        for ((_, template), own) in schema.partition.iter().zip(&keys.partition) {
            rename(&mut parts, template, own);
        }
        let partial = sort.partial(&parts).map_err(|it| key_error(schema, attribute, it))?;
        if partial.is_whole() {
            return Ok(Some(partial.condition()));
        }
        self.open_condition(schema, &partial).map(Some)
    }
}

fn rename(parts: &mut Item, template: &Template, own: &Template) {
    for (part, own) in template.attributes().zip(own.attributes()) {
        if let Some(value) = parts.get(&part.path.root).cloned() {
            parts.entry(own.path.root.clone()).or_insert(value);
        }
    }
}

fn field_of(schema: &'static EntitySchema, stored_name: &'static str) -> &'static str {
    let field = schema.definition.attributes.iter().find(|it| it.stored_name == stored_name);
    field.map_or(stored_name, |field| field.name)
}

/// The least range that covers all of these.
fn hull(conditions: &[Option<KeyComparison>]) -> Option<KeyComparison> {
    let mut hull: Option<Ends> = None;
    for condition in conditions {
        let (from, to) = ends(condition.as_ref()?)?;
        hull = Some(match hull {
            None => (from, to),
            Some((lowest, highest)) => (
                lowest.zip(from).map(|(one, other)| one.min(other)),
                highest.zip(to).map(|(one, other)| one.max(other)),
            ),
        });
    }
    match hull? {
        (Some(from), Some(to)) => {
            Some(KeyComparison::Between(Value::String(from), Value::String(to)))
        }
        (Some(from), None) => Some(KeyComparison::GreaterOrEqual(Value::String(from))),
        (None, Some(to)) => Some(KeyComparison::LessOrEqual(Value::String(to))),
        (None, None) => None,
    }
}

/// The ends of a condition on texts. The text after all that begin alike is no key, so that it
/// does no harm to include it.
fn ends(condition: &KeyComparison) -> Option<Ends> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    Some(match condition {
        KeyComparison::Equal(value) => (Some(text(value)?), Some(text(value)?)),
        KeyComparison::BeginsWith(value) => {
            let beginning = text(value)?;
            (Some(beginning.clone()), Some(after_all(&beginning)))
        }
        KeyComparison::Between(from, to) => (Some(text(from)?), Some(text(to)?)),
        KeyComparison::Greater(value) | KeyComparison::GreaterOrEqual(value) => {
            (Some(text(value)?), None)
        }
        KeyComparison::Less(value) | KeyComparison::LessOrEqual(value) => {
            (None, Some(text(value)?))
        }
        KeyComparison::NotIndexable => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begins(text: &str) -> Option<KeyComparison> {
        Some(KeyComparison::BeginsWith(Value::from(text)))
    }

    #[test]
    fn a_span_goes_from_the_first_member_to_the_last() {
        let customer = Some(KeyComparison::Equal(Value::from("CUSTOMER#1")));
        let span = hull(&[customer, begins("ORDER#")]);
        let (from, to) = (Value::from("CUSTOMER#1"), Value::from("ORDER$"));
        assert_eq!(span, Some(KeyComparison::Between(from, to)));
    }

    #[test]
    fn a_member_that_can_lie_anywhere_leaves_no_condition() {
        assert_eq!(hull(&[begins("ORDER#"), None]), None);
    }
}
