//! `TagResource`: adds tags to a table, and changes those that it has.

use crate::shapes::Tag;

wire_struct! {
    /// The request of `TagResource`.
    pub struct TagResourceRequest: Decode {
        /// The table's Amazon resource name.
        pub resource_arn: String = "ResourceArn",
        /// The tags.
        pub tags: Vec<Tag> = "Tags",
    }
}

wire_struct! {
    /// The response of `TagResource`.
    pub struct TagResourceResponse: Encode {}
}
