//! `BatchWriteItem`: puts and deletes items of one or more tables.

use std::collections::BTreeMap;

use crate::shapes::{ConsumedCapacity, ItemCollectionMetrics};
use crate::value::StoredItem;

wire_struct! {
    /// The request of `BatchWriteItem`.
    pub struct BatchWriteItemRequest: Decode {
        /// What to write, by table.
        pub request_items: BTreeMap<String, Vec<WriteRequest>> = "RequestItems",
        /// `INDEXES`, `TOTAL` or `NONE`.
        pub return_consumed_capacity: String = "ReturnConsumedCapacity",
        /// `SIZE` or `NONE`.
        pub return_item_collection_metrics: String = "ReturnItemCollectionMetrics",
    }
}

wire_struct! {
    /// The response of `BatchWriteItem`.
    pub struct BatchWriteItemResponse: Encode {
        /// What was not written and should be sent again, by table.
        pub unprocessed_items: BTreeMap<String, Vec<WriteRequest>> = "UnprocessedItems",
        /// The sizes of item collections by table, if asked for.
        pub item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>
            = "ItemCollectionMetrics",
        /// What the request consumed on each table, if asked for.
        pub consumed_capacity: Vec<ConsumedCapacity> = "ConsumedCapacity",
    }
}

wire_struct! {
    /// One write; exactly one member is expected.
    pub struct WriteRequest: Decode + Encode {
        /// Puts an item.
        pub put_request: PutRequest = "PutRequest",
        /// Deletes an item.
        pub delete_request: DeleteRequest = "DeleteRequest",
    }
}

wire_struct! {
    /// An item to put.
    pub struct PutRequest: Decode + Encode {
        /// The item to write.
        pub item: StoredItem = "Item",
    }
}

wire_struct! {
    /// An item to delete.
    pub struct DeleteRequest: Decode + Encode {
        /// The item's key.
        pub key: StoredItem = "Key",
    }
}
