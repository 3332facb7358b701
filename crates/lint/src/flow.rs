//! Flows: recorded requests that one piece of code made one after the other.
//!
//! Requests that came by the same connection are taken to belong together; where connections were
//! not recorded, all do. Code that waits for an answer before it asks again shows itself there: a
//! key that stands in the answer just before, an item that is read, changed and written.

use monotable_item::Item;
use monotable_model::document::{Model, Tree};
use monotable_model::item_json::wire_item;

use super::evidence::RecordedRequest;
use super::request_part::{PartKind, RequestPart, parts_of};

/// How many later requests of a connection are looked at. What comes after is something else.
const WINDOW: usize = 8;

/// The requests that follow one by the same connection, the nearest first.
pub(super) fn followers(
    requests: &[RecordedRequest],
    position: usize,
) -> impl Iterator<Item = &RecordedRequest> {
    let connection = requests.get(position).and_then(|request| request.connection.clone());
    let later = requests.iter().skip(position + 1);
    later.filter(move |request| request.connection == connection).take(WINDOW)
}

/// Whether a request is followed by any other, so that the recording does not just end there.
pub(super) fn goes_on(requests: &[RecordedRequest], position: usize) -> bool {
    followers(requests, position).next().is_some()
}

/// An item that was read by its key, and what follows.
pub(super) struct ItemRead<'a> {
    /// The line that reads it.
    pub(super) line: usize,
    /// The item.
    pub(super) item: Item,
    /// The parts that write the same item later.
    pub(super) writes: Vec<RequestPart<'a>>,
}

/// Every `GetItem` that found something, with the writes of the same item that follow by the same
/// connection.
pub(super) fn item_reads<'a>(
    model: &'a Model,
    requests: &'a [RecordedRequest],
) -> Vec<ItemRead<'a>> {
    let read = |(position, request): (usize, &'a RecordedRequest)| {
        let part = parts_of(model, request).pop().filter(|_| request.operation == "GetItem")?;
        let item = answered_items(request).pop()?;
        let later = followers(requests, position).flat_map(|later| parts_of(model, later));
        let writes = later.filter(|write| write.kind.is_write() && same_item(&part, write));
        let writes = writes.collect();
        Some(ItemRead { line: request.line, item, writes })
    };
    requests.iter().enumerate().filter_map(read).collect()
}

/// The items of an answer: `Item` of a get, `Items` of a query or scan.
pub(super) fn answered_items(request: &RecordedRequest) -> Vec<Item> {
    let Some(response) = &request.response else { return Vec::new() };
    let one = response.member("Item").into_iter();
    let many = response.member("Items").map_or(&[][..], Tree::elements);
    one.chain(many).filter_map(|item| wire_item(item).ok()).collect()
}

/// Whether two parts are about the same item.
pub(super) fn same_item(left: &RequestPart<'_>, right: &RequestPart<'_>) -> bool {
    left.table_name == right.table_name
        && left.item_key().is_some_and(|key| right.item_key() == Some(key))
}

/// Whether a request reads items.
pub(super) fn is_read(kind: PartKind) -> bool {
    matches!(kind, PartKind::Get | PartKind::Query | PartKind::Scan)
}
