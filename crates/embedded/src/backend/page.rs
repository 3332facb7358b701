//! Operations that read a page of items.

use monotable::backend::{BackendError, PageOutcome, Query, Scan};
use monotable_protocol::WireItem;
use monotable_protocol::query::QueryRequest;
use monotable_protocol::scan::ScanRequest;
use monotable_protocol::shapes::PageResponse;

use super::outcome;
use super::parameter::{capacity, count, names, select, table_name, values};

pub(super) fn query(request: Query) -> QueryRequest {
    QueryRequest {
        table_name: table_name(&request.table),
        index_name: request.index,
        select: select(request.select),
        limit: request.limit.map(count),
        consistent_read: Some(request.consistent),
        scan_index_forward: Some(request.forward),
        exclusive_start_key: request.start_after.map(WireItem::of),
        return_consumed_capacity: capacity(request.capacity),
        projection_expression: request.projection,
        filter_expression: request.filter,
        key_condition_expression: Some(request.key_condition),
        expression_attribute_names: names(request.names),
        expression_attribute_values: values(request.values),
        ..QueryRequest::default()
    }
}

pub(super) fn scan(request: Scan) -> ScanRequest {
    ScanRequest {
        table_name: table_name(&request.table),
        index_name: request.index,
        limit: request.limit.map(count),
        select: select(request.select),
        exclusive_start_key: request.start_after.map(WireItem::of),
        return_consumed_capacity: capacity(request.capacity),
        total_segments: request.segment.map(|segment| count(segment.of)),
        segment: request.segment.map(|segment| count(segment.number)),
        projection_expression: request.projection,
        filter_expression: request.filter,
        expression_attribute_names: names(request.names),
        expression_attribute_values: values(request.values),
        consistent_read: Some(request.consistent),
        ..ScanRequest::default()
    }
}

pub(super) fn page(response: PageResponse) -> Result<PageOutcome, BackendError> {
    let number = |count: Option<i64>| count.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(PageOutcome {
        items: outcome::items(response.items)?,
        count: number(response.count),
        scanned_count: number(response.scanned_count),
        last_key: response.last_evaluated_key,
        consumed: response.consumed_capacity.map(outcome::consumed),
    })
}
