//! `DeleteTable`: removes a table with all its items.

use monotable_protocol::delete_table::{DeleteTableRequest, DeleteTableResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::table_description;
use crate::session::Session;
use crate::validate::{admission, table_name};
use crate::wording;

/// Runs `DeleteTable`. The answer shows the table as it is being deleted; its name is free at once,
/// if changes take no time.
pub(crate) async fn delete_table<E: Engine>(
    api: &Session<'_, E>,
    request: DeleteTableRequest,
) -> Result<DeleteTableResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let table = api.named_table(name, || Wish::new("DeleteTable")).await?;
    let schema = table.schema();
    admission::check_deletion(schema, api.database.now_millis())?;
    let statistics = api.database.statistics(schema).await?;
    let deleted = api.database.delete_table(&table).await;
    deleted.map_err(|error| wording::table::word(error, name.name()))?;
    api.observer.keep_keys(schema.id.0, |_| false);
    let description = table_description::deleting(schema, &statistics, api.database.now_millis());
    Ok(DeleteTableResponse { table_description: Some(description) })
}
