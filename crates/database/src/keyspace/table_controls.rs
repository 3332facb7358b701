//! What records of tables and streams say about tags, policies, insights, and changes that are
//! under way.
//!
//! All of it is left out where there is none, so that a record from before there was any reads as
//! one without.

use std::collections::BTreeMap;

use monotable_item::{Item, Value};

use super::record::{Codes, Record};
use crate::attached_policy::AttachedPolicy;
use crate::error::CorruptRecord;
use crate::insights::{Insights, InsightsMode};
use crate::schema::{Throughput, Warm};
use crate::status::{
    IndexTransition, IndexTransitionKind, Transition, TransitionKind, Undertaking,
};

pub(super) fn tags(tags: &BTreeMap<String, String>) -> Option<Value> {
    let pair = |(key, value): (&String, &String)| (key.clone(), Value::String(value.clone()));
    (!tags.is_empty()).then(|| Value::Map(tags.iter().map(pair).collect::<Item>()))
}

pub(super) fn read_tags(record: &Record) -> Result<BTreeMap<String, String>, CorruptRecord> {
    let Some(Record(tags)) = record.optional_record("tags")? else { return Ok(BTreeMap::new()) };
    let pair = |(key, value)| match value {
        Value::String(value) => Ok((key, value)),
        _ => Err(CorruptRecord("tag")),
    };
    tags.into_iter().map(pair).collect()
}

pub(super) fn put_policy(record: &mut Record, policy: &AttachedPolicy) {
    record.put_some("policy", policy.document.as_deref());
    record.put_optional("policy_revision_millis", policy.revision_millis);
}

pub(super) fn read_policy(record: &Record) -> Result<AttachedPolicy, CorruptRecord> {
    let document =
        if record.0.contains_key("policy") { Some(record.text("policy")?.into()) } else { None };
    Ok(AttachedPolicy { document, revision_millis: record.optional("policy_revision_millis")? })
}

pub(super) fn insights(insights: Insights) -> Value {
    let mut record = Record::default();
    record.put("is_enabled", Value::Bool(insights.is_enabled));
    record.put("mode", INSIGHTS_MODES.code(insights.mode));
    record.put("changed_millis", insights.changed_millis as i64);
    record.put("since_millis", insights.since_millis as i64);
    record.put_optional("settled_millis", insights.settled_millis);
    Value::Map(record.0)
}

pub(super) fn read_insights(record: &Record) -> Result<Insights, CorruptRecord> {
    Ok(Insights {
        is_enabled: record.0.get("is_enabled") == Some(&Value::Bool(true)),
        mode: INSIGHTS_MODES.read(&record.text("mode")?)?,
        changed_millis: record.integer("changed_millis")?,
        since_millis: record.integer("since_millis")?,
        settled_millis: record.optional("settled_millis")?,
    })
}

pub(super) fn transition(transition: Transition) -> Value {
    let mut record = Record::default();
    record.put("kind", TRANSITIONS.code(transition.kind));
    record.put("until_millis", transition.until_millis as i64);
    Value::Map(record.0)
}

pub(super) fn read_transition(record: Option<Record>) -> Result<Option<Transition>, CorruptRecord> {
    let Some(record) = record else { return Ok(None) };
    Ok(Some(Transition {
        kind: TRANSITIONS.read(&record.text("kind")?)?,
        until_millis: record.integer("until_millis")?,
    }))
}

pub(super) fn index_transition(transition: IndexTransition) -> Value {
    let mut record = Record::default();
    record.put("kind", INDEX_TRANSITIONS.code(transition.kind));
    record.put("allocated_millis", transition.allocated_millis as i64);
    record.put("settled_millis", transition.settled_millis as i64);
    Value::Map(record.0)
}

pub(super) fn read_index_transition(
    record: Option<Record>,
) -> Result<Option<IndexTransition>, CorruptRecord> {
    let Some(record) = record else { return Ok(None) };
    Ok(Some(IndexTransition {
        kind: INDEX_TRANSITIONS.read(&record.text("kind")?)?,
        allocated_millis: record.integer("allocated_millis")?,
        settled_millis: record.integer("settled_millis")?,
    }))
}

pub(super) fn put_warm(record: &mut Record, warm: Option<Warm>) {
    let Some(warm) = warm else { return };
    let mut written = Record::default();
    written.put("read_units", warm.units.read_units as i64);
    written.put("write_units", warm.units.write_units as i64);
    written.put("read_units_before", warm.before.read_units as i64);
    written.put("write_units_before", warm.before.write_units as i64);
    written.put_optional("settled_millis", warm.settled_millis);
    record.put("warm", Value::Map(written.0));
}

pub(super) fn read_warm(record: &Record) -> Result<Option<Warm>, CorruptRecord> {
    let Some(warm) = record.optional_record("warm")? else { return Ok(None) };
    Ok(Some(Warm {
        units: Throughput {
            read_units: warm.integer("read_units")?,
            write_units: warm.integer("write_units")?,
        },
        before: Throughput {
            read_units: warm.integer("read_units_before")?,
            write_units: warm.integer("write_units_before")?,
        },
        settled_millis: warm.optional("settled_millis")?,
    }))
}

const INSIGHTS_MODES: Codes<InsightsMode> = Codes(&[
    (InsightsMode::AccessedAndThrottled, "accessed-and-throttled"),
    (InsightsMode::Throttled, "throttled"),
]);
const TRANSITIONS: Codes<TransitionKind> = Codes(&[
    (TransitionKind::Creation, "creation"),
    (TransitionKind::Change(Undertaking::Throughput), "throughput"),
    (TransitionKind::Change(Undertaking::Billing), "billing"),
    (TransitionKind::Change(Undertaking::Stream), "stream"),
    (TransitionKind::Change(Undertaking::Class), "class"),
    (TransitionKind::Deletion, "deletion"),
]);
const INDEX_TRANSITIONS: Codes<IndexTransitionKind> = Codes(&[
    (IndexTransitionKind::Creation, "creation"),
    (IndexTransitionKind::Change, "change"),
    (IndexTransitionKind::Removal, "removal"),
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_without_any_of_it_reads_as_one_that_has_none() {
        let record = Record::default();
        assert_eq!(read_tags(&record), Ok(BTreeMap::new()));
        assert_eq!(read_policy(&record), Ok(AttachedPolicy::default()));
        assert_eq!(read_warm(&record), Ok(None));
    }

    #[test]
    fn every_kind_of_change_reads_back() {
        for (kind, _) in TRANSITIONS.0 {
            let written = Transition { kind: *kind, until_millis: 7 };
            let Value::Map(map) = transition(written) else { panic!("not a map") };
            assert_eq!(read_transition(Some(Record(map))), Ok(Some(written)));
        }
    }
}
