//! `DeleteItem`.

use bytes::Bytes;
use monotable_database::Write;
use monotable_expr::Condition;
use monotable_protocol::ResponseItem;
use monotable_protocol::delete_item::{DeleteItemRequest, DeleteItemResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Spent};
use crate::observation;
use crate::render::capacity::{self, Split};
use crate::render::item_collection;
use crate::session::Session;
use crate::validate::enums::ReturnValues;
use crate::validate::keys;
use crate::validate::write_condition::WriteParameters;
use crate::validate::write_members::{CheckedMembers, WriteMembers, check_old_values_only};
use crate::wording::value::ValueLayer;
use crate::wording::write;

/// Runs `DeleteItem`: removes an item, if it is there.
pub(crate) async fn delete_item<E: Engine>(
    api: &Session<'_, E>,
    request: DeleteItemRequest,
) -> Result<DeleteItemResponse, ApiError> {
    let members = WriteMembers::from(&request).check()?;
    let (attributes, condition) = check_request(&request, &members).map_err(ApiError::enveloped)?;
    let wish = || {
        let wish = Wish::on_item("DeleteItem", attributes).on_condition(condition.as_ref());
        wish.with_values(&request.return_values).consuming(&request.return_consumed_capacity)
    };
    let table = api.table(members.table_name, wish).await?;
    let schema = table.schema();
    let key = keys::lookup(schema, attributes)?;
    keys::check_condition(schema, condition.as_ref())?;
    let write = Write::delete(key).on_condition(condition);
    let entry = || Entry::single("DeleteItem", Member::write(&table, &write, attributes));
    let pass = gate::enter(api, entry).await?;
    let outcome = api.database.write(&table, &write).await;
    let outcome = outcome.map_err(|error| write::word(error, members.on_failure))?;
    observation::note_items(usize::from(outcome.has_written(write.kind())));
    pass.leave(|| vec![Spent::write(0, &outcome)])?;
    let metrics =
        item_collection::render(schema, attributes, outcome.collection_bytes, members.metrics)?;
    let returned = outcome.old.filter(|_| members.returns == ReturnValues::AllOld);
    Ok(DeleteItemResponse {
        attributes: returned.map(ResponseItem::Stored),
        consumed_capacity: capacity::render(
            members.table_name,
            schema,
            &outcome.consumed,
            members.consumed,
            Split::None,
        ),
        item_collection_metrics: metrics,
    })
}

fn check_request<'r>(
    request: &'r DeleteItemRequest,
    members: &CheckedMembers<'r>,
) -> Result<(&'r Bytes, Option<Condition>), ApiError> {
    let parameters = WriteParameters::from(request);
    parameters.check_combination()?;
    let key = keys::stored(members.target, ValueLayer::Current)?;
    check_old_values_only(members.returns)?;
    let (_, condition) = parameters.read()?;
    Ok((key, condition))
}
