//! `UpdateItem`.

use bytes::Bytes;
use monotable_database::{WriteOutcome, project};
use monotable_expr::{Condition, Update};
use monotable_item::limits::ITEM_BYTES_MAX;
use monotable_item::stored::ItemView;
use monotable_protocol::update_item::{UpdateItemRequest, UpdateItemResponse};
use monotable_protocol::{ResponseItem, StoredItem};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Spent};
use crate::observation;
use crate::render::capacity::{self, Split};
use crate::render::item_collection;
use crate::session::Session;
use crate::validate::enums::ReturnValues;
use crate::validate::keys::{self, KeyRefusal};
use crate::validate::write_condition::WriteParameters;
use crate::validate::write_members::WriteMembers;
use crate::wording::value::ValueLayer;
use crate::wording::write::{self, UPDATE_TOO_LARGE};

/// Runs `UpdateItem`: changes some attributes of an item, which is made if it is absent.
pub(crate) async fn update_item<E: Engine>(
    api: &Session<'_, E>,
    request: UpdateItemRequest,
) -> Result<UpdateItemResponse, ApiError> {
    let members = WriteMembers::from(&request).check()?;
    let checked = check_request(&request, members.target).map_err(ApiError::enveloped)?;
    let wish = || {
        let wish = Wish::on_item("UpdateItem", checked.key).changing(checked.update.as_ref());
        let wish = wish.on_condition(checked.condition.as_ref());
        wish.with_values(&request.return_values).consuming(&request.return_consumed_capacity)
    };
    let table = api.table(members.table_name, wish).await?;
    let schema = table.schema();
    let mut write = keys::update(schema, checked.key, checked.update)?;
    if let Some(update) = write.changes() {
        keys::check_update(schema, update).map_err(KeyRefusal::into_error)?;
    }
    keys::check_condition(schema, checked.condition.as_ref())?;
    write.changes().map_or(Ok(()), check_statement_size)?;
    write.set_condition(checked.condition);
    let entry = || Entry::single("UpdateItem", Member::write(&table, &write, checked.key));
    let pass = gate::enter(api, entry).await?;
    let outcome = api.database.write(&table, &write).await;
    let outcome = outcome.map_err(|error| write::word(error, members.on_failure))?;
    observation::note_items(usize::from(outcome.has_written(write.kind())));
    pass.leave(|| vec![Spent::write(0, &outcome)])?;
    let metrics =
        item_collection::render(schema, checked.key, outcome.collection_bytes, members.metrics)?;
    Ok(UpdateItemResponse {
        attributes: returned(&outcome, write.changes(), members.returns)?,
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

/// The parts of a request that need no schema.
struct Checked<'r> {
    key: &'r Bytes,
    update: Option<Update>,
    condition: Option<Condition>,
}

fn check_request<'r>(
    request: &'r UpdateItemRequest,
    key: &'r StoredItem,
) -> Result<Checked<'r>, ApiError> {
    let parameters = WriteParameters::from(request);
    parameters.check_combination()?;
    let key = keys::stored(key, ValueLayer::Current)?;
    let (update, condition) = parameters.read()?;
    Ok(Checked { key, update, condition })
}

/// Refuses an update whose own size passes that of an item. Only a stand-alone UpdateItem checks
/// it, and before the condition.
pub(crate) fn check_statement_size(update: &Update) -> Result<(), ApiError> {
    if update.size_bytes_up_to(ITEM_BYTES_MAX) > ITEM_BYTES_MAX {
        return Err(ApiError::validation(UPDATE_TOO_LARGE));
    }
    Ok(())
}

/// What the response holds of the item before or after.
pub(crate) fn returned(
    outcome: &WriteOutcome,
    update: Option<&Update>,
    returns: ReturnValues,
) -> Result<Option<ResponseItem>, ApiError> {
    let whole = |item: &Option<Bytes>| item.clone().map(ResponseItem::Stored);
    match returns {
        ReturnValues::None => Ok(None),
        ReturnValues::AllOld => Ok(whole(&outcome.old)),
        ReturnValues::AllNew => Ok(whole(&outcome.new)),
        ReturnValues::UpdatedOld => updated_parts(outcome.old.as_ref(), update),
        ReturnValues::UpdatedNew => updated_parts(outcome.new.as_ref(), update),
    }
}

fn updated_parts(
    item: Option<&Bytes>,
    update: Option<&Update>,
) -> Result<Option<ResponseItem>, ApiError> {
    let Some((item, update)) = item.zip(update) else { return Ok(None) };
    let parts = project(item, &update.targets_as_projection())?;
    let is_empty = ItemView::new(&parts)?.attributes().count_left() == 0;
    Ok((!is_empty).then_some(ResponseItem::Stored(parts)))
}
