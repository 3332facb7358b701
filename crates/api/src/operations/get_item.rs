//! `GetItem`.

use bytes::Bytes;
use monotable_database::capacity::{Consistency, Consumed};
use monotable_database::project;
use monotable_expr::Projection;
use monotable_protocol::ResponseItem;
use monotable_protocol::get_item::{GetItemRequest, GetItemResponse};
use monotable_storage::Engine;

use crate::context::Api;
use crate::error::ApiError;
use crate::render::capacity::{self, Split};
use crate::validate::constraint::{Violations, length_at_least, missing, old};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed};
use crate::validate::keys;
use crate::validate::read_projection::ProjectionParameters;
use crate::validate::table_name::{self, Layer};
use crate::wording::value::ValueLayer;

/// Runs `GetItem`: reads one item by its key.
pub(crate) async fn get_item<E: Engine>(
    api: &Api<E>,
    request: GetItemRequest,
) -> Result<GetItemResponse, ApiError> {
    let (table_name, wanted) = check_members(&request)?;
    let parameters = ProjectionParameters {
        attributes_to_get: &request.attributes_to_get,
        projection_expression: &request.projection_expression,
        names: &request.expression_attribute_names,
    };
    parameters.check_combination()?;
    let key = request.key.as_ref().ok_or_else(ApiError::resource_not_found)?;
    let attributes = keys::values(key, ValueLayer::Current)?;
    let projection = parameters.read()?;
    let table = api.table(table_name)?;
    let schema = table.schema();
    let key = keys::lookup(&schema, attributes)?;
    if let Some(projection) = &projection {
        keys::check_not_nested(&schema, projection.paths().iter())?;
    }
    let got = api.database.get(&key).await?;
    let consumed = Consumed { table: got.units(consistency(&request)), indexes: Vec::new() };
    Ok(GetItemResponse {
        item: got.item.map(|item| projected(item, projection.as_ref())).transpose()?,
        consumed_capacity: capacity::render(&schema, &consumed, wanted, Split::None),
    })
}

/// A stored item, or the projected part of it.
pub(crate) fn projected(
    item: Bytes,
    projection: Option<&Projection>,
) -> Result<ResponseItem, ApiError> {
    Ok(ResponseItem::Stored(match projection {
        Some(projection) => project(&item, projection)?,
        None => item,
    }))
}

fn consistency(request: &GetItemRequest) -> Consistency {
    match request.consistent_read {
        Some(true) => Consistency::Strong,
        Some(false) | None => Consistency::Eventual,
    }
}

fn check_members(request: &GetItemRequest) -> Result<(&str, ReturnConsumed), ApiError> {
    let mut violations = Violations::default();
    let wanted = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    violations.extend(wanted.as_ref().err().cloned());
    if request.table_name.is_none() {
        violations.push(missing("tableName"));
    }
    if request.attributes_to_get.as_ref().is_some_and(Vec::is_empty) {
        violations.push(old("[]", "attributesToGet", &length_at_least(1)));
    }
    violations.require(&request.key, "key");
    violations.finish()?;
    let table_name = table_name::of_items(&request.table_name, Layer::New)?;
    Ok((table_name, wanted.unwrap_or(ReturnConsumed::None)))
}
