//! `ListContributorInsights`: names the tables and indexes whose keys are watched, a page at a
//! time.

use monotable_database::Insights;
use monotable_database::schema::TableSchema;
use monotable_protocol::list_contributor_insights::{
    ContributorInsightsSummary, ListContributorInsightsRequest, ListContributorInsightsResponse,
};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::render::contributor_insights as render;
use crate::session::Session;
use crate::validate::constraint::{Violations, old, value_at_most};
use crate::validate::table_name;

/// The most entries of a page.
const PAGE_MAX: usize = 100;
/// The most tables that are looked at for a page. What is not found among them is found on the next
/// page: like AWS's, a page may be empty and not the last one.
const TABLES_MAX: usize = 100;

/// The table and index of the entry after which a page starts, as its token names them.
type ListedEntry<'a> = (&'a str, Option<&'a str>);

/// Runs `ListContributorInsights`. What is disabled is not listed.
pub(crate) async fn list_contributor_insights<E: Engine>(
    api: &Session<'_, E>,
    request: ListContributorInsightsRequest,
) -> Result<ListContributorInsightsResponse, ApiError> {
    let limit = limit(&request)?;
    let start = request.next_token.as_deref().map(place);
    match &request.table_name {
        Some(_) => {
            let name = table_name::of_table(&request.table_name)?;
            let wish = || Wish::new("ListContributorInsights");
            let table = api.named_table(name, wish).await?;
            let found = summaries(table.schema(), start, api.database.now_millis());
            Ok(page(found, limit, None))
        }
        None => list_all(api, start, limit).await,
    }
}

fn limit(request: &ListContributorInsightsRequest) -> Result<usize, ApiError> {
    let mut violations = Violations::default();
    let asked = request.max_results.map_or(PAGE_MAX as i64, i64::from);
    if asked > PAGE_MAX as i64 {
        violations.push(old(asked, "maxResults", &value_at_most(PAGE_MAX as i64)));
    }
    violations.finish()?;
    // What asks for nothing is given one entry at a time, so that pages come to an end.
    Ok(usize::try_from(asked).unwrap_or(1).max(1))
}

async fn list_all<E: Engine>(
    api: &Session<'_, E>,
    start: Option<ListedEntry<'_>>,
    limit: usize,
) -> Result<ListContributorInsightsResponse, ApiError> {
    api.authorize_all_tables("ListContributorInsights")?;
    let (home, now_millis) = (api.home(), api.database.now_millis());
    let mut found = Vec::new();
    if let Some((table, _)) = start.filter(|(_, index)| *index != Some(""))
        && let Some(table) = api.database.current_table(home, table).await?
    {
        found.extend(summaries(table.schema(), start, now_millis));
    }
    let after = start.map(|(table, _)| table);
    let names = api.database.table_names(home, after, TABLES_MAX).await?;
    for name in &names {
        if let Some(table) = api.database.current_table(home, name).await? {
            found.extend(summaries(table.schema(), None, now_millis));
        }
    }
    let last = names.last().filter(|_| names.len() == TABLES_MAX).cloned();
    Ok(page(found, limit, last))
}

/// The entries of a table, itself first; those after a place, if that is in this table.
fn summaries(
    schema: &TableSchema,
    start: Option<ListedEntry<'_>>,
    now_millis: u64,
) -> Vec<ContributorInsightsSummary> {
    let table = std::iter::once((None, schema.insights));
    let indexes = schema.indexes.iter().map(|index| (Some(index.name.as_str()), index.insights));
    let all: Vec<(Option<&str>, Option<Insights>)> = table.chain(indexes).collect();
    let is_start = |(index, _): &(Option<&str>, Option<Insights>)| {
        start.is_some_and(|(table, start)| table == schema.name && start == *index)
    };
    let first = all.iter().position(is_start).map_or(0, |at| at + 1);
    let listed = all.into_iter().skip(first).filter_map(|(index, insights)| {
        let status = render::status(insights, now_millis);
        (status != "DISABLED").then(|| ContributorInsightsSummary {
            table_name: Some(schema.name.clone()),
            index_name: index.map(str::to_owned),
            contributor_insights_status: Some(status.to_owned()),
            contributor_insights_mode: insights.map(|it| render::mode(it.mode).to_owned()),
        })
    });
    listed.collect()
}

/// A page of what was found; more may follow after `last`, the last table that was looked at.
fn page(
    mut found: Vec<ContributorInsightsSummary>,
    limit: usize,
    last: Option<String>,
) -> ListContributorInsightsResponse {
    let is_cut = found.len() > limit;
    found.truncate(limit);
    let cut = found.last().filter(|_| is_cut).map(token);
    ListContributorInsightsResponse {
        contributor_insights_summaries: Some(found),
        next_token: cut.or(last.map(|table| format!("{table}/"))),
    }
}

fn token(entry: &ContributorInsightsSummary) -> String {
    let table = entry.table_name.clone().unwrap_or_default();
    match &entry.index_name {
        Some(index) => format!("{table}/{index}"),
        None => table,
    }
}

/// The place in a token. One that ends in a slash is after the last entry of a table.
fn place(token: &str) -> ListedEntry<'_> {
    token.split_once('/').map_or((token, None), |(table, index)| (table, Some(index)))
}
