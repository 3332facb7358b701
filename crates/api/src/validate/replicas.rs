//! Replicas in other regions, which this database does not have.
//!
//! A request for one is refused: to accept it would promise copies that never come. What AWS says
//! of a table without replicas comes first, in its words, as they were measured in October 2026.
//! In which order it finds several faults was not.

use monotable_protocol::create_table::CreateTableRequest;
use monotable_protocol::update_table::{
    GlobalTableWitnessGroupUpdate, ReplicationGroupUpdate, UpdateReplicationGroupMemberAction,
    UpdateTableRequest,
};

use super::constraint::Violations;
use super::model::check_member;
use crate::error::ApiError;

/// How many regions a strongly consistent global table has besides that of the table it is made of.
const STRONG_REGIONS: usize = 2;

const NO_ACTION: &str =
    "There are no actions specified in the Replica Update Action of the request.";
const MANY_KINDS: &str =
    "Update table operation with more than one type of replica actions not allowed.";
const MANY_REGIONS: &str =
    "Update table operation with more than one create or delete replica actions not allowed";
const LOCAL_REGION: &str = "Cannot add or delete the local region through ReplicaUpdates. Use \
                            CreateTable, DeleteTable, or UpdateTable as required.";
const WITNESS_WITHOUT_STRONG: &str = "MultiRegionConsistency must be set as STRONG when \
                                      GlobalTableWitnessUpdates parameter is present.";
const NOT_CREATED: &str =
    "Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.";
const STRONG_COUNT: &str =
    "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.";
const SHARED_REGION: &str = "Cannot target multiple regions with the same action";
const LOCAL_WITNESS: &str = "Cannot add a witness in the same region as an existing replica when \
                             creating a global table with MultiRegionConsistency set to STRONG.";

/// Notes what is wrong with the members of a new table about replicas, each by itself.
pub(crate) fn read_new_table(violations: &mut Violations, request: &CreateTableRequest) {
    let shape = "CreateTableRequest";
    let mode = request.global_table_settings_replication_mode.as_ref();
    let source = request.global_table_source_arn.as_ref();
    check_member(violations, shape, "GlobalTableSourceArn", source);
    check_member(violations, shape, "GlobalTableSettingsReplicationMode", mode);
}

/// Notes what is wrong with the members of a change about replicas, each by itself.
pub(crate) fn read_change(violations: &mut Violations, request: &UpdateTableRequest) {
    let shape = "UpdateTableRequest";
    let consistency = request.multi_region_consistency.as_ref();
    let witnesses = request.global_table_witness_updates.as_ref();
    let mode = request.global_table_settings_replication_mode.as_ref();
    check_member(violations, shape, "ReplicaUpdates", request.replica_updates.as_ref());
    check_member(violations, shape, "MultiRegionConsistency", consistency);
    check_member(violations, shape, "GlobalTableWitnessUpdates", witnesses);
    check_member(violations, shape, "GlobalTableSettingsReplicationMode", mode);
}

/// Refuses a table to be created as a replica.
pub(crate) fn check_new_table(request: &CreateTableRequest) -> Result<(), ApiError> {
    if request.global_table_source_arn.is_some() { Err(not_supported()) } else { Ok(()) }
}

/// Whether the request is about replicas.
pub(crate) fn are_changed(request: &UpdateTableRequest) -> bool {
    request.replica_updates.is_some() || request.disassociation_protection_enabled.is_some()
}

/// Refuses changes of replicas of a table in a region, which has none.
pub(crate) fn check_change(request: &UpdateTableRequest, region: &str) -> Result<(), ApiError> {
    if !are_changed(request) {
        return Ok(());
    }
    let updates = request.replica_updates.iter().flatten();
    let actions: Vec<Action<'_>> = updates.map(action).collect::<Result<_, _>>()?;
    let witnesses = request.global_table_witness_updates.as_deref().unwrap_or_default();
    let witness = witnesses.iter().find_map(new_witness);
    check_together(&actions, request.multi_region_consistency.as_deref(), witness)?;
    if actions.iter().any(|action| action.kind != Kind::Disassociate && action.region == region) {
        return Err(ApiError::validation(LOCAL_REGION));
    }
    if witness == Some(region) {
        return Err(ApiError::validation(LOCAL_WITNESS));
    }
    match actions.iter().find(|action| action.kind.needs_replica()) {
        Some(action) => Err(no_member(action.region)),
        None => Err(not_supported()),
    }
}

/// A change of one replica.
struct Action<'r> {
    kind: Kind,
    region: &'r str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Create,
    Update,
    Delete,
    Disassociate,
}

impl Kind {
    /// Whether there must be a replica in the region.
    fn needs_replica(self) -> bool {
        match self {
            Kind::Update | Kind::Delete => true,
            Kind::Create | Kind::Disassociate => false,
        }
    }
}

/// The one action of an update.
fn action(update: &ReplicationGroupUpdate) -> Result<Action<'_>, ApiError> {
    let ReplicationGroupUpdate { create, update, delete, disassociate } = update;
    let given = [
        (Kind::Create, create.as_ref().map(|create| &create.region_name)),
        (Kind::Update, update.as_ref().map(|update| &update.region_name)),
        (Kind::Delete, delete.as_ref().map(|delete| &delete.region_name)),
        (Kind::Disassociate, disassociate.as_ref().map(|replica| &replica.region_name)),
    ];
    let mut given = given.iter().filter_map(|(kind, region)| Some((*kind, (*region)?)));
    match (given.next(), given.next()) {
        (None, _) => Err(ApiError::validation(NO_ACTION)),
        (Some(_), Some(_)) => Err(ApiError::validation(MANY_KINDS)),
        (Some(_), None) if update.as_ref().is_some_and(changes_nothing) => {
            Err(ApiError::validation(NO_ACTION))
        }
        (Some((kind, region)), None) => {
            Ok(Action { kind, region: region.as_deref().unwrap_or_default() })
        }
    }
}

fn changes_nothing(update: &UpdateReplicationGroupMemberAction) -> bool {
    let region_name = update.region_name.clone();
    *update == UpdateReplicationGroupMemberAction { region_name, ..Default::default() }
}

fn new_witness(update: &GlobalTableWitnessGroupUpdate) -> Option<&str> {
    update.create.as_ref()?.region_name.as_deref()
}

/// Checks the actions against one another and against what is said about their consistency.
fn check_together(
    actions: &[Action<'_>],
    consistency: Option<&str>,
    witness: Option<&str>,
) -> Result<(), ApiError> {
    let refuse = |text: &str| Err(ApiError::validation(text));
    let is_strong = consistency == Some("STRONG");
    if actions.windows(2).any(|pair| matches!(pair, [a, b] if a.kind != b.kind)) {
        return refuse(MANY_KINDS);
    }
    if witness.is_some() && !is_strong {
        return refuse(WITNESS_WITHOUT_STRONG);
    }
    if consistency.is_some() && actions.iter().any(|action| action.kind != Kind::Create) {
        return refuse(NOT_CREATED);
    }
    if actions.iter().any(|action| Some(action.region) == witness) {
        return refuse(SHARED_REGION);
    }
    let has_others = actions.windows(2).any(|pair| matches!(pair, [a, b] if a.region != b.region));
    let regions = actions.len() + usize::from(witness.is_some());
    if is_strong && regions != STRONG_REGIONS {
        return refuse(STRONG_COUNT);
    }
    if !is_strong && has_others && actions.iter().any(|action| action.kind != Kind::Update) {
        return refuse(MANY_REGIONS);
    }
    Ok(())
}

fn no_member(region: &str) -> ApiError {
    ApiError::validation(format!(
        "Update global table operation failed because one or more replicas were not part of the \
         global table. Please retry the request without these replicas: [{region}]."
    ))
}

fn not_supported() -> ApiError {
    ApiError::parameter("Global tables are not supported")
}
