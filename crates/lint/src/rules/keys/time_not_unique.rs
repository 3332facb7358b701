//! A time that is all that tells items apart, and is the same for several of them.

use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{ActionKind, Attribute, AttributeFormat, Entity, Keys};
use monotable_model::template::{AttributePart, Bucket, Form, Template, TimeForm, TimeUnit};

use crate::Subject;
use crate::amount::amount;
use crate::cardinality::spread;
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
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.model.entities.iter().filter_map(|entity| judge(subject, entity)).collect()
}

fn judge(subject: &Subject<'_>, entity: &Entity) -> Option<Diagnostic> {
    let time = telling_time(entity, entity.key.as_ref()?)?;
    let table = subject.model.tables_of(entity).next()?;
    let keys = spread(subject, table, None, entity)?.keys;
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

/// The finest time of a key, if the items of a partition differ in times alone.
fn telling_time<'m>(entity: &'m Entity, keys: &'m Keys) -> Option<TimePart<'m>> {
    let parts = |templates: &'m [Template]| templates.iter().flat_map(Template::attributes);
    let time_of = |part: &'m AttributePart| {
        let seconds = resolution(part, entity.attribute(&part.path.root)?)?;
        Some(TimePart { part, seconds })
    };
    let partition: Vec<&str> = parts(&keys.partition).map(|part| part.path.root.as_str()).collect();
    let tells = |part: &&AttributePart| !partition.contains(&part.path.root.as_str());
    let is_time = |part: &'m AttributePart| time_of(part).is_some();
    let mut telling = parts(&keys.sort).filter(tells);
    if telling.any(|part| !is_time(part)) {
        return None;
    }
    let times = parts(&keys.sort).filter_map(time_of);
    times.min_by(|one, other| one.seconds.total_cmp(&other.seconds))
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
