//! `UntagResource`: removes tags from a table.

wire_struct! {
    /// The request of `UntagResource`.
    pub struct UntagResourceRequest: Decode {
        /// The table's Amazon resource name.
        pub resource_arn: String = "ResourceArn",
        /// The names of the tags.
        pub tag_keys: Vec<String> = "TagKeys",
    }
}

wire_struct! {
    /// The response of `UntagResource`.
    pub struct UntagResourceResponse: Encode {}
}
