//! A time that is all that tells items apart, and is the same for several of them.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Attribute, AttributeFormat, Entity, Keys};
use monotable_model::template::{
    AttributePart, Bucket, Form, Segment, Template, TimeForm, TimeUnit,
};

use crate::Subject;
use crate::amount::amount;
use crate::cardinality::{distinct_values, spread};
use crate::pattern_write::all_writes;
use crate::rule::{Rule, rule};
use crate::threshold::TIME_COLLISIONS;

pub(super) const RULE: Rule = rule!(
    "time-not-unique",
    Error,
    Keys,
    Model,
    "only a time tells items apart, and several are put within its resolution",
    check
);

/// A time in a key, and for how many seconds it stays the same.
struct TimePart<'m> {
    part: &'m AttributePart,
    seconds: f64,
    /// Whether it stands in the sort key, so that it tells the items of a partition apart.
    is_in_sort: bool,
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.entities.iter().filter_map(|entity| judge(subject, entity)).collect()
}

fn judge(subject: &Subject<'_>, entity: &Entity) -> Option<Diagnostic> {
    let own = entity.key.as_ref()?;
    let time = telling_time(entity, own)?;
    let table = subject.model.tables_of(entity).next()?;
    let keys = match spread(subject, table, None, entity) {
        Some(spread) if time.is_in_sort => spread.keys,
        Some(_) | None => values_beside_times(entity, own)?,
    };
    let rate = put_rate(subject, entity);
    let together = rate / keys * time.seconds;
    if together <= subject.threshold(&TIME_COLLISIONS) {
        return None;
    }
    let message = format!(
        "{} tells items of {} apart and nothing else does, and at {} puts a second {} have the \
         same key",
        time.part,
        entity.name,
        amount(rate),
        amount(together.max(2.0)),
    );
    let suggestion = "let an identifier follow the time, such as a ULID or a KSUID, which also \
                      sorts by time";
    let place = Place::entity(&entity.name).member("key");
    Some(Diagnostic::error(RULE.code, place, message).with_suggestion(suggestion))
}

/// The finest time of a key, if the items of a partition differ in times alone, or if the partition
/// key alone tells the item.
fn telling_time<'m>(entity: &'m Entity, keys: &'m Keys) -> Option<TimePart<'m>> {
    let parts = |templates: &'m [Template]| templates.iter().flat_map(Template::attributes);
    let time_of = |part: &'m AttributePart| {
        let seconds = resolution(part, entity.attribute(&part.path.root)?)?;
        Some(TimePart { part, seconds, is_in_sort: true })
    };
    let partition: Vec<&str> = parts(&keys.partition).map(|part| part.path.root.as_str()).collect();
    let tells = |part: &&AttributePart| !partition.contains(&part.path.root.as_str());
    let is_time = |part: &'m AttributePart| time_of(part).is_some();
    let mut telling = parts(&keys.sort).filter(tells);
    if telling.any(|part| !is_time(part)) {
        return None;
    }
    let in_partition = parts(&keys.partition).filter_map(time_of);
    let in_partition = in_partition.map(|time| TimePart { is_in_sort: false, ..time });
    let times = parts(&keys.sort).filter_map(time_of).chain(in_partition);
    times.min_by(|one, other| one.seconds.total_cmp(&other.seconds))
}

/// How many keys there are at one time, if the model says how many values everything else has.
fn values_beside_times(entity: &Entity, keys: &Keys) -> Option<f64> {
    let segments = keys.partition.iter().chain(&keys.sort).flat_map(Template::segments);
    let values = segments.map(|segment| match segment {
        Segment::Literal(_) => Some(1.0),
        Segment::Shard(shard) => Some(f64::from(shard.count())),
        Segment::Attribute(part) => {
            let attribute = entity.attribute(&part.path.root)?;
            let is_time = resolution(part, attribute).is_some();
            if is_time { Some(1.0) } else { distinct_values(attribute) }
        }
    });
    values.product()
}

/// For how many seconds a time in a key stays the same; nothing for what is no time, or one whose
/// resolution is not known.
fn resolution(part: &AttributePart, attribute: &Attribute) -> Option<f64> {
    let of_unit = |unit: TimeUnit| match unit {
        TimeUnit::Seconds => 1.0,
        TimeUnit::Millis => 1e-3,
        TimeUnit::Micros => 1e-6,
    };
    if let Form::Time(form) = part.encoding.form() {
        return match form {
            TimeForm::Timestamp(unit) => Some(of_unit(*unit)),
            TimeForm::Epoch(unit) => Some(of_unit(unit.unit())),
            TimeForm::Bucket(bucket, _) => Some(f64::from(bucket.longest_secs())),
        };
    }
    match attribute.format? {
        AttributeFormat::EpochSeconds => Some(1.0),
        AttributeFormat::EpochMillis => Some(1e-3),
        AttributeFormat::Date => Some(f64::from(Bucket::Day.longest_secs())),
        AttributeFormat::Rfc3339
        | AttributeFormat::Email
        | AttributeFormat::Ksuid
        | AttributeFormat::Ulid
        | AttributeFormat::Uuid
        | AttributeFormat::UuidV7 => None,
    }
}

/// How many items of an entity are put in a second, at the peak if the model says it.
fn put_rate(subject: &Subject<'_>, entity: &Entity) -> f64 {
    let peak = subject.model.workload.peak_factor.unwrap_or(1.0);
    let rate = |name: &str| {
        let cost = subject.estimate.patterns.iter().find(|cost| cost.name == name);
        cost.and_then(|cost| cost.rate).unwrap_or(0.0)
    };
    let puts = all_writes(subject.model)
        .into_iter()
        .filter(|write| write.kind == ActionKind::Put && write.entity.name == entity.name);
    puts.map(|write| rate(&write.pattern.name) * peak).sum()
}
