//! `ListContributorInsights`: names the tables and indexes whose keys are watched, a page at a
//! time.

wire_struct! {
    /// The request of `ListContributorInsights`.
    pub struct ListContributorInsightsRequest: Decode {
        /// The table's name or Amazon resource name, if it is about one.
        pub table_name: String = "TableName",
        /// Where the page starts.
        pub next_token: String = "NextToken",
        /// The most entries to return.
        pub max_results: i32 = "MaxResults",
    }
}

wire_struct! {
    /// A table or index whose keys are watched.
    pub struct ContributorInsightsSummary: Encode {
        /// The table's name.
        pub table_name: String = "TableName",
        /// The index, if it is one.
        pub index_name: String = "IndexName",
        /// `ENABLING`, `ENABLED` or `DISABLING`.
        pub contributor_insights_status: String = "ContributorInsightsStatus",
        /// Which calls are watched.
        pub contributor_insights_mode: String = "ContributorInsightsMode",
    }
}

wire_struct! {
    /// The response of `ListContributorInsights`.
    pub struct ListContributorInsightsResponse: Encode {
        /// The entries of the page.
        pub contributor_insights_summaries: Vec<ContributorInsightsSummary>
            = "ContributorInsightsSummaries",
        /// Where the next page starts, if there may be one.
        pub next_token: String = "NextToken",
    }
}
