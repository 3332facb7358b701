//! Streams of Amazon Kinesis that changes are written to. There are none.

pub(crate) mod describe_kinesis_streaming_destination;
pub(crate) mod disable_kinesis_streaming_destination;
pub(crate) mod enable_kinesis_streaming_destination;
pub(crate) mod update_kinesis_streaming_destination;
