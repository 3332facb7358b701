//! How many partition keys the items of an entity have, as far as the model says.

use monotable_item::Type;
use monotable_model::document::{Attribute, Entity, Index, Keys, Model, Table};
use monotable_model::template::{Form, Segment, Template, TimeForm};

use super::Subject;

/// The keys that an entity's items are spread over at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// How many.
    pub(super) keys: f64,
    /// Whether the key holds a period, so that what is written at one time is in one period.
    pub(super) is_period: bool,
}

/// The templates of an entity in a table or one of its indexes.
pub(super) fn keys_in<'m>(entity: &'m Entity, index: Option<&Index>) -> Option<&'m Keys> {
    match index {
        Some(index) => entity.index_key(&index.name).map(|keys| &keys.keys),
        None => entity.key.as_ref(),
    }
}

/// How many items of an entity a table or index holds, if the model says so.
pub(super) fn item_count(
    subject: &Subject<'_>,
    table: &Table,
    index: Option<&Index>,
    entity: &Entity,
) -> Option<f64> {
    let is_meant = |cost: &&monotable_plan::cost::EntityCost| {
        cost.name == entity.name && cost.table == table.name
    };
    let size = &subject.estimate.entities.iter().find(is_meant)?.size;
    let share = match index {
        Some(index) => size.entry(&index.name)?.share,
        None => 1.0,
    };
    Some(size.count? * share)
}

/// Over how many partition keys the items of an entity are spread at one time, if the model says
/// so.
pub(super) fn spread(
    subject: &Subject<'_>,
    table: &Table,
    index: Option<&Index>,
    entity: &Entity,
) -> Option<Spread> {
    let keys = keys_in(entity, index)?;
    let segments = || keys.partition.iter().flat_map(Template::segments);
    let is_period = segments().any(is_period);
    let product: Option<f64> = segments().map(|segment| values_of(entity, segment)).product();
    let items = item_count(subject, table, index, entity);
    let by_values =
        product.map(|product| items.map_or(product, |items| product.min(items.max(1.0))));
    let by_owner = || (!is_period).then(|| owners(subject, table, index, keys)).flatten();
    let keys = by_values.or_else(by_owner)?;
    Some(Spread { keys: keys.max(1.0), is_period })
}

/// How many different texts a segment has at one time, if the model says so.
fn values_of(entity: &Entity, segment: &Segment) -> Option<f64> {
    match segment {
        Segment::Literal(_) => Some(1.0),
        Segment::Shard(shard) => Some(f64::from(shard.count())),
        Segment::Attribute(_) if is_period(segment) => Some(1.0),
        Segment::Attribute(part) => distinct_values(entity.attribute(&part.path.root)?),
    }
}

/// How many values an attribute has, if the model says so.
pub(super) fn distinct_values(attribute: &Attribute) -> Option<f64> {
    let of_range = || {
        let (min, max) = (attribute.min.as_ref()?.to_i64()?, attribute.max.as_ref()?.to_i64()?);
        (attribute.kind == Type::Number && max >= min).then(|| (max - min) as f64 + 1.0)
    };
    match (attribute.values.len(), attribute.kind) {
        (0, Type::Bool) => Some(2.0),
        (0, _) => attribute.distinct.map(|distinct| distinct as f64).or_else(of_range),
        (count, _) => Some(count as f64),
    }
}

/// Whether a segment is the period that a time falls in.
pub(super) fn is_period(segment: &Segment) -> bool {
    let form = segment.attribute().map(|part| part.encoding.form());
    matches!(form, Some(Form::Time(TimeForm::Bucket(..))))
}

/// How many items have a partition of their own with keys of this form: a customer for each
/// `CUSTOMER#{name}`.
fn owners(subject: &Subject<'_>, table: &Table, index: Option<&Index>, keys: &Keys) -> Option<f64> {
    let model: &Model = subject.model;
    let in_same = model.entities_in(table).filter(|other| {
        keys_in(other, index)
            .is_some_and(|other| other.partition == keys.partition && is_alone(other))
    });
    let counts: Vec<f64> =
        in_same.filter_map(|other| item_count(subject, table, index, other)).collect();
    (!counts.is_empty()).then(|| counts.into_iter().sum())
}

/// Whether the partition key alone tells the item.
pub(super) fn is_alone(keys: &Keys) -> bool {
    let in_partition: Vec<_> = keys.partition.iter().flat_map(Template::paths).collect();
    let mut in_sort = keys.sort.iter().flat_map(Template::paths);
    in_sort.all(|path| in_partition.contains(&path))
}

/// The attribute that tells items of one partition apart, to calculate a shard from.
pub(super) fn telling_attribute(entity: &Entity) -> &str {
    let last = |templates: &'_ [Template]| {
        let paths = templates.iter().flat_map(Template::paths);
        paths.last().and_then(|path| entity.attribute(&path.root))
    };
    let keys = entity.key.as_ref();
    let found = keys.and_then(|keys| last(&keys.sort).or_else(|| last(&keys.partition)));
    found.map_or("id", |attribute| attribute.name.as_str())
}
