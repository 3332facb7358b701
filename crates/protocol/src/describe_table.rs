//! `DescribeTable`: tells what a table is and how it is doing.

use crate::shapes::TableDescription;

wire_struct! {
    /// The request of `DescribeTable`.
    pub struct DescribeTableRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
    }
}

wire_struct! {
    /// The response of `DescribeTable`.
    pub struct DescribeTableResponse: Encode {
        /// The table.
        pub table: TableDescription = "Table",
    }
}
