//! How large an item collection has become.

use monotable_item::Item;

wire_struct! {
    /// The estimated size of the item collection that a write touched.
    pub struct ItemCollectionMetrics: Encode {
        /// The partition key of the collection.
        pub item_collection_key: Item = "ItemCollectionKey",
        /// The lower and the upper bound of the estimate, in gigabytes.
        pub size_estimate_range_gb: Vec<f64> = "SizeEstimateRangeGB",
    }
}
