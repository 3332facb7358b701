//! Streams through the SDK's own client for them.

use aws_sdk_dynamodb::types::{StreamSpecification, StreamViewType};
use aws_sdk_dynamodbstreams::Client as StreamsClient;
use aws_sdk_dynamodbstreams::config::retry::RetryConfig;
use aws_sdk_dynamodbstreams::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_dynamodbstreams::error::ProvideErrorMetadata;
use aws_sdk_dynamodbstreams::types::{
    AttributeValue, OperationType, Record, ShardIteratorType, StreamRecord, StreamStatus,
};

use crate::fixture::{Fixture, key, number};

/// The table of the fixture with a stream, a client that reads it, and the name of the stream.
async fn with_stream() -> (Fixture, StreamsClient, String) {
    let fixture = Fixture::with_table().await;
    let specification = StreamSpecification::builder()
        .stream_enabled(true)
        .stream_view_type(StreamViewType::NewAndOldImages)
        .build()
        .unwrap();
    let update = fixture.client.update_table().table_name("items");
    let updated = update.stream_specification(specification).send().await.unwrap();
    let arn = updated.table_description.unwrap().latest_stream_arn.unwrap();
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(fixture.endpoint())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .retry_config(RetryConfig::disabled())
        .interceptor(fixture.spread())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    (fixture, StreamsClient::from_conf(config), arn)
}

/// All records of a stream, shard by shard.
async fn records(streams: &StreamsClient, arn: &str) -> Vec<Record> {
    let described = streams.describe_stream().stream_arn(arn).send().await.unwrap();
    let mut records = Vec::new();
    for shard in described.stream_description.unwrap().shards.unwrap() {
        let request = streams.get_shard_iterator().stream_arn(arn);
        let request = request.shard_id(shard.shard_id.unwrap());
        let iterator = request.shard_iterator_type(ShardIteratorType::TrimHorizon).send().await;
        let mut next = iterator.unwrap().shard_iterator;
        while let Some(iterator) = next {
            let page = streams.get_records().shard_iterator(iterator).send().await.unwrap();
            let found = page.records.unwrap();
            next = page.next_shard_iterator.filter(|_| !found.is_empty());
            records.extend(found);
        }
    }
    records
}

fn image_number(image: Option<std::collections::HashMap<String, AttributeValue>>) -> String {
    image.unwrap()["n"].as_n().unwrap().clone()
}

fn change(record: &Record) -> &StreamRecord {
    record.dynamodb.as_ref().unwrap()
}

#[tokio::test]
async fn the_changes_of_an_item_are_read_in_order_with_both_images() {
    let (fixture, streams, arn) = with_stream().await;
    for n in [1, 2] {
        let put = fixture.client.put_item().table_name("items").set_item(Some(key("a", 0)));
        put.item("n", number(n)).send().await.unwrap();
    }
    let delete = fixture.client.delete_item().table_name("items");
    delete.set_key(Some(key("a", 0))).send().await.unwrap();
    let found = records(&streams, &arn).await;
    let events: Vec<_> = found.iter().map(|record| record.event_name.clone().unwrap()).collect();
    assert_eq!(events, [OperationType::Insert, OperationType::Modify, OperationType::Remove]);
    let modified = change(&found[1]).clone();
    assert_eq!(image_number(modified.old_image), "1");
    assert_eq!(image_number(modified.new_image), "2");
    assert!(change(&found[2]).new_image.is_none());
    assert!(change(&found[0]).approximate_creation_date_time.is_some());
    assert!(found.iter().all(|record| change(record).size_bytes.unwrap() > 0));
}

#[tokio::test]
async fn a_stream_is_listed_and_described() {
    let (_fixture, streams, arn) = with_stream().await;
    let listed = streams.list_streams().table_name("items").send().await.unwrap();
    let arns: Vec<_> = listed.streams().iter().filter_map(|stream| stream.stream_arn()).collect();
    assert_eq!(arns, [arn.as_str()]);
    let described = streams.describe_stream().stream_arn(&arn).send().await.unwrap();
    let description = described.stream_description.unwrap();
    assert_eq!(description.stream_status, Some(StreamStatus::Enabled));
    assert_eq!(description.table_name.as_deref(), Some("items"));
    assert!(!description.shards.unwrap().is_empty());
}

#[tokio::test]
async fn a_stream_that_is_not_there_is_a_typed_error() {
    let (_fixture, streams, arn) = with_stream().await;
    let other = arn.replace("table/items", "table/others");
    let error = streams.describe_stream().stream_arn(other).send().await.unwrap_err();
    assert!(error.into_service_error().is_resource_not_found_exception());
    let invalid = streams.get_records().shard_iterator("nonsense").send().await.unwrap_err();
    assert_eq!(invalid.into_service_error().code(), Some("ValidationException"));
}
