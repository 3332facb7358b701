//! `DeleteTable`: removes a table with all its items.

use crate::shapes::TableDescription;

wire_struct! {
    /// The request of `DeleteTable`.
    pub struct DeleteTableRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
    }
}

wire_struct! {
    /// The response of `DeleteTable`.
    pub struct DeleteTableResponse: Encode {
        /// The table, on its way out.
        pub table_description: TableDescription = "TableDescription",
    }
}
