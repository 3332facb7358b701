//! Which attributes make up a key.

wire_struct! {
    /// The type of an attribute that some key of the table uses.
    pub struct AttributeDefinition: Decode + Encode + Inspect {
        /// The attribute's name.
        pub attribute_name: String = "AttributeName",
        /// `S`, `N` or `B`.
        pub attribute_type: String = "AttributeType",
    }
}

wire_struct! {
    /// An attribute of a key.
    pub struct KeySchemaElement: DecodeFew + Encode + Inspect {
        /// The attribute's name.
        pub attribute_name: String = "AttributeName",
        /// `HASH` for a partition key, `RANGE` for a sort key.
        pub key_type: String = "KeyType",
    }
}
