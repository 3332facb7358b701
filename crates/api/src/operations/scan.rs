//! `Scan`.

use monotable_database::schema::{IndexSchema, TableSchema};
use monotable_database::{PageRequest, Span};
use monotable_expr::{Condition, Projection};
use monotable_item::Item;
use monotable_item::limits::SCAN_SEGMENTS_MAX;
use monotable_protocol::WireItem;
use monotable_protocol::scan::{ScanRequest, ScanResponse};
use monotable_storage::{Direction, Engine};

use crate::error::ApiError;
use crate::legacy;
use crate::operations::page::{self, Members};
use crate::session::Session;
use crate::validate::constraint::{
    Violations, length_at_least, old, value_at_least, value_at_most,
};
use crate::validate::enums::{RETURN_CONSUMED, SELECT, Select, refuse};
use crate::validate::expressions::{Placeholders, WithoutExpressions, check_mixing};
use crate::validate::select::{self, PageOutput};
use crate::validate::table_name::{self, Layer};
use crate::validate::{index, keys, start_key};
use crate::wording::expression::Kind;
use crate::wording::value::{self, ValueLayer};

/// Runs `Scan`: reads a page of a table, an index, or one segment of it.
pub(crate) async fn scan<E: Engine>(
    api: &Session<'_, E>,
    request: ScanRequest,
) -> Result<ScanResponse, ApiError> {
    let members = check_members(&request)?;
    let parts = check_request(&request, members.select)?;
    let wish = || {
        let projection = parts.projection.as_ref();
        let wish = page::wish("Scan", &request.index_name, members.select, projection);
        wish.on_condition(parts.filter.as_ref()).consuming(&request.return_consumed_capacity)
    };
    let table = api.table(members.table_name, wish).await?;
    let schema = table.schema();
    index::check_scanned(schema, request.index_name.as_deref())?;
    let index = index::find(schema, &request.index_name, request.consistent_read);
    let index = index.map_err(|error| unknown_index(&request, schema, error))?;
    index::check_settled(index, || api.database.now_millis())?;
    let page_request = page_request(schema, index, &request, parts, members.select)?;
    page::run(api, "Scan", &members, &table, &page_request).await
}

fn check_members(request: &ScanRequest) -> Result<Members<'_>, ApiError> {
    let mut violations = Violations::default();
    let range = |value: Option<i32>, path: &str, min: i64, max: i64| {
        let value = value.map(i64::from)?;
        if value < min {
            return Some(old(value, path, &value_at_least(min)));
        }
        (value > max).then(|| old(value, path, &value_at_most(max)))
    };
    violations.extend(range(request.limit, "limit", 1, i64::MAX));
    let consumed = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    let select = SELECT.read(&request.select);
    violations.extend(consumed.as_ref().err().cloned());
    if request.attributes_to_get.as_ref().is_some_and(Vec::is_empty) {
        violations.push(old("[]", "attributesToGet", &length_at_least(1)));
    }
    violations.extend(range(request.segment, "segment", 0, SCAN_SEGMENTS_MAX - 1));
    violations.extend(select.as_ref().err().cloned());
    violations.extend(range(request.total_segments, "totalSegments", 1, SCAN_SEGMENTS_MAX));
    if let Some(name) = &request.index_name {
        violations.append(table_name::violations(name, "indexName"));
    }
    let table_name = table_name::of_items(&request.table_name, Layer::Old)?;
    violations.finish()?;
    Ok(Members { table_name, consumed: consumed.map_err(refuse)?, select: select.map_err(refuse)? })
}

/// The parts of a request that need no schema.
struct Parts<'r> {
    start: Option<&'r Item>,
    span: Span,
    filter: Option<Condition>,
    projection: Option<Projection>,
}

fn check_request(request: &ScanRequest, select: Option<Select>) -> Result<Parts<'_>, ApiError> {
    check_combination(request)?;
    let layer = ValueLayer::Older;
    let legacy_projection = legacy::attributes_to_get(&request.attributes_to_get)?;
    let legacy_filter = legacy::filter(&request.scan_filter, &request.conditional_operator, layer)?;
    let start = request.exclusive_start_key.as_ref().map(start_values).transpose()?;
    let span = check_segments(request)?;
    let names = &request.expression_attribute_names;
    let values = &request.expression_attribute_values;
    let mut expressions = Placeholders::new(names, values, layer)?.expressions();
    let filter = expressions.condition(Kind::Filter, &request.filter_expression)?;
    let projection = expressions.projection(&request.projection_expression)?;
    expressions.finish()?;
    select::check(
        select,
        &request.index_name,
        &request.projection_expression,
        &request.attributes_to_get,
    )?;
    Ok(Parts {
        start,
        span,
        filter: filter.or(legacy_filter),
        projection: projection.or(legacy_projection),
    })
}

fn check_combination(request: &ScanRequest) -> Result<(), ApiError> {
    let has_filter = request.filter_expression.is_some();
    check_mixing(
        &[
            ("AttributesToGet", request.attributes_to_get.is_some()),
            ("ScanFilter", request.scan_filter.is_some()),
            ("ConditionalOperator", request.conditional_operator.is_some()),
        ],
        &[
            ("ProjectionExpression", request.projection_expression.is_some()),
            ("FilterExpression", has_filter),
        ],
    )?;
    let placeholders = WithoutExpressions {
        names: request.expression_attribute_names.is_some(),
        values: request.expression_attribute_values.is_some(),
        any_expression: has_filter || request.projection_expression.is_some(),
        any_with_values: has_filter,
        suffix: ": FilterExpression is null",
    };
    placeholders.check()
}

/// The values of a start key. Most refusals say that it is the start key that is wrong.
fn start_values(start: &WireItem) -> Result<&Item, ApiError> {
    use monotable_item::Type;
    use monotable_protocol::ValueError;

    let layer = ValueLayer::Older;
    start.0.as_ref().map_err(|invalid| match &invalid.error {
        ValueError::Number { .. }
        | ValueError::Duplicates { .. }
        | ValueError::EmptySet(Type::NumberSet) => value::word(&invalid.error, layer),
        error => ApiError::validation(format!(
            "The provided starting key is invalid: {}",
            value::text(error, layer)
        )),
    })
}

fn check_segments(request: &ScanRequest) -> Result<Span, ApiError> {
    match (request.segment, request.total_segments) {
        (None, None) => Ok(Span::Everything),
        (Some(_), None) => Err(ApiError::validation(
            "The TotalSegments parameter is required but was not present in the request when \
             Segment parameter is present",
        )),
        (None, Some(_)) => Err(ApiError::validation(
            "The Segment parameter is required but was not present in the request when parameter \
             TotalSegments is present",
        )),
        (Some(segment), Some(total)) if segment >= total => Err(ApiError::validation(format!(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
             Segment: {segment} is not less than TotalSegments: {total}"
        ))),
        (Some(segment), Some(total)) => {
            Ok(Span::Segment { segment: segment.unsigned_abs(), total: total.unsigned_abs() })
        }
    }
}

/// An unknown index beside a start key is answered as a wrong start key.
fn unknown_index(request: &ScanRequest, schema: &TableSchema, error: ApiError) -> ApiError {
    let is_unknown = request.index_name.as_ref().is_some_and(|name| schema.index(name).is_none());
    if is_unknown && request.exclusive_start_key.is_some() {
        return ApiError::validation("The provided starting key is invalid");
    }
    error
}

fn page_request(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    request: &ScanRequest,
    parts: Parts<'_>,
    select: Option<Select>,
) -> Result<PageRequest, ApiError> {
    parts.start.map_or(Ok(()), |start| start_key::check_scanned(schema, index, start))?;
    let output = PageOutput::new(schema, index, select, parts.projection.clone())?;
    let start = parts.start.map(|start| start_key::of_scan(schema, index, start, &parts.span));
    let start = start.transpose()?;
    keys::check_projection(schema, parts.projection.as_ref())?;
    keys::check_condition(schema, parts.filter.as_ref())?;
    Ok(PageRequest {
        index: index.map(|index| index.id),
        span: parts.span,
        direction: Direction::Forward,
        start,
        limit: page::limit(request.limit),
        consistency: page::consistency(request.consistent_read),
        filter: parts.filter,
        output: output.output,
        fetch_items: output.fetch_items,
    })
}
