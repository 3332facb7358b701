//! Contributor insights as the control plane describes them.

use monotable_database::schema::{KeySchema, TableSchema};
use monotable_database::{Insights, InsightsMode};

/// The status of insights at a time.
pub(crate) fn status(insights: Option<Insights>, now_millis: u64) -> &'static str {
    let is_settled =
        |insights: &Insights| insights.settled_millis.is_none_or(|it| it <= now_millis);
    match insights.map(|insights| (insights.is_enabled, is_settled(&insights))) {
        Some((true, true)) => "ENABLED",
        Some((true, false)) => "ENABLING",
        Some((false, false)) => "DISABLING",
        Some((false, true)) | None => "DISABLED",
    }
}

/// The status that a change shows of insights.
pub(crate) fn changing(insights: Insights) -> &'static str {
    if insights.is_enabled { "ENABLING" } else { "DISABLING" }
}

/// The name of a mode.
pub(crate) fn mode(mode: InsightsMode) -> &'static str {
    match mode {
        InsightsMode::AccessedAndThrottled => "ACCESSED_AND_THROTTLED_KEYS",
        InsightsMode::Throttled => "THROTTLED_KEYS",
    }
}

/// The names of the rules by which keys are counted: of partition keys, and of whole keys where
/// there are sort keys; of all calls (`C`) and of those that are throttled (`T`).
pub(crate) fn rules(schema: &TableSchema, index: Option<&str>, insights: Insights) -> Vec<String> {
    let key: &KeySchema = match index.and_then(|name| schema.index(name)) {
        Some(index) => &index.key,
        None => &schema.key,
    };
    let calls: &[char] = match insights.mode {
        InsightsMode::AccessedAndThrottled => &['C', 'T'],
        InsightsMode::Throttled => &['T'],
    };
    let keys: &[&str] = if key.sort.is_empty() { &["PK"] } else { &["PK", "SK"] };
    let place = index.map(|index| format!("-{index}")).unwrap_or_default();
    let rule = |call: &char, key: &&str| {
        format!(
            "DynamoDBContributorInsights-{key}{call}-{}{place}-{}",
            schema.name, insights.since_millis
        )
    };
    calls.iter().flat_map(|call| keys.iter().map(move |key| rule(call, key))).collect()
}
