//! What a request consumed.

use std::collections::BTreeMap;

wire_struct! {
    /// The units that a request consumed, for a table with its indexes.
    pub struct ConsumedCapacity: Encode {
        /// The table, named as the request named it.
        pub table_name: String = "TableName",
        /// All units.
        pub capacity_units: f64 = "CapacityUnits",
        /// The read units; transactions only.
        pub read_capacity_units: f64 = "ReadCapacityUnits",
        /// The write units; transactions only.
        pub write_capacity_units: f64 = "WriteCapacityUnits",
        /// The table's part.
        pub table: Capacity = "Table",
        /// The parts of local secondary indexes, by name.
        pub local_secondary_indexes: BTreeMap<String, Capacity> = "LocalSecondaryIndexes",
        /// The parts of global secondary indexes, by name.
        pub global_secondary_indexes: BTreeMap<String, Capacity> = "GlobalSecondaryIndexes",
        /// The parts of vector indexes, by name.
        pub vector_indexes: BTreeMap<String, VectorCapacity> = "VectorIndexes",
    }
}

wire_struct! {
    /// What a vector index was used for, in bytes.
    pub struct VectorCapacity: Encode {
        /// The bytes of a search.
        pub vector_search_request_bytes: f64 = "VectorSearchRequestBytes",
        /// The bytes of a write.
        pub vector_write_request_bytes: f64 = "VectorWriteRequestBytes",
    }
}

wire_struct! {
    /// The units of one table or index.
    pub struct Capacity: Encode {
        /// The read units; transactions only.
        pub read_capacity_units: f64 = "ReadCapacityUnits",
        /// The write units; transactions only.
        pub write_capacity_units: f64 = "WriteCapacityUnits",
        /// All units.
        pub capacity_units: f64 = "CapacityUnits",
    }
}
