//! Tables as the control plane describes them.
//!
//! A description is made from the schema as it is at a time. The answers of calls that change a
//! table show it on the way: AWS changes tables in the background, and clients are written for
//! that. Here the change is done when the answer leaves, but for the filling and removing of
//! indexes; it is shown as under way for longer if changes take time.

use monotable_database::schema::{
    Billing, IndexKind, IndexSchema, SettingsReplication, StreamView, TableClass, TableSchema,
    TableSettings,
};
use monotable_database::{Home, TableStatistics, TableStatus};
use monotable_protocol::shapes::{
    AttributeDefinition, BillingModeSummary, GlobalSecondaryIndexDescription,
    GlobalSecondaryIndexWarmThroughputDescription, LocalSecondaryIndexDescription, SSEDescription,
    StreamSpecification, TableClassSummary, TableDescription, TableWarmThroughputDescription,
    Timestamp,
};

use super::index_description::{self, global_index, local_index};
use super::key_schema::key_schema;
use super::stream_label::stream_label;
use super::throughput::{on_demand, provisioned};
use super::vector_index;
use crate::resource_name::{key_arn, table_arn};
use crate::validate::warm_throughput;

/// Describes a table.
pub(crate) fn describe(
    schema: &TableSchema,
    statistics: &TableStatistics,
    now_millis: u64,
) -> TableDescription {
    let arn = table_arn(&schema.home, &schema.name);
    let table = describe_as_stored(schema, statistics, arn, now_millis);
    match schema.status_at(now_millis) {
        TableStatus::Creating => without_what_comes_later(table),
        TableStatus::Updating | TableStatus::Deleting | TableStatus::Active => table,
    }
}

/// Describes a table that has just been created.
pub(crate) fn creating(schema: &TableSchema, now_millis: u64) -> TableDescription {
    let table = describe(schema, &TableStatistics::default(), now_millis);
    without_what_comes_later(table)
}

/// A table that is being created, of which some things are not shown yet.
fn without_what_comes_later(mut table: TableDescription) -> TableDescription {
    table.table_status = Some("CREATING".to_owned());
    table.warm_throughput = None;
    if let Some(summary) = &mut table.billing_mode_summary {
        summary.last_update_to_pay_per_request_date_time = None;
    }
    for index in table.global_secondary_indexes.iter_mut().flatten() {
        index.index_status = Some("CREATING".to_owned());
        index.warm_throughput = None;
        index.backfilling = None;
    }
    vector_index::show_creating(&mut table);
    table
}

/// Describes a table that is being deleted. What it was made of is not shown any more.
pub(crate) fn deleting(
    schema: &TableSchema,
    statistics: &TableStatistics,
    now_millis: u64,
) -> TableDescription {
    let mut table = describe(schema, statistics, now_millis);
    table.table_status = Some("DELETING".to_owned());
    table.attribute_definitions = None;
    table.key_schema = None;
    table.creation_date_time = None;
    table.warm_throughput = None;
    table.local_secondary_indexes = None;
    table.global_secondary_indexes = None;
    table.vector_indexes = None;
    table
}

/// What the answer of an UpdateTable shows as being changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Updating {
    /// The table as a whole.
    pub(crate) table: bool,
    /// An index that is being created.
    pub(crate) created_index: Option<String>,
    /// A vector index that is being created.
    pub(crate) created_vector_index: Option<String>,
    /// Indexes whose settings are being changed.
    pub(crate) updated_indexes: Vec<String>,
    /// The encryption.
    pub(crate) encryption: bool,
}

/// Describes a table that has just been changed from `before` to `after`. Units, class and key are
/// shown as they were, with the dates of the change of units.
pub(crate) fn updating(
    before: &TableSchema,
    after: &TableSchema,
    statistics: &TableStatistics,
    updating: &Updating,
    now_millis: u64,
) -> TableDescription {
    let mut table = describe(after, statistics, now_millis);
    if updating.table {
        table.table_status = Some("UPDATING".to_owned());
    }
    let (old, changes) = (&before.settings, after.settings.throughput_changed);
    let decreases = old.throughput_changed.decreases_on_day(now_millis);
    table.provisioned_throughput = Some(provisioned(old.throughput, changes, decreases));
    table.table_class_summary = table_class_summary(old);
    if updating.encryption {
        table.sse_description = Some(changing_encryption(old, &before.home));
    }
    if after.settings.warm != old.warm {
        let shown = warm(old, now_millis);
        table.warm_throughput =
            Some(TableWarmThroughputDescription { status: Some("UPDATING".to_owned()), ..shown });
    }
    for index in table.global_secondary_indexes.iter_mut().flatten() {
        show_index_updating(index, before, after, updating, now_millis);
    }
    if let Some(name) = &updating.created_vector_index {
        vector_index::show_created(&mut table, name);
    }
    table
}

fn show_index_updating(
    description: &mut GlobalSecondaryIndexDescription,
    before: &TableSchema,
    after: &TableSchema,
    updating: &Updating,
    now_millis: u64,
) {
    let Some(name) = &description.index_name else { return };
    if updating.created_index.as_ref() == Some(name) {
        description.index_status = Some("CREATING".to_owned());
        description.backfilling = Some(false);
    }
    if !updating.updated_indexes.contains(name) {
        return;
    }
    if let (Some(old), Some(new)) = (before.index(name), after.index(name)) {
        let decreases = old.throughput_changed.decreases_on_day(now_millis);
        let shown = provisioned(old.throughput, new.throughput_changed, decreases);
        description.provisioned_throughput = Some(shown);
        description.warm_throughput = Some(GlobalSecondaryIndexWarmThroughputDescription {
            status: Some("UPDATING".to_owned()),
            ..index_description::warm(old, before.settings.billing, now_millis)
        });
    }
    description.index_status = Some("UPDATING".to_owned());
}

fn describe_as_stored(
    schema: &TableSchema,
    statistics: &TableStatistics,
    arn: String,
    now_millis: u64,
) -> TableDescription {
    let settings = &schema.settings;
    let changes = settings.throughput_changed;
    let decreases = changes.decreases_on_day(now_millis);
    TableDescription {
        attribute_definitions: Some(attribute_definitions(schema)),
        table_name: Some(schema.name.clone()),
        key_schema: Some(key_schema(&schema.key)),
        table_status: Some(status(schema.status_at(now_millis)).to_owned()),
        creation_date_time: Some(timestamp(schema.created_millis)),
        provisioned_throughput: Some(provisioned(settings.throughput, changes, decreases)),
        table_size_bytes: Some(statistics.bytes as i64),
        item_count: Some(statistics.items as i64),
        table_id: Some(schema.uuid.clone()),
        billing_mode_summary: billing_mode_summary(settings),
        local_secondary_indexes: local_indexes(schema, statistics, &arn),
        global_secondary_indexes: global_indexes(schema, statistics, &arn, now_millis),
        vector_indexes: vector_index::describe_all(schema, statistics, &arn, now_millis),
        stream_specification: stream_specification(settings),
        latest_stream_label: settings.stream_since_millis.map(stream_label),
        latest_stream_arn: settings
            .stream_since_millis
            .map(|since_millis| format!("{arn}/stream/{}", stream_label(since_millis))),
        sse_description: sse_description(settings, &schema.home, now_millis),
        table_class_summary: table_class_summary(settings),
        deletion_protection_enabled: Some(settings.deletion_protection),
        on_demand_throughput: on_demand(settings.ceiling),
        warm_throughput: Some(warm(settings, now_millis)),
        global_table_settings_replication_mode: settings
            .settings_replication
            .map(|mode| settings_replication(mode).to_owned()),
        table_arn: Some(arn),
        ..TableDescription::default()
    }
}

fn status(status: TableStatus) -> &'static str {
    match status {
        TableStatus::Creating => "CREATING",
        TableStatus::Updating => "UPDATING",
        TableStatus::Deleting => "DELETING",
        TableStatus::Active => "ACTIVE",
    }
}

/// How a table is encrypted; nothing where it is by the service's own key.
fn sse_description(
    settings: &TableSettings,
    home: &Home,
    now_millis: u64,
) -> Option<SSEDescription> {
    let settled_millis = settings.encryption_settled_millis;
    if settled_millis.is_some_and(|settled| now_millis < settled) {
        return Some(changing_encryption(settings, home));
    }
    settings.encryption.as_ref()?;
    let changing = changing_encryption(settings, home);
    Some(SSEDescription { status: Some("ENABLED".to_owned()), ..changing })
}

fn changing_encryption(settings: &TableSettings, home: &Home) -> SSEDescription {
    let encryption = settings.encryption.as_ref();
    SSEDescription {
        status: Some("UPDATING".to_owned()),
        sse_type: encryption.map(|_| "KMS".to_owned()),
        kms_master_key_arn: encryption.map(|it| key_arn(home, it.key.as_deref())),
        inaccessible_encryption_date_time: None,
    }
}

fn attribute_definitions(schema: &TableSchema) -> Vec<AttributeDefinition> {
    let mut definitions: Vec<_> = schema.definitions.iter().collect();
    definitions.sort_by(|a, b| a.name.cmp(&b.name));
    let shown = definitions.into_iter().map(|definition| AttributeDefinition {
        attribute_name: Some(definition.name.clone()),
        attribute_type: Some(definition.kind.value_type().code().to_owned()),
    });
    shown.collect()
}

/// Shown if the table is or once was paid for by request.
fn billing_mode_summary(settings: &TableSettings) -> Option<BillingModeSummary> {
    let since_millis = settings.on_demand_since_millis?;
    let billing_mode = match settings.billing {
        Billing::OnDemand => "PAY_PER_REQUEST",
        Billing::Provisioned => "PROVISIONED",
    };
    Some(BillingModeSummary {
        billing_mode: Some(billing_mode.to_owned()),
        last_update_to_pay_per_request_date_time: Some(timestamp(since_millis)),
    })
}

fn stream_specification(settings: &TableSettings) -> Option<StreamSpecification> {
    Some(StreamSpecification {
        stream_enabled: Some(true),
        stream_view_type: Some(stream_view_type(settings.stream?).to_owned()),
    })
}

/// The name of what a stream holds.
pub(crate) fn stream_view_type(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

/// The name of a class.
pub(crate) fn table_class(class: TableClass) -> &'static str {
    match class {
        TableClass::Standard => "STANDARD",
        TableClass::StandardInfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
    }
}

fn settings_replication(mode: SettingsReplication) -> &'static str {
    match mode {
        SettingsReplication::Enabled => "ENABLED",
        SettingsReplication::Disabled => "DISABLED",
    }
}

fn table_class_summary(settings: &TableSettings) -> Option<TableClassSummary> {
    Some(TableClassSummary {
        table_class: Some(table_class(settings.class?).to_owned()),
        last_update_date_time: settings.class_changed_millis.map(timestamp),
    })
}

fn warm(settings: &TableSettings, now_millis: u64) -> TableWarmThroughputDescription {
    let served = warm_throughput::served(settings.billing, settings.throughput);
    let (served, is_settled) = warm_throughput::current(settings.warm, served, now_millis);
    let status = if is_settled { "ACTIVE" } else { "UPDATING" };
    TableWarmThroughputDescription {
        read_units_per_second: Some(served.read_units as i64),
        write_units_per_second: Some(served.write_units as i64),
        status: Some(status.to_owned()),
    }
}

fn indexes_of(schema: &TableSchema, kind: IndexKind) -> impl Iterator<Item = &IndexSchema> {
    schema.indexes.iter().filter(move |index| index.kind == kind)
}

fn local_indexes(
    schema: &TableSchema,
    statistics: &TableStatistics,
    arn: &str,
) -> Option<Vec<LocalSecondaryIndexDescription>> {
    let indexes = indexes_of(schema, IndexKind::Local);
    let shown: Vec<_> = indexes.map(|index| local_index(index, statistics, arn)).collect();
    (!shown.is_empty()).then_some(shown)
}

fn global_indexes(
    schema: &TableSchema,
    statistics: &TableStatistics,
    arn: &str,
    now_millis: u64,
) -> Option<Vec<GlobalSecondaryIndexDescription>> {
    let billing = schema.settings.billing;
    let show = |index| global_index(index, billing, statistics, arn, now_millis);
    let shown: Vec<_> = indexes_of(schema, IndexKind::Global).map(show).collect();
    (!shown.is_empty()).then_some(shown)
}

/// A moment as descriptions show it.
pub(crate) fn timestamp(millis: u64) -> Timestamp {
    Timestamp { epoch_millis: millis as i64 }
}
