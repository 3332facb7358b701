//! An item on its way in and out: JSON to the stored form, values to the stored form, the stored
//! form to JSON.

use anyhow::Result;
use monotable_item::stored;
use monotable_protocol::get_item::GetItemResponse;
use monotable_protocol::put_item::PutItemRequest;
use monotable_protocol::{ResponseItem, decode_request};

use crate::order::Order;
use crate::repeat;

const ORDER: Order = Order { store: 1, number: 2, revision: 3 };

/// From values to the stored form.
pub(crate) fn encode(iterations: u64) -> Result<()> {
    let item = ORDER.item()?;
    repeat::calls(iterations, |_| Ok(stored::encode(&item)))
}

/// From the body of a request to the stored form.
pub(crate) fn decode(iterations: u64) -> Result<()> {
    let body = ORDER.put_body("orders");
    repeat::calls(iterations, |_| Ok(decode_request::<PutItemRequest>(&body)?))
}

/// From the stored form to the body of a response.
pub(crate) fn encode_response(iterations: u64) -> Result<()> {
    let stored = stored::encode(&ORDER.item()?).into();
    let response =
        GetItemResponse { item: Some(ResponseItem::Stored(stored)), ..GetItemResponse::default() };
    repeat::calls(iterations, |_| Ok(monotable_protocol::encode_json(&response)?))
}
