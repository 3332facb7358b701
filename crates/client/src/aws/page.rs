//! Operations that read a page of items.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::scan::ScanOutput;

use super::attempts::send;
use super::error::refused;
use super::outcome;
use super::parameter::{capacity, count, names, select, values};
use super::value::attributes;
use crate::backend::{BackendError, PageOutcome, Query, Scan};

pub(super) async fn query(client: &Client, request: Query) -> Result<PageOutcome, BackendError> {
    let request = client
        .query()
        .table_name(&*request.table)
        .set_index_name(request.index)
        .key_condition_expression(request.key_condition)
        .set_filter_expression(request.filter)
        .set_projection_expression(request.projection)
        .set_expression_attribute_names(names(request.names))
        .set_expression_attribute_values(values(request.values))
        .set_select(select(request.select))
        .set_scan_index_forward((!request.forward).then_some(false))
        .set_limit(request.limit.map(count))
        .set_exclusive_start_key(request.start_after.map(attributes))
        .set_consistent_read(request.consistent.then_some(true))
        .set_return_consumed_capacity(capacity(request.capacity));
    let QueryOutput { items, count, scanned_count, last_evaluated_key, consumed_capacity, .. } =
        send!(request).map_err(refused)?;
    Ok(PageOutcome {
        items: outcome::items(items)?,
        count: number(count),
        scanned_count: number(scanned_count),
        last_key: outcome::item(last_evaluated_key)?,
        consumed: consumed_capacity.map(outcome::consumed),
    })
}

pub(super) async fn scan(client: &Client, request: Scan) -> Result<PageOutcome, BackendError> {
    let request = client
        .scan()
        .table_name(&*request.table)
        .set_index_name(request.index)
        .set_filter_expression(request.filter)
        .set_projection_expression(request.projection)
        .set_expression_attribute_names(names(request.names))
        .set_expression_attribute_values(values(request.values))
        .set_select(select(request.select))
        .set_segment(request.segment.map(|segment| count(segment.number)))
        .set_total_segments(request.segment.map(|segment| count(segment.of)))
        .set_limit(request.limit.map(count))
        .set_exclusive_start_key(request.start_after.map(attributes))
        .set_consistent_read(request.consistent.then_some(true))
        .set_return_consumed_capacity(capacity(request.capacity));
    let ScanOutput { items, count, scanned_count, last_evaluated_key, consumed_capacity, .. } =
        send!(request).map_err(refused)?;
    Ok(PageOutcome {
        items: outcome::items(items)?,
        count: number(count),
        scanned_count: number(scanned_count),
        last_key: outcome::item(last_evaluated_key)?,
        consumed: consumed_capacity.map(outcome::consumed),
    })
}

fn number(count: i32) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
