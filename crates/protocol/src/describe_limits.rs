//! `DescribeLimits`: tells how much an account may ask for.

pub use crate::shapes::EmptyRequest as DescribeLimitsRequest;

wire_struct! {
    /// The response of `DescribeLimits`.
    pub struct DescribeLimitsResponse: Encode {
        /// The read units of all tables together.
        pub account_max_read_capacity_units: i64 = "AccountMaxReadCapacityUnits",
        /// The write units of all tables together.
        pub account_max_write_capacity_units: i64 = "AccountMaxWriteCapacityUnits",
        /// The read units of one table.
        pub table_max_read_capacity_units: i64 = "TableMaxReadCapacityUnits",
        /// The write units of one table.
        pub table_max_write_capacity_units: i64 = "TableMaxWriteCapacityUnits",
    }
}
