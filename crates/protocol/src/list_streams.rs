//! `ListStreams`: names the streams, a page at a time.

wire_struct! {
    /// The request of `ListStreams`.
    pub struct ListStreamsRequest: Decode {
        /// The table whose streams are wanted.
        pub table_name: String = "TableName",
        /// The most streams to return.
        pub limit: i32 = "Limit",
        /// The stream after which the page starts.
        pub exclusive_start_stream_arn: String = "ExclusiveStartStreamArn",
    }
}

wire_struct! {
    /// The response of `ListStreams`.
    pub struct ListStreamsResponse: Encode {
        /// The streams of the page.
        pub streams: Vec<Stream> = "Streams",
        /// Where the next page starts, if there is one.
        pub last_evaluated_stream_arn: String = "LastEvaluatedStreamArn",
    }
}

wire_struct! {
    /// A stream by its names.
    pub struct Stream: Encode {
        /// Its Amazon resource name.
        pub stream_arn: String = "StreamArn",
        /// The table's name.
        pub table_name: String = "TableName",
        /// The moment it began, as text.
        pub stream_label: String = "StreamLabel",
    }
}
