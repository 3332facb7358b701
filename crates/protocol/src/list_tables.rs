//! `ListTables`: names the tables, a page at a time.

wire_struct! {
    /// The request of `ListTables`.
    pub struct ListTablesRequest: Decode {
        /// The name after which the page starts.
        pub exclusive_start_table_name: String = "ExclusiveStartTableName",
        /// The most names to return.
        pub limit: i32 = "Limit",
    }
}

wire_struct! {
    /// The response of `ListTables`.
    pub struct ListTablesResponse: Encode {
        /// The names of the page, in order.
        pub table_names: Vec<String> = "TableNames",
        /// Where the next page starts, if there may be one.
        pub last_evaluated_table_name: String = "LastEvaluatedTableName",
    }
}
