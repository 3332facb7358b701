//! `UpdateTimeToLive`: lets the items of a table expire, or no longer.

use monotable_protocol::update_time_to_live::{UpdateTimeToLiveRequest, UpdateTimeToLiveResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::session::Session;
use crate::validate::{admission, table_name, time_to_live};
use crate::wording;

/// Runs `UpdateTimeToLive`. The answer repeats what was asked for.
pub(crate) async fn update_time_to_live<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateTimeToLiveRequest,
) -> Result<UpdateTimeToLiveResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let change = time_to_live::change(&request.time_to_live_specification)?;
    let table = api.named_table(name, || Wish::new("UpdateTimeToLive")).await?;
    admission::check_time_to_live(table.schema(), api.database.now_millis())?;
    let changed = api.database.update_time_to_live(&table, change).await;
    changed.map_err(wording::time_to_live::word)?;
    let time_to_live_specification = request.time_to_live_specification;
    Ok(UpdateTimeToLiveResponse { time_to_live_specification })
}
