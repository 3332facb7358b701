//! Pages of items, which Query and Scan answer with.

use monotable_item::Item;

use super::ConsumedCapacity;
use crate::value::ResponseItem;

wire_struct! {
    /// A page of items.
    pub struct PageResponse: Encode {
        /// The items of the page.
        pub items: Vec<ResponseItem> = "Items",
        /// How many items passed the filter.
        pub count: i64 = "Count",
        /// How many items were evaluated.
        pub scanned_count: i64 = "ScannedCount",
        /// Where the next page starts, if there may be one.
        pub last_evaluated_key: Item = "LastEvaluatedKey",
        /// What the request consumed, if asked for.
        pub consumed_capacity: ConsumedCapacity = "ConsumedCapacity",
    }
}
