//! The changes of a table are read from its stream.

use aws_sdk_dynamodb::types::{StreamSpecification, StreamViewType};
use aws_sdk_dynamodbstreams::types::{OperationType, ShardIteratorType};

use crate::fixture::{key, put, with_table};

#[tokio::test]
async fn a_streams_client_reads_what_was_written() {
    let (embedded, client) = with_table().await;
    let stream = StreamSpecification::builder().stream_enabled(true);
    let stream = stream.stream_view_type(StreamViewType::NewImage).build().unwrap();
    let updated = client.update_table().table_name("items").stream_specification(stream).send();
    let arn = updated.await.unwrap().table_description.unwrap().latest_stream_arn.unwrap();
    put(&client, "a", 1).await;
    client.delete_item().table_name("items").set_key(Some(key("a", 1))).send().await.unwrap();

    let streams = embedded.streams_client();
    let described = streams.describe_stream().stream_arn(&arn).send().await.unwrap();
    let mut events = Vec::new();
    for shard in described.stream_description.unwrap().shards.unwrap() {
        let request = streams.get_shard_iterator().stream_arn(&arn);
        let request = request.shard_id(shard.shard_id.unwrap());
        let iterator = request.shard_iterator_type(ShardIteratorType::TrimHorizon).send().await;
        let iterator = iterator.unwrap().shard_iterator.unwrap();
        let records = streams.get_records().shard_iterator(iterator).send().await.unwrap();
        events.extend(records.records.unwrap().into_iter().filter_map(|it| it.event_name));
    }
    assert_eq!(events, [OperationType::Insert, OperationType::Remove]);
}
