//! How the items of a table expire.

wire_struct! {
    /// How the items of a table are to expire.
    pub struct TimeToLiveSpecification: Decode + Encode {
        /// Whether they expire.
        pub enabled: bool = "Enabled",
        /// The attribute with the time.
        pub attribute_name: String = "AttributeName",
    }
}

wire_struct! {
    /// How the items of a table expire.
    pub struct TimeToLiveDescription: Encode {
        /// `ENABLING`, `ENABLED`, `DISABLING` or `DISABLED`.
        pub time_to_live_status: String = "TimeToLiveStatus",
        /// The attribute with the time, if they expire.
        pub attribute_name: String = "AttributeName",
    }
}
