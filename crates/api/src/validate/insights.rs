//! Contributor insights: what is asked for, and of which table or index.

use monotable_database::schema::{IndexKind, TableSchema};
use monotable_database::{IndexState, InsightsChange, InsightsMode, TableStatus};
use monotable_protocol::update_contributor_insights::UpdateContributorInsightsRequest;

use super::constraint::Violations;
use super::enums::Member;
use super::table_name;
use crate::error::{ApiError, Code};

const MODE: Member<InsightsMode> = Member {
    path: "contributorInsightsMode",
    default: InsightsMode::AccessedAndThrottled,
    values: &[
        ("ACCESSED_AND_THROTTLED_KEYS", InsightsMode::AccessedAndThrottled),
        ("THROTTLED_KEYS", InsightsMode::Throttled),
    ],
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Enable,
    Disable,
}

const ACTION: Member<Action> = Member {
    path: "contributorInsightsAction",
    default: Action::Disable,
    values: &[("ENABLE", Action::Enable), ("DISABLE", Action::Disable)],
};

/// What a request asks for.
pub(crate) fn change(
    request: &UpdateContributorInsightsRequest,
) -> Result<InsightsChange, ApiError> {
    let mut violations = Violations::default();
    note_index_name(&mut violations, &request.index_name);
    violations.require(&request.contributor_insights_action, ACTION.path);
    let action = ACTION.read(&request.contributor_insights_action);
    violations.extend(action.as_ref().err().cloned());
    let mode = MODE.read(&request.contributor_insights_mode);
    violations.extend(mode.as_ref().err().cloned());
    violations.finish()?;
    Ok(match action.unwrap_or(Action::Disable) {
        Action::Enable => InsightsChange::Enable(mode.unwrap_or(MODE.default)),
        Action::Disable => InsightsChange::Disable,
    })
}

/// Notes what is wrong with the name of an index, which may be absent.
pub(crate) fn note_index_name(violations: &mut Violations, name: &Option<String>) {
    if let Some(name) = name {
        violations.append(table_name::known_name_violations(name, &"indexName"));
    }
}

/// Refuses an index that the table does not have. Local ones have no insights of their own.
pub(crate) fn check_index(schema: &TableSchema, name: &Option<String>) -> Result<(), ApiError> {
    let Some(name) = name else { return Ok(()) };
    match schema.index(name).filter(|index| index.kind == IndexKind::Global) {
        Some(_) => Ok(()),
        None => Err(ApiError::new(
            Code::ResourceNotFound,
            format!(
                "Requested resource not found: Index: {name} not found for table: {}",
                schema.name
            ),
        )),
    }
}

/// Refuses to change the insights of what is not at rest.
pub(crate) fn check_state(
    schema: &TableSchema,
    name: &Option<String>,
    now_millis: u64,
) -> Result<(), ApiError> {
    let refuse = |what: &str| {
        Err(ApiError::validation(format!(
            "Table or Index is not in a valid state to update Key Access Insights: {what} must be \
             ACTIVE to enable ContributorInsights."
        )))
    };
    match schema.status_at(now_millis) {
        TableStatus::Creating | TableStatus::Deleting => return refuse("TableStatus"),
        TableStatus::Updating | TableStatus::Active => {}
    }
    let index = name.as_deref().and_then(|name| schema.index(name));
    match index.map(|index| index.state_at(now_millis)) {
        Some(IndexState::Creating { .. }) => refuse("IndexStatus"),
        Some(IndexState::Updating | IndexState::Deleting | IndexState::Active) | None => Ok(()),
    }
}
