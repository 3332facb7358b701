//! `SearchVectors`.

use monotable_database::schema::{TableSchema, VectorIndexSchema};
use monotable_database::{IndexState, VectorMatch, VectorSearch, read_numbers};
use monotable_expr::{Projection, SearchCondition};
use monotable_item::Value;
use monotable_item::limits::{SEARCH_BYTES_MAX, SEARCH_RESULTS_MAX, VECTOR_DIMENSIONS_MAX};
use monotable_protocol::search_vectors::{
    SearchResultItem, SearchVectorsMembers, SearchVectorsRequest, SearchVectorsResponse,
};
use monotable_protocol::shapes::VectorCapacity;
use monotable_protocol::{ResponseItem, WireValue};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::observation;
use crate::session::Session;
use crate::validate::constraint::{length_at_least, length_at_most, new, value_at_least};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed, refuse};
use crate::validate::expressions::{Placeholders, WithoutExpressions};
use crate::validate::search_condition::{self, SearchScope};
use crate::validate::table_name::{self, Layer, TableName};
use crate::wording::expression::Kind;
use crate::wording::value::ValueLayer;

/// What a search is charged for each dimension and for each result. It was measured on AWS, which
/// searches approximately and does not charge the same for the same search every time.
const BYTES_PER_DIMENSION: f64 = 30.6875;
const BYTES_PER_RESULT: f64 = 72.0;
const BYTES_MIN: f64 = 1024.0;

/// Runs `SearchVectors`: finds the items whose vectors are nearest, the nearest first.
pub(crate) async fn search_vectors<E: Engine>(
    api: &Session<'_, E>,
    request: SearchVectorsRequest,
) -> Result<SearchVectorsResponse, ApiError> {
    let members = check_members(&request)?;
    let parts = check_request(&request.members)?;
    let wish = || {
        let wish = Wish { index: Some(members.index_name), ..Wish::new("SearchVectors") };
        wish.consuming(&request.members.return_consumed_capacity)
    };
    let table = api.table(members.table_name, wish).await?;
    let schema = table.schema();
    let index = find_index(schema, members.index_name, api.database.now_millis())?;
    let vector = check_vector(index, members.vector)?;
    let SearchScope { partition, filters } =
        search_condition::resolve(&index.definition, parts.condition.as_ref())?;
    let (id, dimensions) = (index.id, index.definition.dimensions);
    let returns_vectors = returns_vectors(index, parts.projection.as_ref());
    let search = VectorSearch {
        index: id,
        vector,
        limit: members.limit,
        partition,
        filters,
        projection: parts.projection,
    };
    let found = within_bounds(api.database.search_vectors(&table, &search).await?);
    observation::note_items(found.len());
    let consumed = VectorCapacity {
        vector_search_request_bytes: Some(charged_bytes(dimensions, found.len(), returns_vectors)),
        vector_write_request_bytes: None,
    };
    Ok(SearchVectorsResponse {
        search_results: Some(found.into_iter().map(rendered).collect()),
        consumed_capacity: (members.consumed != ReturnConsumed::None).then_some(consumed),
    })
}

/// The members that need no schema.
struct Members<'r> {
    table_name: TableName<'r>,
    index_name: &'r str,
    vector: &'r [WireValue],
    limit: usize,
    consumed: ReturnConsumed,
}

fn check_members(request: &SearchVectorsRequest) -> Result<Members<'_>, ApiError> {
    let members = &request.members;
    let missing = |name: &str| {
        let (line, column) = (request.end.line, request.end.column);
        ApiError::validation(format!("missing field `{name}` at line {line} column {column}"))
    };
    let table_name = members.table_name.as_ref().ok_or_else(|| missing("TableName"))?;
    let index_name = members.index_name.as_deref().ok_or_else(|| missing("IndexName"))?;
    let vector = members.search_vector.as_deref().ok_or_else(|| missing("SearchVector"))?;
    let top_k = members.top_k.ok_or_else(|| missing("TopK"))?;
    let table_name = table_name::check(table_name, Layer::New)?;
    table_name::new_violation(index_name, "IndexName")
        .map_or(Ok(()), |found| Err(refuse(found)))?;
    check_vector_length(vector.len())?;
    let consumed = RETURN_CONSUMED.read(&members.return_consumed_capacity).map_err(refuse)?;
    Ok(Members { table_name, index_name, vector, limit: check_top_k(top_k)?, consumed })
}

fn check_vector_length(length: usize) -> Result<(), ApiError> {
    let constraint = match length {
        0 => length_at_least(1),
        _ if length > VECTOR_DIMENSIONS_MAX as usize => {
            length_at_most(VECTOR_DIMENSIONS_MAX as usize)
        }
        _ => return Ok(()),
    };
    Err(refuse(new("SearchVector", &constraint)))
}

fn check_top_k(top_k: i32) -> Result<usize, ApiError> {
    match usize::try_from(top_k) {
        Err(_) | Ok(0) => Err(refuse(new("TopK", &value_at_least(1)))),
        Ok(limit) if top_k <= SEARCH_RESULTS_MAX => Ok(limit),
        Ok(_) => Err(ApiError::validation(format!(
            "Provided TopK value '{top_k}' is out of valid range. The value must be between 1 and \
             {SEARCH_RESULTS_MAX} inclusive"
        ))),
    }
}

/// The expressions of a request.
struct Parts {
    condition: Option<SearchCondition>,
    projection: Option<Projection>,
}

fn check_request(members: &SearchVectorsMembers) -> Result<Parts, ApiError> {
    let has_condition = members.search_condition_expression.is_some();
    let placeholders = WithoutExpressions {
        names: members.expression_attribute_names.is_some(),
        values: members.expression_attribute_values.is_some(),
        any_expression: has_condition || members.projection_expression.is_some(),
        any_with_values: has_condition,
        suffix: ": SearchConditionExpression is null",
    };
    placeholders.check()?;
    let (names, values) =
        (&members.expression_attribute_names, &members.expression_attribute_values);
    let mut expressions = Placeholders::new(names, values, ValueLayer::Current)?.expressions();
    let condition =
        expressions.condition(Kind::SearchCondition, &members.search_condition_expression)?;
    let condition = condition.as_ref().map(search_condition::read).transpose()?;
    let projection = expressions.projection(&members.projection_expression)?;
    expressions.finish()?;
    Ok(Parts { condition, projection })
}

/// Finds the vector index, which must be complete.
fn find_index<'s>(
    schema: &'s TableSchema,
    name: &str,
    now_millis: u64,
) -> Result<&'s VectorIndexSchema, ApiError> {
    let unknown =
        || ApiError::validation(format!("The table does not have the specified index: {name}"));
    let index = schema.vector_index(name).ok_or_else(unknown)?;
    match index.state_at(now_millis) {
        IndexState::Active | IndexState::Updating => Ok(index),
        IndexState::Creating { .. } => {
            Err(ApiError::validation(format!("Cannot search backfilling vector index: {name}")))
        }
        IndexState::Deleting => Err(unknown()),
    }
}

/// The numbers that are searched for. What they are is checked before how many.
fn check_vector(index: &VectorIndexSchema, values: &[WireValue]) -> Result<Vec<f32>, ApiError> {
    let number = |value: &WireValue| match &value.0 {
        Ok(Value::Number(number)) => Some(*number),
        Ok(_) | Err(_) => None,
    };
    let numbers: Option<Vec<_>> = values.iter().map(number).collect();
    let vector = numbers.and_then(|numbers| read_numbers(numbers.iter()));
    let vector = vector.ok_or_else(|| {
        ApiError::validation(
            "Search vector contains invalid values. All values in the search vector must be a \
             32-bit floating-point number attribute",
        )
    })?;
    let dimensions = index.definition.dimensions as usize;
    if vector.len() == dimensions {
        return Ok(vector);
    }
    Err(ApiError::validation(format!(
        "Input search vector dimension {} does not match vector index dimension {dimensions}",
        vector.len()
    )))
}

fn returns_vectors(index: &VectorIndexSchema, projection: Option<&Projection>) -> bool {
    let attribute = index.definition.attribute.as_str();
    projection.is_some_and(|projection| projection.roots().contains(attribute))
}

/// As many of the results as an answer can hold. There are no pages.
fn within_bounds(found: Vec<VectorMatch>) -> Vec<VectorMatch> {
    let mut bytes = 0;
    let fits = |found: &VectorMatch| {
        bytes += found.item.len();
        bytes <= SEARCH_BYTES_MAX
    };
    found.into_iter().take_while(fits).collect()
}

fn charged_bytes(dimensions: u32, results: usize, returns_vectors: bool) -> f64 {
    let vector_bytes = if returns_vectors { 4.0 * f64::from(dimensions) } else { 0.0 };
    let result_bytes = results as f64 * (BYTES_PER_RESULT + vector_bytes);
    (f64::from(dimensions) * BYTES_PER_DIMENSION + result_bytes).max(BYTES_MIN)
}

fn rendered(found: VectorMatch) -> SearchResultItem {
    SearchResultItem {
        item: Some(ResponseItem::Stored(found.item)),
        score: Some(f64::from(found.score)),
    }
}
