//! `CreateTable`: makes a table with its indexes.

use monotable_database::schema::{
    Billing, TableSettings, Throughput, ThroughputChanges, VectorIndexDefinition,
};
use monotable_database::{
    AttachedPolicy, Home, IndexDefinition, LaterAttributes, TableDefinition, TableError,
    TransitionKind,
};
use monotable_protocol::create_table::{CreateTableRequest, CreateTableResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::observation;
use crate::render::table_description;
use crate::session::Session;
use crate::validate::attribute_definitions::Definitions;
use crate::validate::constraint::Violations;
use crate::validate::encryption::{self, EncryptionMembers};
use crate::validate::index_definition::{self, GlobalIndexMembers, LocalIndexMembers};
use crate::validate::key_schema::{self, KeyElement, PAIR_ELEMENTS_MAX};
use crate::validate::resource_policy::{self, PolicySubject};
use crate::validate::stream_specification::{self, StreamMembers};
use crate::validate::vector_index::{self, VectorIndexMembers};
use crate::validate::{
    admission, on_demand_throughput, projection, replicas, settings_replication, table_class,
    table_name, tags, throughput, warm_throughput,
};
use crate::wording;

/// Runs `CreateTable`. The answer shows the table as it is being created; it can be used at once.
pub(crate) async fn create_table<E: Engine>(
    api: &Session<'_, E>,
    request: CreateTableRequest,
) -> Result<CreateTableResponse, ApiError> {
    let name = table_name::of_new_table(&request.table_name)?;
    let members = Members::read(&request)?;
    let definition = define(api.home(), name, &request, members)?;
    authorize(api, name, &request)?;
    let table = match api.database.create_table(definition).await {
        Ok(table) => table,
        Err(TableError::Exists) => return Err(name_is_taken(api, name).await?),
        Err(error) => return Err(wording::table::word(error, name)),
    };
    observation::note_table(table.schema());
    let description = table_description::creating(table.schema(), api.database.now_millis());
    Ok(CreateTableResponse { table_description: Some(description) })
}

/// Checks the definition of a table that is to be made in another way.
pub(crate) fn check(home: &Home, name: &str, request: &CreateTableRequest) -> Result<(), ApiError> {
    define(home, name, request, Members::read(request)?).map(drop)
}

/// The answer when there is a table of that name.
async fn name_is_taken<E: Engine>(api: &Session<'_, E>, name: &str) -> Result<ApiError, ApiError> {
    let existing = api.database.current_table(api.home(), name).await?;
    let transition =
        existing.and_then(|existing| existing.schema().transition_at(api.database.now_millis()));
    Ok(match transition {
        Some(TransitionKind::Creation) => admission::being_created(name),
        Some(TransitionKind::Change(_) | TransitionKind::Deletion) | None => {
            wording::table::word(TableError::Exists, name)
        }
    })
}

/// Asks the policies about all that the request does: tags and a policy that come with it are
/// allowed by the same actions as those that are put later.
fn authorize<E: Engine>(
    api: &Session<'_, E>,
    name: &str,
    request: &CreateTableRequest,
) -> Result<(), ApiError> {
    api.authorize_new_table(name, || wish("CreateTable", request))?;
    // A list without tags is asked about too, as on AWS.
    if request.tags.is_some() {
        api.authorize_new_table(name, || wish("TagResource", request))?;
    }
    if request.resource_policy.is_some() {
        api.authorize_new_table(name, || wish("PutResourcePolicy", request))?;
    }
    Ok(())
}

/// What policies are asked about the request.
fn wish<'r>(action: &'static str, request: &'r CreateTableRequest) -> Wish<'r> {
    let tags = request.tags.iter().flatten();
    let tags = tags.filter_map(|tag| tag.key.as_deref().zip(tag.value.as_deref()));
    Wish { tags: tags.collect(), ..Wish::new(action) }
}

/// The members that are well-formed, each by itself. What is not is answered together.
struct Members {
    billing: Option<Billing>,
    throughput: Option<Throughput>,
    key: Vec<KeyElement>,
    definitions: Definitions,
    globals: Option<Vec<GlobalIndexMembers>>,
    locals: Option<Vec<LocalIndexMembers>>,
    vectors: Vec<VectorIndexMembers>,
    stream: Option<StreamMembers>,
    encryption: Option<EncryptionMembers>,
}

impl Members {
    fn read(request: &CreateTableRequest) -> Result<Members, ApiError> {
        let mut found = Violations::default();
        let violations = &mut found;
        let provisioned = &request.provisioned_throughput;
        let members = Members {
            billing: throughput::read_billing(violations, &request.billing_mode),
            throughput: throughput::read(violations, &"provisionedThroughput", provisioned),
            key: key_schema::read(violations, &"keySchema", &request.key_schema, PAIR_ELEMENTS_MAX),
            definitions: Definitions::read_required(violations, &request.attribute_definitions),
            globals: index_definition::read_globals(violations, &request.global_secondary_indexes),
            locals: index_definition::read_locals(violations, &request.local_secondary_indexes),
            vectors: vector_index::read_all(violations, &request.vector_indexes),
            stream: stream_specification::read(violations, &request.stream_specification),
            encryption: encryption::read(violations, &request.sse_specification),
        };
        replicas::read_new_table(violations, request);
        found.finish()?;
        Ok(members)
    }

    fn globals(&self) -> &[GlobalIndexMembers] {
        self.globals.as_deref().unwrap_or_default()
    }

    fn locals(&self) -> &[LocalIndexMembers] {
        self.locals.as_deref().unwrap_or_default()
    }
}

/// Checks the members against one another, in DynamoDB's order.
fn define(
    home: &Home,
    name: &str,
    request: &CreateTableRequest,
    members: Members,
) -> Result<TableDefinition, ApiError> {
    throughput::check_not_on_demand(members.billing, members.throughput)?;
    index_definition::check_read_whole(members.locals(), members.globals())?;
    check_bounds(&members)?;
    let billing = members.billing.unwrap_or(Billing::Provisioned);
    let throughput = throughput::of_new_table(billing, members.throughput)?;
    let key = key_schema::table_key(&members.key, &members.definitions)?;
    let vector_indexes = define_vectors(&members, billing)?;
    members.definitions.check_unique()?;
    let has_indexes = members.locals.is_some() || members.globals.is_some();
    if !has_indexes && members.vectors.is_empty() {
        members.definitions.check_used_by_key(&members.key)?;
    }
    index_definition::check_list(&members.locals, "LocalSecondaryIndexes")?;
    index_definition::check_list(&members.globals, "GlobalSecondaryIndexes")?;
    if let Err(unused) = check_definitions_used(&members) {
        // What is wrong with the keys of indexes comes first.
        let (locals, globals) = (members.locals(), members.globals());
        index_definition::check_keys(locals, globals, &key, &members.definitions)?;
        return Err(unused);
    }
    let locals = index_definition::locals(members.locals(), &key, &members.definitions)?;
    let mut globals =
        index_definition::globals(members.globals(), billing, &members.definitions, &locals)?;
    check_projections(&locals, &globals, &vector_indexes)?;
    let stream = stream_specification::of_new_table(members.stream)?;
    let ceiling = on_demand_throughput::of_new_table(billing, &request.on_demand_throughput)?;
    for (definition, index) in globals.iter_mut().zip(members.globals()) {
        index_definition::set_ceiling(definition, index, billing)?;
    }
    warm_throughput::check_new(billing, throughput, &request.warm_throughput, "table")?;
    let class = table_class::read(&request.table_class)?;
    encryption::check(&members.encryption)?;
    let tags = tags::read(request.tags.as_deref().unwrap_or_default())?;
    let policy = policy(request)?;
    replicas::check_new_table(request)?;
    let settings_replication =
        settings_replication::read(&request.global_table_settings_replication_mode)?;
    let served = warm_throughput::served(billing, throughput);
    Ok(TableDefinition {
        home: home.clone(),
        name: name.to_owned(),
        key,
        definitions: members.definitions.into_attributes(),
        indexes: locals.into_iter().chain(globals).collect(),
        vector_indexes,
        settings: TableSettings {
            billing,
            on_demand_since_millis: None,
            throughput,
            ceiling,
            throughput_changed: ThroughputChanges::default(),
            deletion_protection: request.deletion_protection_enabled.unwrap_or_default(),
            class,
            class_changed_millis: None,
            warm: warm_throughput::of_new(&request.warm_throughput, served),
            encryption: encryption::of_new_table(members.encryption),
            encryption_settled_millis: None,
            stream,
            stream_since_millis: None,
            settings_replication,
            later: LaterAttributes::default(),
        },
        tags,
        policy,
    })
}

fn policy(request: &CreateTableRequest) -> Result<AttachedPolicy, ApiError> {
    let Some(json) = &request.resource_policy else { return Ok(AttachedPolicy::default()) };
    let checked = resource_policy::read(json, PolicySubject::Table)?;
    Ok(AttachedPolicy::new(checked.document))
}

fn check_bounds(members: &Members) -> Result<(), ApiError> {
    throughput::check_bounds(members.throughput, None)?;
    let mut globals = members.globals().iter();
    globals.try_for_each(|index| throughput::check_bounds(index.throughput, Some(&index.name)))
}

/// Refuses definitions that no key uses, if there are indexes.
fn check_definitions_used(members: &Members) -> Result<(), ApiError> {
    let has_indexes = !members.locals().is_empty() || !members.globals().is_empty();
    if !has_indexes && members.vectors.is_empty() {
        return Ok(());
    }
    let locals = members.locals().iter().flat_map(|index| &index.key);
    let globals = members.globals().iter().flat_map(|index| &index.key);
    let keys = members.key.iter().chain(locals).chain(globals).map(|element| &element.name);
    let searched = members.vectors.iter().flat_map(|index| &index.search).map(|(name, _)| name);
    members.definitions.check_used_by_keys(keys.chain(searched))
}

fn define_vectors(
    members: &Members,
    billing: Billing,
) -> Result<Vec<VectorIndexDefinition>, ApiError> {
    let locals = members.locals().iter().map(|index| index.name.as_str());
    let names = locals.chain(members.globals().iter().map(|index| index.name.as_str()));
    vector_index::define_all(&members.vectors, billing, &members.definitions, names)
}

fn check_projections(
    locals: &[IndexDefinition],
    globals: &[IndexDefinition],
    vectors: &[VectorIndexDefinition],
) -> Result<(), ApiError> {
    let secondary = locals.iter().chain(globals).map(|index| &index.projected);
    projection::check_names_total(secondary.chain(vectors.iter().map(|index| &index.projected)))
}
