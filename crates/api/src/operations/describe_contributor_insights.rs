//! `DescribeContributorInsights`: tells whether the keys of a table or index are watched.

use monotable_protocol::describe_contributor_insights::{
    DescribeContributorInsightsRequest, DescribeContributorInsightsResponse,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::contributor_insights as render;
use crate::render::table_description::timestamp;
use crate::session::Session;
use crate::validate::constraint::Violations;
use crate::validate::{insights, table_name};

/// Runs `DescribeContributorInsights`.
pub(crate) async fn describe_contributor_insights<E: Engine>(
    api: &Session<'_, E>,
    request: DescribeContributorInsightsRequest,
) -> Result<DescribeContributorInsightsResponse, ApiError> {
    let name = table_name::of_table(&request.table_name)?;
    let mut violations = Violations::default();
    insights::note_index_name(&mut violations, &request.index_name);
    violations.finish()?;
    let wish = || Wish {
        index: request.index_name.as_deref(),
        ..Wish::new("DescribeContributorInsights")
    };
    let table = api.named_table(name, wish).await?;
    let (schema, now_millis) = (table.schema(), api.database.now_millis());
    insights::check_index(schema, &request.index_name)?;
    let index = request.index_name.as_deref();
    let known = schema.insights_of(index);
    let enabled = known.filter(|known| known.is_enabled);
    Ok(DescribeContributorInsightsResponse {
        table_name: Some(schema.name.clone()),
        index_name: request.index_name.clone(),
        contributor_insights_rule_list: enabled.map(|it| render::rules(schema, index, it)),
        contributor_insights_status: Some(render::status(known, now_millis).to_owned()),
        last_update_date_time: known.map(|known| timestamp(known.changed_millis)),
        contributor_insights_mode: known.map(|known| render::mode(known.mode).to_owned()),
    })
}
