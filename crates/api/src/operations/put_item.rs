//! `PutItem`.

use bytes::Bytes;
use monotable_protocol::ResponseItem;
use monotable_protocol::put_item::{PutItemRequest, PutItemResponse};
use monotable_storage::Engine;

use crate::authorization::Wish;
use crate::error::ApiError;
use crate::gate::{self, Entry, Member, Spent};
use crate::observation;
use crate::render::capacity::{self, Split};
use crate::render::item_collection;
use crate::session::Session;
use crate::validate::enums::ReturnValues;
use crate::validate::write_condition::WriteParameters;
use crate::validate::write_members::{CheckedMembers, WriteMembers, check_old_values_only};
use crate::validate::{item, keys};
use crate::wording::value::ValueLayer;
use crate::wording::write;

/// Runs `PutItem`: writes a whole item, replacing any item with the same key.
pub(crate) async fn put_item<E: Engine>(
    api: &Session<'_, E>,
    request: PutItemRequest,
) -> Result<PutItemResponse, ApiError> {
    let members = WriteMembers::from(&request).check()?;
    let parameters = WriteParameters::from(&request);
    let new = check_item(&parameters, &members).map_err(ApiError::enveloped)?;
    item::check_size(new)?;
    let (_, condition) = parameters.read().map_err(ApiError::enveloped)?;
    let wish = || {
        let wish = Wish::on_item("PutItem", new).on_condition(condition.as_ref());
        wish.with_values(&request.return_values).consuming(&request.return_consumed_capacity)
    };
    let table = api.table(members.table_name, wish).await?;
    let schema = table.schema();
    let mut write = keys::put(schema, new)?;
    keys::check_condition(schema, condition.as_ref())?;
    write.set_condition(condition);
    let entry = || Entry::single("PutItem", Member::write(&table, &write, new));
    let pass = gate::enter(api, entry).await?;
    pass.approve(0, &mut write);
    let outcome = api.database.write(&table, &write).await;
    let outcome = outcome.map_err(|error| write::word(error, members.on_failure))?;
    observation::note_items(usize::from(outcome.has_written(write.kind())));
    pass.leave(|| vec![Spent::write(0, &outcome)])?;
    let metrics = item_collection::render(schema, new, outcome.collection_bytes, members.metrics)?;
    let returned = outcome.old.filter(|_| members.returns == ReturnValues::AllOld);
    Ok(PutItemResponse {
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

fn check_item<'r>(
    parameters: &WriteParameters<'_>,
    members: &CheckedMembers<'r>,
) -> Result<&'r Bytes, ApiError> {
    parameters.check_combination()?;
    let item = item::check(members.target, ValueLayer::Current)?;
    check_old_values_only(members.returns)?;
    Ok(item)
}
