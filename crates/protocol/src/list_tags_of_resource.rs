//! `ListTagsOfResource`: names the tags of a table.

use crate::shapes::Tag;

wire_struct! {
    /// The request of `ListTagsOfResource`.
    pub struct ListTagsOfResourceRequest: Decode {
        /// The table's Amazon resource name.
        pub resource_arn: String = "ResourceArn",
        /// Where the page starts.
        pub next_token: String = "NextToken",
    }
}

wire_struct! {
    /// The response of `ListTagsOfResource`.
    pub struct ListTagsOfResourceResponse: Encode {
        /// The tags of the page.
        pub tags: Vec<Tag> = "Tags",
        /// Where the next page starts, if there is one.
        pub next_token: String = "NextToken",
    }
}
