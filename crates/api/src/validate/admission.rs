//! What tables refuse while a change of them is under way.
//!
//! What is refused depends on what is changed: a table whose stream is being enabled takes another
//! protection but no other throughput. The texts were measured in October 2026; those for pairs
//! that were not follow their families.

use monotable_database::schema::{TableClass, TableSchema, Warm};
use monotable_database::{TransitionKind, Undertaking};

use super::update_concerns::{Concern, Concerns};
use crate::error::ApiError;
use crate::render::stream_label::stream_label;
use crate::render::table_description::table_class;
use crate::wording::table::still_in_use;

/// Refuses to change a table that is not there yet, or not for long any more.
pub(crate) fn check_exists(schema: &TableSchema, now_millis: u64) -> Result<(), ApiError> {
    match schema.transition_at(now_millis) {
        Some(TransitionKind::Creation) => Err(being_created(&schema.name)),
        Some(TransitionKind::Deletion) => {
            Err(still_in_use(&format!("Table is being deleted: {}", schema.name)))
        }
        Some(TransitionKind::Change(_)) | None => Ok(()),
    }
}

/// The answer to a change of a table that is being created.
pub(crate) fn being_created(name: &str) -> ApiError {
    still_in_use(&format!("Table is being created: {name}"))
}

/// Refuses to change how the items of a table expire. The words are in another order than those of
/// other calls.
pub(crate) fn check_time_to_live(schema: &TableSchema, now_millis: u64) -> Result<(), ApiError> {
    match schema.transition_at(now_millis) {
        Some(TransitionKind::Creation) => {
            Err(still_in_use(&format!("Table {} is being created", schema.name)))
        }
        Some(TransitionKind::Deletion | TransitionKind::Change(_)) | None => {
            check_exists(schema, now_millis)
        }
    }
}

/// Refuses to tell how the items of a table expire that is being created or deleted.
pub(crate) fn check_time_to_live_is_known(
    schema: &TableSchema,
    now_millis: u64,
) -> Result<(), ApiError> {
    let state = match schema.transition_at(now_millis) {
        Some(TransitionKind::Creation) => "CREATING",
        Some(TransitionKind::Deletion) => "DELETING",
        Some(TransitionKind::Change(_)) | None => return Ok(()),
    };
    Err(ApiError::validation(format!(
        "Cannot describe time to live while table is in {state} state: Current table state is \
         {state}"
    )))
}

/// Refuses to delete a table that is being changed.
pub(crate) fn check_deletion(schema: &TableSchema, now_millis: u64) -> Result<(), ApiError> {
    check_exists(schema, now_millis)?;
    if !schema.has_indexes_at_rest(now_millis) {
        return Err(still_in_use(
            "Cannot delete table while indexes are being created, updated, or deleted.",
        ));
    }
    match schema.transition_at(now_millis) {
        Some(TransitionKind::Change(Undertaking::Stream)) => {
            Err(still_in_use("Cannot delete table while stream is being enabled/disabled."))
        }
        Some(TransitionKind::Change(_)) => Err(being_updated(schema)),
        Some(TransitionKind::Creation | TransitionKind::Deletion) | None => {
            let settings = &schema.settings;
            let warm_millis = settings.warm.and_then(|warm: Warm| warm.settled_millis);
            let settled = [settings.encryption_settled_millis, warm_millis];
            if settled.into_iter().flatten().any(|settled| now_millis < settled) {
                Err(being_updated(schema))
            } else {
                Ok(())
            }
        }
    }
}

fn being_updated(schema: &TableSchema) -> ApiError {
    still_in_use(&format!("Table: {} is in the process of being updated.", schema.name))
}

/// Refuses changes of a table that do not go with the one that is under way.
pub(crate) fn check_update(
    schema: &TableSchema,
    concerns: &Concerns,
    now_millis: u64,
) -> Result<(), ApiError> {
    check_exists(schema, now_millis)?;
    let encryption_millis = schema.settings.encryption_settled_millis;
    let is_encrypting = encryption_millis.is_some_and(|settled| now_millis < settled);
    if is_encrypting && concerns.contain(Concern::Encryption) {
        return Err(still_in_use("Server-Side Encryption is still being updated"));
    }
    let Some(TransitionKind::Change(under_way)) = schema.transition_at(now_millis) else {
        return Ok(());
    };
    match concerns.iter().find_map(|concern| refusal(schema, concern, under_way)) {
        Some(detail) => Err(still_in_use(&detail)),
        None => Ok(()),
    }
}

/// Why a concern does not go with a change that is under way, if it does not.
fn refusal(schema: &TableSchema, concern: Concern, under_way: Undertaking) -> Option<String> {
    let place = place(schema, under_way);
    let verb = match (concern, under_way) {
        (Concern::Stream, Undertaking::Stream) => {
            return Some(format!("A stream status change is currently in progress. {place}"));
        }
        (
            Concern::Billing | Concern::Throughput,
            Undertaking::Throughput | Undertaking::Billing,
        ) => return Some(format!("Table IOPS are currently being updated. {place}")),
        (Concern::Ceiling, _) => {
            let update = match under_way {
                Undertaking::Throughput | Undertaking::Billing => "BillingMode update",
                Undertaking::Stream => "stream status update",
                Undertaking::Class => "TableClass update",
            };
            return Some(format!(
                "OnDemandThroughput cannot be updated while {update} is in progress"
            ));
        }
        (Concern::Billing | Concern::Throughput, _) => "change table IOPS",
        (Concern::Stream, _) => "enable or disable stream",
        (Concern::Class, _) => "update table class",
        (Concern::Indexes, _) => "create or delete index",
        (
            Concern::WarmThroughput
            | Concern::IndexSettings
            | Concern::Encryption
            | Concern::DeletionProtection
            | Concern::Replicas
            | Concern::SettingsReplication,
            _,
        ) => return None,
    };
    let reason = match under_way {
        Undertaking::Throughput | Undertaking::Billing => "while table IOPS are being updated",
        Undertaking::Stream => "when stream status is being updated",
        Undertaking::Class => "when a table class update is in progress",
    };
    Some(format!("Can't {verb} {reason}. {place}"))
}

/// What is being changed, as refusals name it.
fn place(schema: &TableSchema, under_way: Undertaking) -> String {
    let (name, settings) = (&schema.name, &schema.settings);
    match under_way {
        Undertaking::Throughput | Undertaking::Billing => format!("Table: {name}"),
        Undertaking::Stream => {
            let label = settings.stream_since_millis.map(stream_label).unwrap_or_default();
            let operation = if settings.stream.is_some() { "ENABLE" } else { "DISABLE" };
            format!("Table: {name} Stream: {label} Operation: {operation}")
        }
        Undertaking::Class => {
            let class = table_class(settings.class.unwrap_or(TableClass::Standard));
            format!("Table: {name} TableClassUpdateInProgress: {class}")
        }
    }
}
