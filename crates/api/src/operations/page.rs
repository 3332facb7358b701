//! What Query and Scan share: running a page and turning it into a response.

use monotable_database::capacity::Consistency;
use monotable_database::{Page, PageRequest, Table};
use monotable_expr::Projection;
use monotable_protocol::ResponseItem;
use monotable_protocol::shapes::PageResponse;
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Spent};
use crate::observation;
use crate::render::capacity::{self, Split};
use crate::session::Session;
use crate::validate::enums::{ReturnConsumed, Select};
use crate::validate::table_name::TableName;

/// The members of a Query or Scan that say what is read and returned, checked.
pub(crate) struct Members<'r> {
    pub(crate) table_name: TableName<'r>,
    pub(crate) consumed: ReturnConsumed,
    pub(crate) select: Option<Select>,
}

/// Reads a page, and nothing more.
pub(crate) async fn read<E: Engine>(
    api: &Session<'_, E>,
    operation: &'static str,
    table: &Table,
    request: &PageRequest,
) -> Result<Page, ApiError> {
    let pass = gate::enter(api, || Entry::single(operation, Member::page(table, request))).await?;
    let page = match pass.stale_age(0) {
        None => api.database.page(table, request).await?,
        // Behind a pointer, so that reads of now have no room for it.
        Some(age) => Box::pin(api.database.page_before(table, request, age)).await?,
    };
    observation::note_page(page.count, page.scanned_count);
    pass.leave(|| vec![Spent::read(0, &page.consumed)])?;
    Ok(page)
}

/// Reads a page and renders it.
pub(crate) async fn run<E: Engine>(
    api: &Session<'_, E>,
    operation: &'static str,
    members: &Members<'_>,
    table: &Table,
    request: &PageRequest,
) -> Result<PageResponse, ApiError> {
    let page = read(api, operation, table, request).await?;
    let only_count = matches!(request.output, monotable_database::Output::Count);
    let items = page.items.into_iter().map(ResponseItem::Stored);
    Ok(PageResponse {
        items: (!only_count).then(|| items.collect()),
        count: Some(page.count as i64),
        scanned_count: Some(page.scanned_count as i64),
        last_evaluated_key: page.last_key,
        consumed_capacity: capacity::render(
            members.table_name,
            table.schema(),
            &page.consumed,
            members.consumed,
            Split::None,
        ),
    })
}

/// What policies are asked about a page, before what only a Query has. What is returned when the
/// request does not say it follows from the rest of it.
pub(crate) fn wish<'r>(
    action: &'static str,
    index_name: &'r Option<String>,
    select: Option<Select>,
    projection: Option<&'r Projection>,
) -> Wish<'r> {
    let mut wish = Wish::new(action).returning(projection);
    wish.index = index_name.as_deref();
    wish.select = match select {
        Some(Select::AllAttributes) => Some("ALL_ATTRIBUTES"),
        Some(Select::AllProjectedAttributes) => Some("ALL_PROJECTED_ATTRIBUTES"),
        Some(Select::SpecificAttributes) => Some("SPECIFIC_ATTRIBUTES"),
        Some(Select::Count) => Some("COUNT"),
        None if projection.is_none() && index_name.is_some() => Some("ALL_PROJECTED_ATTRIBUTES"),
        None => wish.select,
    };
    wish
}

/// The most entries to evaluate, from a limit that was checked.
pub(crate) fn limit(limit: Option<i32>) -> Option<usize> {
    limit.and_then(|limit| usize::try_from(limit).ok())
}

/// How fresh a read must be.
pub(crate) fn consistency(consistent_read: Option<bool>) -> Consistency {
    match consistent_read {
        Some(true) => Consistency::Strong,
        Some(false) | None => Consistency::Eventual,
    }
}
