//! Streams of Amazon Kinesis that the changes of a table are written to.

use std::convert::Infallible;

wire_struct! {
    /// The request of `EnableKinesisStreamingDestination`.
    pub struct EnableKinesisStreamingDestinationRequest: Decode + Inspect {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The Amazon resource name of the stream.
        pub stream_arn: String = "StreamArn",
        /// How changes are written.
        pub enable_kinesis_streaming_configuration: EnableKinesisStreamingConfiguration
            = "EnableKinesisStreamingConfiguration",
    }
}

wire_struct! {
    /// The request of `DisableKinesisStreamingDestination`.
    pub struct DisableKinesisStreamingDestinationRequest: Decode + Inspect {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The Amazon resource name of the stream.
        pub stream_arn: String = "StreamArn",
        /// How changes are written, which nobody can say here.
        pub enable_kinesis_streaming_configuration: EnableKinesisStreamingConfiguration
            = "EnableKinesisStreamingConfiguration",
    }
}

wire_struct! {
    /// How changes are to be written to a stream.
    pub struct EnableKinesisStreamingConfiguration: Decode + Inspect {
        /// `MILLISECOND` or `MICROSECOND`.
        pub approximate_creation_date_time_precision: String
            = "ApproximateCreationDateTimePrecision",
    }
}

wire_struct! {
    /// The request of `UpdateKinesisStreamingDestination`.
    pub struct UpdateKinesisStreamingDestinationRequest: Decode + Inspect {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
        /// The Amazon resource name of the stream.
        pub stream_arn: String = "StreamArn",
        /// How changes are written from here on.
        pub update_kinesis_streaming_configuration: UpdateKinesisStreamingConfiguration
            = "UpdateKinesisStreamingConfiguration",
    }
}

wire_struct! {
    /// How changes are to be written to a stream from here on.
    pub struct UpdateKinesisStreamingConfiguration: Decode + Inspect {
        /// `MILLISECOND` or `MICROSECOND`.
        pub approximate_creation_date_time_precision: String
            = "ApproximateCreationDateTimePrecision",
    }
}

wire_struct! {
    /// The request of `DescribeKinesisStreamingDestination`.
    pub struct DescribeKinesisStreamingDestinationRequest: Decode {
        /// The table's name or Amazon resource name.
        pub table_name: String = "TableName",
    }
}

wire_struct! {
    /// The response of `DescribeKinesisStreamingDestination`.
    pub struct DescribeKinesisStreamingDestinationResponse: Encode {
        /// The table's name.
        pub table_name: String = "TableName",
        /// The streams that its changes are written to: there are none.
        pub kinesis_data_stream_destinations: Vec<Infallible>
            = "KinesisDataStreamDestinations",
    }
}
