//! `GetItem`.

use bytes::Bytes;
use monotable_database::capacity::Consumed;
use monotable_database::project;
use monotable_expr::Projection;
use monotable_protocol::get_item::{GetItemRequest, GetItemResponse};
use monotable_protocol::{ResponseItem, StoredItem};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Spent};
use crate::observation;
use crate::operations::page::consistency;
use crate::render::capacity::{self, Split};
use crate::session::Session;
use crate::validate::constraint::{Violations, length_at_least, missing, old};
use crate::validate::enums::{RETURN_CONSUMED, ReturnConsumed};
use crate::validate::keys;
use crate::validate::read_projection::ProjectionParameters;
use crate::validate::table_name::{self, Layer, TableName};
use crate::wording::value::ValueLayer;

/// Runs `GetItem`: reads one item by its key.
pub(crate) async fn get_item<E: Engine>(
    api: &Session<'_, E>,
    request: GetItemRequest,
) -> Result<GetItemResponse, ApiError> {
    let members = check_members(&request)?;
    let parameters = ProjectionParameters {
        attributes_to_get: &request.attributes_to_get,
        projection_expression: &request.projection_expression,
        names: &request.expression_attribute_names,
    };
    parameters.check_combination()?;
    let attributes = keys::stored(members.key, ValueLayer::Current)?;
    let projection = parameters.read()?;
    let wish = || {
        let wish = Wish::on_item("GetItem", attributes).returning(projection.as_ref());
        wish.consuming(&request.return_consumed_capacity)
    };
    let table = api.table(members.table_name, wish).await?;
    let schema = table.schema();
    let key = keys::lookup(schema, attributes)?;
    keys::check_projection(schema, projection.as_ref())?;
    let consistency = consistency(request.consistent_read);
    let member = || Member::get(&table, &key, attributes, consistency);
    let entry = || Entry::single("GetItem", member().returning(projection.as_ref()));
    let pass = gate::enter(api, entry).await?;
    let got = match pass.stale_age(0) {
        None => api.database.get(&table, &key, consistency).await?,
        // Behind a pointer, so that reads of now have no room for it.
        Some(age) => Box::pin(api.database.get_before(&key, age)).await?,
    };
    let consumed = Consumed::on_table(got.units(consistency));
    observation::note_items(usize::from(got.item.is_some()));
    pass.leave(|| vec![Spent::read(0, &consumed)])?;
    Ok(GetItemResponse {
        item: got.item.map(|item| projected(item, projection.as_ref())).transpose()?,
        consumed_capacity: capacity::render(
            members.table_name,
            schema,
            &consumed,
            members.consumed,
            Split::None,
        ),
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

struct Members<'r> {
    table_name: TableName<'r>,
    key: &'r StoredItem,
    consumed: ReturnConsumed,
}

/// Checks the members. An invalid table name is answered alone, unless the key is missing.
fn check_members(request: &GetItemRequest) -> Result<Members<'_>, ApiError> {
    let consumed = RETURN_CONSUMED.read(&request.return_consumed_capacity);
    let attributes = request.attributes_to_get.as_ref().filter(|names| names.is_empty());
    let attributes = attributes.map(|_| old("[]", "attributesToGet", &length_at_least(1)));
    let (Some(name), Some(key)) = (&request.table_name, &request.key) else {
        let mut violations = Violations::default();
        violations.extend(consumed.err());
        violations.extend(attributes);
        violations.extend(match &request.table_name {
            Some(name) => table_name::violation(name, Layer::Old),
            None => Some(missing("tableName")),
        });
        violations.require(&request.key, "key");
        return Err(violations.refuse());
    };
    let table_name = table_name::check(name, Layer::New)?;
    match (consumed, attributes) {
        (Ok(consumed), None) => Ok(Members { table_name, key, consumed }),
        (consumed, attributes) => {
            let mut violations = Violations::default();
            violations.extend(consumed.err());
            violations.extend(attributes);
            Err(violations.refuse())
        }
    }
}
