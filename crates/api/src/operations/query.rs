//! `Query`.

use monotable_database::schema::{IndexSchema, TableSchema};
use monotable_database::{PageRequest, Span};
use monotable_expr::{Condition, KeyCondition, Projection};
use monotable_item::Item;
use monotable_protocol::query::{QueryRequest, QueryResponse};
use monotable_storage::{Direction, Engine};

use crate::authorization::{Leading, Named, Wish};
use crate::error::ApiError;
use crate::legacy;
use crate::operations::page::{self, Members};
use crate::session::Session;
use crate::validate::constraint::{Violations, length_at_least, new, old, value_at_least};
use crate::validate::enums::{RETURN_CONSUMED, SELECT, Select, refuse};
use crate::validate::expressions::{Placeholders, WithoutExpressions, check_mixing};
use crate::validate::select::{self, PageOutput};
use crate::validate::table_name::{self, Layer};
use crate::validate::{index, key_selection, keys, start_key};
use crate::wording::expression::{self, Kind};
use crate::wording::value::ValueLayer;

/// Runs `Query`: reads a page of the items with one partition key, in sort key order.
pub(crate) async fn query<E: Engine>(
    api: &Session<'_, E>,
    request: QueryRequest,
) -> Result<QueryResponse, ApiError> {
    let members = check_members(&request)?;
    let parts = check_request(&request, members.select)?;
    let table = api.table(members.table_name, || wish(&request, &members, &parts)).await?;
    let schema = table.schema();
    index::check_queried(schema, &request.index_name, request.consistent_read)?;
    let index = index::find(schema, &request.index_name, request.consistent_read)?;
    index::check_settled(index, || api.database.now_millis())?;
    let page_request = page_request(schema, index, &request, parts, members.select)?;
    page::run(api, "Query", &members, &table, &page_request).await
}

/// What policies are asked about the request.
fn wish<'a>(request: &'a QueryRequest, members: &Members<'_>, parts: &'a Parts<'_>) -> Wish<'a> {
    let key_condition = &parts.key_condition;
    let projection = parts.projection.as_ref();
    let mut wish = page::wish("Query", &request.index_name, members.select, projection);
    wish.leading = Leading::Condition(key_condition);
    wish.named.push(Named::KeyCondition(key_condition));
    wish.on_condition(parts.filter.as_ref()).consuming(&request.return_consumed_capacity)
}

fn check_members(request: &QueryRequest) -> Result<Members<'_>, ApiError> {
    let table_name = table_name::of_items(&request.table_name, Layer::New)?;
    if request.limit.is_some_and(|limit| limit < 1) {
        return Err(refuse(new("Limit", &value_at_least(1))));
    }
    check_conditional_operator(request)?;
    let mut violations = Violations::default();
    let consumed = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    let select = SELECT.read(&request.select);
    violations.extend(consumed.as_ref().err().cloned());
    if request.attributes_to_get.as_ref().is_some_and(Vec::is_empty) {
        violations.push(old("[]", "attributesToGet", &length_at_least(1)));
    }
    violations.extend(select.as_ref().err().cloned());
    if let Some(name) = &request.index_name {
        violations.append(table_name::violations(name, "indexName"));
    }
    violations.finish()?;
    Ok(Members { table_name, consumed: consumed.map_err(refuse)?, select: select.map_err(refuse)? })
}

/// Refuses an unknown operator between conditions, which is reported before a wrong `Select`.
fn check_conditional_operator(request: &QueryRequest) -> Result<(), ApiError> {
    let has_several = request.query_filter.as_ref().is_some_and(|filter| filter.len() > 1);
    match request.conditional_operator.as_deref() {
        None | Some("AND" | "OR") => Ok(()),
        Some(_) if has_several => Err(ApiError::validation(legacy::UNKNOWN_CONDITIONAL_OPERATOR)),
        Some(_) => Ok(()),
    }
}

/// The parts of a request that need no schema.
struct Parts<'r> {
    start: Option<&'r Item>,
    key_condition: KeyCondition,
    filter: Option<Condition>,
    projection: Option<Projection>,
}

fn check_request(request: &QueryRequest, select: Option<Select>) -> Result<Parts<'_>, ApiError> {
    check_combination(request)?;
    let layer = ValueLayer::Current;
    let legacy_filter =
        legacy::filter(&request.query_filter, &request.conditional_operator, layer)?;
    let legacy_projection = legacy::attributes_to_get(&request.attributes_to_get)?;
    let start = request.exclusive_start_key.as_ref();
    let start = start.map(|start| keys::values(start, layer)).transpose()?;
    let legacy_keys = legacy::key_conditions(&request.key_conditions, &request.index_name, layer)?;
    if request.key_condition_expression.is_none() && legacy_keys.is_none() {
        return Err(no_key_condition());
    }
    let names = &request.expression_attribute_names;
    let values = &request.expression_attribute_values;
    let mut expressions = Placeholders::new(names, values, layer)?.expressions();
    let key_condition =
        expressions.condition(Kind::KeyCondition, &request.key_condition_expression)?;
    let filter = expressions.condition(Kind::Filter, &request.filter_expression)?;
    let projection = expressions.projection(&request.projection_expression)?;
    expressions.finish()?;
    select::check(
        select,
        &request.index_name,
        &request.projection_expression,
        &request.attributes_to_get,
    )
    .map_err(ApiError::enveloped)?;
    let key_condition = key_condition.as_ref().map(KeyCondition::new).transpose();
    let key_condition = key_condition.map_err(expression::key_condition)?.or(legacy_keys);
    Ok(Parts {
        start,
        key_condition: key_condition.ok_or_else(no_key_condition)?,
        filter: filter.or(legacy_filter),
        projection: projection.or(legacy_projection),
    })
}

fn no_key_condition() -> ApiError {
    ApiError::validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the \
         request.",
    )
}

fn check_combination(request: &QueryRequest) -> Result<(), ApiError> {
    let has_key_expression = request.key_condition_expression.is_some();
    check_mixing(
        &[
            ("AttributesToGet", request.attributes_to_get.is_some()),
            ("QueryFilter", request.query_filter.is_some()),
            ("ConditionalOperator", request.conditional_operator.is_some()),
            // Beside a filter expression, key conditions from before expressions are still allowed.
            ("KeyConditions", request.key_conditions.is_some() && has_key_expression),
        ],
        &[
            ("ProjectionExpression", request.projection_expression.is_some()),
            ("FilterExpression", request.filter_expression.is_some()),
            ("KeyConditionExpression", has_key_expression),
        ],
    )?;
    let any_with_values = has_key_expression || request.filter_expression.is_some();
    let placeholders = WithoutExpressions {
        names: request.expression_attribute_names.is_some(),
        values: request.expression_attribute_values.is_some(),
        any_expression: any_with_values || request.projection_expression.is_some(),
        any_with_values,
        suffix: ": FilterExpression and KeyConditionExpression are null",
    };
    placeholders.check()
}

fn page_request(
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    request: &QueryRequest,
    parts: Parts<'_>,
    select: Option<Select>,
) -> Result<PageRequest, ApiError> {
    let read = index.map_or(&schema.key, |index| &index.key);
    parts.start.map_or(Ok(()), |start| start_key::check_queried(schema, index, start))?;
    let selection = key_selection::select(read, &parts.key_condition, parts.start)?;
    let start = parts.start.map(|start| start_key::of_query(schema, index, start, &selection));
    let start = start.transpose()?;
    keys::check_projection(schema, parts.projection.as_ref())?;
    check_filter(request, schema, index, parts.filter.as_ref())?;
    let output = PageOutput::new(schema, index, select, parts.projection)?;
    keys::check_condition(schema, parts.filter.as_ref())?;
    Ok(PageRequest {
        index: index.map(|index| index.id),
        span: Span::Partition(selection),
        direction: match request.scan_index_forward {
            Some(false) => Direction::Backward,
            Some(true) | None => Direction::Forward,
        },
        start,
        limit: page::limit(request.limit),
        consistency: page::consistency(request.consistent_read),
        filter: parts.filter,
        output: output.output,
        fetch_items: output.fetch_items,
    })
}

/// Refuses a filter on the keys of what is queried.
fn check_filter(
    request: &QueryRequest,
    schema: &TableSchema,
    index: Option<&IndexSchema>,
    filter: Option<&Condition>,
) -> Result<(), ApiError> {
    let Some(filter) = filter else { return Ok(()) };
    let roots = filter.roots();
    let read = index.map_or(&schema.key, |index| &index.key);
    let parameter =
        if request.query_filter.is_some() { "QueryFilter" } else { "Filter Expression" };
    match read.attributes().find(|part| roots.contains(part.name.as_str())) {
        None => Ok(()),
        Some(part) => Err(ApiError::validation(format!(
            "{parameter} can only contain non-primary key attributes: Primary key attribute: {}",
            part.name
        ))),
    }
}
