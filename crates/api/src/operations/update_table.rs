//! `UpdateTable`: changes a table's settings, adds and removes global and vector indexes.

use monotable_database::TableChange;
use monotable_database::schema::{Billing, RequestCeiling, TableSchema, Throughput};
use monotable_protocol::update_table::{UpdateTableRequest, UpdateTableResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::table_description::{self, Updating};
use crate::session::Session;
use crate::validate::attribute_definitions::Definitions;
use crate::validate::constraint::Violations;
use crate::validate::encryption::{self, EncryptionMembers};
use crate::validate::index_updates::{self, IndexActions, IndexUpdateMembers};
use crate::validate::stream_specification::{self, StreamMembers};
use crate::validate::update_concerns::{Concern, Concerns};
use crate::validate::vector_index_updates::{self, VectorActions, VectorUpdateMembers};
use crate::validate::{
    admission, index_definition, on_demand_throughput, replicas, settings_replication, table_class,
    table_name, throughput, warm_throughput,
};
use crate::wording;

/// Runs `UpdateTable`. The answer shows the change under way; but for the filling and removing of
/// indexes it is done.
pub(crate) async fn update_table<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateTableRequest,
) -> Result<UpdateTableResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let mut members = Members::read(&request)?;
    let concerns = Concerns::of(&request);
    let (actions, vector_actions) = check_request(&request, &mut members, &concerns)?;
    let table = api.named_table(name, || Wish::new("UpdateTable")).await?;
    let before = table.schema();
    let now_millis = api.database.now_millis();
    admission::check_update(before, &concerns, now_millis)?;
    replicas::check_change(&request, before.home.region())?;
    let actions = (&actions, &vector_actions);
    let change = change(before, &request, members, actions, &concerns, now_millis)?;
    let updating = updating(&concerns, &change);
    let deleted_index = change.delete_index.clone();
    let changed = api.database.update_table(&table, change).await;
    let changed = changed.map_err(|error| wording::table::word(error, name.name()))?;
    let after = changed.schema();
    if let Some(deleted) = &deleted_index {
        api.observer.keep_keys(after.id.0, |index| index != Some(deleted));
    }
    let statistics = api.database.statistics(after).await?;
    let description =
        table_description::updating(before, after, &statistics, &updating, now_millis);
    Ok(UpdateTableResponse { table_description: Some(description) })
}

/// The members that are well-formed, each by itself. What is not is answered together.
struct Members {
    billing: Option<Billing>,
    throughput: Option<Throughput>,
    definitions: Definitions,
    index_updates: Vec<IndexUpdateMembers>,
    vector_updates: Vec<VectorUpdateMembers>,
    stream: Option<StreamMembers>,
    encryption: Option<EncryptionMembers>,
}

impl Members {
    fn read(request: &UpdateTableRequest) -> Result<Members, ApiError> {
        let mut found = Violations::default();
        let violations = &mut found;
        let provisioned = &request.provisioned_throughput;
        let members = Members {
            billing: throughput::read_billing(violations, &request.billing_mode),
            throughput: throughput::read(violations, &"provisionedThroughput", provisioned),
            definitions: Definitions::read(violations, &request.attribute_definitions),
            index_updates: index_updates::read(violations, &request.global_secondary_index_updates),
            vector_updates: vector_index_updates::read(violations, &request.vector_index_updates),
            stream: stream_specification::read(violations, &request.stream_specification),
            encryption: encryption::read(violations, &request.sse_specification),
        };
        replicas::read_change(violations, request);
        found.finish()?;
        Ok(members)
    }
}

/// Checks the members against one another, in DynamoDB's order; gives what happens to indexes.
fn check_request(
    request: &UpdateTableRequest,
    members: &mut Members,
    concerns: &Concerns,
) -> Result<(IndexActions, VectorActions), ApiError> {
    throughput::check_not_on_demand(members.billing, members.throughput)?;
    throughput::check_bounds(members.throughput, None)?;
    index_updates::check_bounds(&members.index_updates)?;
    concerns.check_some()?;
    let updates = &request.global_secondary_index_updates;
    index_definition::check_list(updates, "GlobalSecondaryIndexUpdates")?;
    let actions = index_updates::actions(std::mem::take(&mut members.index_updates))?;
    let vector_actions =
        vector_index_updates::actions(std::mem::take(&mut members.vector_updates))?;
    concerns.check_compatible()?;
    encryption::check(&members.encryption)?;
    table_class::read(&request.table_class)?;
    Ok((actions, vector_actions))
}

/// Checks what is asked for against the table as it is, in DynamoDB's order.
fn change(
    schema: &TableSchema,
    request: &UpdateTableRequest,
    members: Members,
    (actions, vector_actions): (&IndexActions, &VectorActions),
    concerns: &Concerns,
    now_millis: u64,
) -> Result<TableChange, ApiError> {
    let settings = &schema.settings;
    let billing = members.billing.unwrap_or(settings.billing);
    check_billing(schema, billing, &members, actions)?;
    vector_index_updates::check_billing(schema, billing)?;
    let ceiling = ceiling(schema, billing, request)?;
    let served = warm_throughput::served(settings.billing, settings.throughput);
    let (warm, _) = warm_throughput::current(settings.warm, served, now_millis);
    warm_throughput::check_change(warm, &request.warm_throughput, "table")?;
    check_throughput_changes(schema, billing, &members)?;
    check_no_index_is_created(schema, &members, now_millis)?;
    index_updates::check_one_at_a_time(actions, vector_actions.len())?;
    let update_indexes = index_updates::settings(schema, billing, actions, now_millis)?;
    let create_index =
        index_updates::creation(schema, billing, actions, &members.definitions, now_millis)?;
    let delete_index = index_updates::deletion(schema, actions, now_millis)?;
    let definitions = &members.definitions;
    let create_vector_index =
        vector_index_updates::creation(schema, billing, vector_actions, definitions, now_millis)?;
    let delete_vector_index = vector_index_updates::deletion(schema, vector_actions, now_millis)?;
    let stream = stream_specification::of_table(members.stream, settings.stream, &schema.name)?;
    let known = settings.encryption.as_ref();
    let encryption = encryption::of_table(members.encryption, known, &schema.home)?;
    Ok(TableChange {
        billing: members.billing,
        throughput: members.throughput,
        ceiling,
        deletion_protection: request.deletion_protection_enabled,
        class: table_class::read(&request.table_class)?,
        warm: warm_throughput::of_change(&request.warm_throughput, warm),
        encryption,
        stream,
        settings_replication: settings_replication::read(
            &request.global_table_settings_replication_mode,
        )?,
        definitions: members.definitions.into_attributes(),
        create_index,
        delete_index,
        create_vector_index,
        delete_vector_index,
        update_indexes,
        undertaking: concerns.undertaking(),
    })
}

fn check_billing(
    schema: &TableSchema,
    billing: Billing,
    members: &Members,
    actions: &IndexActions,
) -> Result<(), ApiError> {
    throughput::check_not_on_demand(Some(billing), members.throughput)?;
    if billing == Billing::OnDemand || schema.settings.billing == Billing::Provisioned {
        return Ok(());
    }
    if members.throughput.is_none() {
        return Err(ApiError::parameter(
            "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
        ));
    }
    index_updates::check_all_provisioned(schema, actions)
}

/// The ceiling after the change. A table that becomes provisioned loses the one that it had.
fn ceiling(
    schema: &TableSchema,
    billing: Billing,
    request: &UpdateTableRequest,
) -> Result<Option<RequestCeiling>, ApiError> {
    let current = schema.settings.ceiling;
    let asked = on_demand_throughput::of_table(billing, current, &request.on_demand_throughput)?;
    match billing {
        Billing::Provisioned => Ok(Some(RequestCeiling::default())),
        Billing::OnDemand => Ok(asked),
    }
}

fn check_throughput_changes(
    schema: &TableSchema,
    billing: Billing,
    members: &Members,
) -> Result<(), ApiError> {
    match members.throughput {
        Some(throughput) if billing == schema.settings.billing => {
            throughput::check_table_changes(schema.settings.throughput, throughput)
        }
        Some(_) | None => Ok(()),
    }
}

fn check_no_index_is_created(
    schema: &TableSchema,
    members: &Members,
    now_millis: u64,
) -> Result<(), ApiError> {
    let changes_units = members.throughput.is_some() || members.billing.is_some();
    match schema.creating_index(now_millis).filter(|_| changes_units) {
        None => Ok(()),
        Some(index) => Err(wording::table::still_in_use(&format!(
            "Can't change table IOPS when an index is being created. Table: {} Indexes: [{}]",
            schema.name, index
        ))),
    }
}

fn updating(concerns: &Concerns, change: &TableChange) -> Updating {
    let updated = change.update_indexes.iter().map(|index| index.name.clone());
    Updating {
        table: concerns.update_the_table(),
        created_index: change.create_index.as_ref().map(|index| index.name.clone()),
        created_vector_index: change.create_vector_index.as_ref().map(|index| index.name.clone()),
        updated_indexes: updated.collect(),
        encryption: concerns.contain(Concern::Encryption),
    }
}
