//! `UpdateContributorInsights`: has the keys of a table or index watched, or no longer.

use monotable_database::{Insights, InsightsChange};
use monotable_protocol::update_contributor_insights::{
    UpdateContributorInsightsRequest, UpdateContributorInsightsResponse,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::contributor_insights as render;
use crate::session::Session;
use crate::validate::{insights, table_name};
use crate::wording;

/// Runs `UpdateContributorInsights`. What is so already is no change, and is answered as it is.
pub(crate) async fn update_contributor_insights<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateContributorInsightsRequest,
) -> Result<UpdateContributorInsightsResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let change = insights::change(&request)?;
    let wish =
        || Wish { index: request.index_name.as_deref(), ..Wish::new("UpdateContributorInsights") };
    let table = api.named_table(name, wish).await?;
    let (schema, now_millis) = (table.schema(), api.database.now_millis());
    insights::check_index(schema, &request.index_name)?;
    let known = schema.insights_of(request.index_name.as_deref());
    let Some(changed) = Insights::changed(known, change, now_millis, None) else {
        return Ok(answer(&request, name.name(), render::status(known, now_millis), known));
    };
    if change != InsightsChange::Disable {
        insights::check_state(schema, &request.index_name, now_millis)?;
    }
    let updated = api.database.update_insights(&table, request.index_name.clone(), change).await;
    updated.map_err(|error| wording::table::word(error, name.name()))?;
    if !changed.is_enabled {
        api.observer.keep_keys(schema.id.0, |index| index != request.index_name.as_deref());
    }
    Ok(answer(&request, name.name(), render::changing(changed), Some(changed)))
}

fn answer(
    request: &UpdateContributorInsightsRequest,
    table: &str,
    status: &str,
    insights: Option<Insights>,
) -> UpdateContributorInsightsResponse {
    UpdateContributorInsightsResponse {
        table_name: Some(table.to_owned()),
        index_name: request.index_name.clone(),
        contributor_insights_status: Some(status.to_owned()),
        contributor_insights_mode: insights.map(|it| render::mode(it.mode).to_owned()),
    }
}
