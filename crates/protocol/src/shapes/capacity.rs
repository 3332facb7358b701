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
