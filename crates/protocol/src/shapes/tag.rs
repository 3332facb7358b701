//! Tags of resources.

wire_struct! {
    /// A label of a table.
    pub struct Tag: DecodeFew + Encode {
        /// The tag's name.
        pub key: String = "Key",
        /// The tag's value.
        pub value: String = "Value",
    }
}
