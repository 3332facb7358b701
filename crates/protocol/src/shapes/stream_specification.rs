//! Whether a table has a stream.

wire_struct! {
    /// Whether changes of items go to a stream, and what of them.
    pub struct StreamSpecification: Decode + Encode {
        /// Whether there is a stream.
        pub stream_enabled: bool = "StreamEnabled",
        /// `KEYS_ONLY`, `NEW_IMAGE`, `OLD_IMAGE` or `NEW_AND_OLD_IMAGES`.
        pub stream_view_type: String = "StreamViewType",
    }
}
