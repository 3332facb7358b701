//! A filter that throws away most of what was read.

use monotable_item::limits::{PAGE_BYTES_MAX, READ_UNIT_BYTES};
use monotable_model::diagnostic::{Diagnostic, Place};
use monotable_model::document::{Pattern, Tree};
use monotable_plan::{FilterComparison, FilterPlan, Plan};

use crate::Subject;
use crate::cardinality::distinct_values;
use crate::condition_shape::{condition_of, conjuncts, equality};
use crate::evidence::RecordedRequest;
use crate::request_part::request_place;
use crate::rows_read::rows_read;
use crate::rule::{Rule, rule};
use crate::threshold::{FILTER_BYTES, FILTER_HIT_RATE};

pub(super) const RULE: Rule = rule!(
    "filter-low-hit-rate",
    Error,
    Requests,
    Model,
    "a filter throws away most of what is read and paid for",
    check
);

/// What a filter lets through.
struct Share {
    returned: f64,
    read: f64,
    bytes: f64,
}

fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let declared = subject.planned().filter_map(|(pattern, plan)| {
        let share = declared(subject, pattern, plan)?;
        // A filter that the pattern does not write follows from what it knows.
        let member = if pattern.filter.is_some() { "filter" } else { "by" };
        found(subject, Place::pattern(&pattern.name).member(member), &share)
    });
    let recorded = subject.requests.iter().filter_map(|request| {
        found(subject, request_place(request.line).member("FilterExpression"), &recorded(request)?)
    });
    declared.chain(recorded).collect()
}

fn declared(subject: &Subject<'_>, pattern: &Pattern, plan: &Plan) -> Option<Share> {
    let request = plan.steps.first().filter(|step| step.pattern == pattern.name)?;
    let (filter, _) = request.action.filter_and_limit()?;
    if filter.is_empty() || pattern.limit.is_some() {
        return None;
    }
    let read = rows_read(subject, pattern, request)?;
    let passing = || Some(read.rows * passing_share(subject, pattern, filter)?);
    let returned = pattern.rows.or_else(passing)?;
    Some(Share { returned, read: read.rows, bytes: read.bytes })
}

/// The part of the items that a filter lets through, if it asks for one of a few values and these
/// are alike frequent.
fn passing_share(subject: &Subject<'_>, pattern: &Pattern, filter: &FilterPlan) -> Option<f64> {
    let entity = subject.model.entity(pattern.entities.first()?)?;
    let condition = filter.declared.as_ref().and_then(condition_of);
    let declared = condition.iter().flat_map(conjuncts).filter_map(equality);
    let declared = declared.map(ToString::to_string);
    let added = filter.added.iter().filter_map(|added| match &added.comparison {
        FilterComparison::Equal(_) => Some(added.attribute.clone()),
        FilterComparison::Range(_) => None,
    });
    let values = declared.chain(added).filter_map(|stored| {
        let attribute = entity.attributes.iter().find(|one| one.item_name() == stored)?;
        distinct_values(attribute).filter(|values| *values >= 1.0)
    });
    values.map(|values| 1.0 / values).reduce(|one, other| one * other)
}

/// The counts of an answer, and its bytes by the capacity that it says it took.
fn recorded(request: &RecordedRequest) -> Option<Share> {
    request.body.member("FilterExpression")?;
    let response = request.response.as_ref()?;
    let number = |tree: &Tree, name: &str| tree.member(name).and_then(Tree::number);
    let (returned, read) = (number(response, "Count")?, number(response, "ScannedCount")?);
    let units = number(response.member("ConsumedCapacity")?, "CapacityUnits")?;
    let is_strong = request.body.member("ConsistentRead").is_some_and(Tree::is_true);
    let bytes_each_unit = READ_UNIT_BYTES as f64 * if is_strong { 1.0 } else { 2.0 };
    Some(Share { returned, read, bytes: units * bytes_each_unit })
}

fn found(subject: &Subject<'_>, place: Place, share: &Share) -> Option<Diagnostic> {
    let part = share.returned / share.read.max(1.0);
    let is_low = part < subject.threshold(&FILTER_HIT_RATE);
    if !is_low || share.bytes <= subject.threshold(&FILTER_BYTES) {
        return None;
    }
    let message = format!(
        "the filter lets {:.0} of {:.0} items through ({:.*} %), and {:.0} KB are read and paid \
         for",
        share.returned,
        share.read,
        usize::from(part < 0.1),
        part * 100.0,
        share.bytes / 1024.0
    );
    let found = if share.bytes > PAGE_BYTES_MAX as f64 {
        Diagnostic::error(RULE.code, place, message)
    } else {
        Diagnostic::warning(RULE.code, place, message)
    };
    Some(found.with_suggestion(
        "put what the filter says into the sort key before what varies, or make a sparse index of \
         the items that pass",
    ))
}
