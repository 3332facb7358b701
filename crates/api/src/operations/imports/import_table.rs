//! `ImportTable`: makes a table from files in Amazon S3, which this server does not do yet.

use std::convert::Infallible;

use monotable_protocol::create_table::CreateTableRequest;
use monotable_protocol::import::{ImportTableRequest, TableCreationParameters};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::operations::create_table;
use crate::session::Session;
use crate::validate::model;

/// Runs `ImportTable`. The table is checked as CreateTable checks one.
pub(crate) async fn import_table<E: Engine>(
    api: &Session<'_, E>,
    request: ImportTableRequest,
) -> Result<Infallible, ApiError> {
    model::check(&request)?;
    check_format(&request)?;
    let definition = definition(request.table_creation_parameters.unwrap_or_default());
    let name = definition.table_name.as_deref().unwrap_or_default();
    create_table::check(api.home(), name, &definition)?;
    api.authorize_new_table(name, || Wish::new("ImportTable"))?;
    if api.database.current_table(api.home(), name).await?.is_some() {
        return Err(ApiError::resource_in_use(format!("Table already exists: {name}")));
    }
    Err(ApiError::validation("This server does not import tables yet"))
}

/// Refuses options of another format than the one that is named.
fn check_format(request: &ImportTableRequest) -> Result<(), ApiError> {
    let has_csv =
        request.input_format_options.as_ref().is_some_and(|options| options.csv.is_some());
    match request.input_format.as_deref() {
        Some("CSV") | None => Ok(()),
        Some(_) if !has_csv => Ok(()),
        Some(format) => Err(ApiError::invalid_request(format!(
            "Unsupported InputFormatOptions for the given input format: {format}."
        ))),
    }
}

/// The table to make, as CreateTable takes it.
fn definition(parameters: TableCreationParameters) -> CreateTableRequest {
    CreateTableRequest {
        table_name: parameters.table_name,
        attribute_definitions: parameters.attribute_definitions,
        key_schema: parameters.key_schema,
        billing_mode: parameters.billing_mode,
        provisioned_throughput: parameters.provisioned_throughput,
        on_demand_throughput: parameters.on_demand_throughput,
        sse_specification: parameters.sse_specification,
        global_secondary_indexes: parameters.global_secondary_indexes,
        vector_indexes: parameters.vector_indexes,
        ..CreateTableRequest::default()
    }
}
