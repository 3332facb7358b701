//! Indexes as the control plane describes them.

use monotable_database::schema::{Billing, IndexId, IndexProjection, IndexSchema};
use monotable_database::{IndexState, TableStatistics};
use monotable_protocol::shapes::{
    GlobalSecondaryIndexDescription, GlobalSecondaryIndexWarmThroughputDescription,
    LocalSecondaryIndexDescription, Projection,
};

use super::key_schema::key_schema;
use super::throughput::{on_demand, provisioned};
use crate::validate::warm_throughput;

/// Describes a local index.
pub(crate) fn local_index(
    index: &IndexSchema,
    statistics: &TableStatistics,
    table_arn: &str,
) -> LocalSecondaryIndexDescription {
    let (entries, bytes) = held(index.id, statistics);
    LocalSecondaryIndexDescription {
        index_name: Some(index.name.clone()),
        key_schema: Some(key_schema(&index.key)),
        projection: Some(projection(&index.projected)),
        index_size_bytes: Some(bytes),
        item_count: Some(entries),
        index_arn: Some(index_arn(index, table_arn)),
    }
}

/// Describes a global index.
pub(crate) fn global_index(
    index: &IndexSchema,
    billing: Billing,
    statistics: &TableStatistics,
    table_arn: &str,
    now_millis: u64,
) -> GlobalSecondaryIndexDescription {
    let (entries, bytes) = held(index.id, statistics);
    let changes = index.throughput_changed;
    let decreases = changes.decreases_on_day(now_millis);
    let state = index.state_at(now_millis);
    GlobalSecondaryIndexDescription {
        index_name: Some(index.name.clone()),
        key_schema: Some(key_schema(&index.key)),
        projection: Some(projection(&index.projected)),
        index_status: Some(status(state).to_owned()),
        backfilling: backfilling(state),
        provisioned_throughput: Some(provisioned(index.throughput, changes, decreases)),
        index_size_bytes: Some(bytes),
        item_count: Some(entries),
        index_arn: Some(index_arn(index, table_arn)),
        on_demand_throughput: on_demand(index.ceiling),
        warm_throughput: Some(warm(index, billing, now_millis)),
    }
}

/// How many entries an index has, and how many bytes.
pub(super) fn held(index: IndexId, statistics: &TableStatistics) -> (i64, i64) {
    let held = statistics.indexes.iter().find(|(id, _, _)| *id == index);
    held.map_or((0, 0), |(_, entries, bytes)| (*entries as i64, *bytes as i64))
}

fn index_arn(index: &IndexSchema, table_arn: &str) -> String {
    format!("{table_arn}/index/{}", index.name)
}

/// What an index holds.
pub(super) fn projection(projected: &IndexProjection) -> Projection {
    let (kind, names) = match projected {
        IndexProjection::All => ("ALL", None),
        IndexProjection::KeysOnly => ("KEYS_ONLY", None),
        IndexProjection::Include(names) => ("INCLUDE", Some(names.iter().cloned().collect())),
    };
    Projection { projection_type: Some(kind.to_owned()), non_key_attributes: names }
}

/// Where an index stands.
pub(super) fn status(state: IndexState) -> &'static str {
    match state {
        IndexState::Creating { .. } => "CREATING",
        IndexState::Updating => "UPDATING",
        IndexState::Active => "ACTIVE",
        IndexState::Deleting => "DELETING",
    }
}

/// Whether an index that is being created is being filled.
pub(super) fn backfilling(state: IndexState) -> Option<bool> {
    match state {
        IndexState::Creating { is_backfilling } => Some(is_backfilling),
        IndexState::Updating | IndexState::Active | IndexState::Deleting => None,
    }
}

/// What an index serves at once. While that is being changed it is shown as it was before.
pub(crate) fn warm(
    index: &IndexSchema,
    billing: Billing,
    now_millis: u64,
) -> GlobalSecondaryIndexWarmThroughputDescription {
    let served = warm_throughput::served(billing, index.throughput);
    let (served, is_settled) = warm_throughput::current(index.warm, served, now_millis);
    let status = if is_settled { status(index.state_at(now_millis)) } else { "UPDATING" };
    GlobalSecondaryIndexWarmThroughputDescription {
        read_units_per_second: Some(served.read_units as i64),
        write_units_per_second: Some(served.write_units as i64),
        status: Some(status.to_owned()),
    }
}
