//! Records of a stream, and the events that Lambda makes of them, are read as entities.

use aws_sdk_dynamodb::types::{StreamSpecification, StreamViewType};
use aws_sdk_dynamodbstreams::types::{Record, ShardIteratorType};
use monotable::prelude::*;
use monotable::stream::{ChangeKind, StreamRecord, records_of_json};
use monotable_embedded::Embedded;

#[derive(Table)]
#[table(pk = "pk", sk = "sk", type_attr = "type", entities(Post))]
pub struct Blog;

#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Blog)]
#[key(by_slug: pk = "POST#{slug}", sk = "POST")]
#[unique(title)]
pub struct Post {
    pub slug: String,
    pub title: String,
    pub likes: u32,
}

/// What happened to the posts of a blog, as the stream has it.
async fn records() -> Vec<Record> {
    let embedded = Embedded::in_memory();
    let client = embedded.sdk_client();
    let db = Blog::open("blog", embedded.clone());
    db.create_table().await.unwrap();
    let stream = StreamSpecification::builder().stream_enabled(true);
    let stream = stream.stream_view_type(StreamViewType::NewAndOldImages).build().unwrap();
    let updated = client.update_table().table_name("blog").stream_specification(stream).send();
    let arn = updated.await.unwrap().table_description.unwrap().latest_stream_arn.unwrap();
    db.create(&post(0)).await.unwrap();
    db.patch(Post::by_slug("a")).likes(add(1_u32)).await.unwrap();
    db.delete(Post::by_slug("a")).await.unwrap();

    let streams = embedded.streams_client();
    let described = streams.describe_stream().stream_arn(&arn).send().await.unwrap();
    let mut records = Vec::new();
    for shard in described.stream_description.unwrap().shards.unwrap() {
        let request = streams.get_shard_iterator().stream_arn(&arn);
        let request = request.shard_id(shard.shard_id.unwrap());
        let iterator = request.shard_iterator_type(ShardIteratorType::TrimHorizon).send().await;
        let iterator = iterator.unwrap().shard_iterator.unwrap();
        let page = streams.get_records().shard_iterator(iterator).send().await.unwrap();
        records.extend(page.records.unwrap());
    }
    records
}

fn post(likes: u32) -> Post {
    Post { slug: "a".to_owned(), title: "On keys".to_owned(), likes }
}

#[tokio::test]
async fn records_of_the_sdk_are_read_as_entities() {
    let mut changes = Vec::new();
    for record in records().await {
        let record = StreamRecord::try_from(record).unwrap();
        assert!(record.sequence_number.is_some());
        // The items that hold the unique title are passed over.
        let Some(record) = record.read_known::<Post>().unwrap() else { continue };
        changes.push((record.kind, record.old, record.new));
    }
    let expected = [
        (ChangeKind::Insert, None, Some(post(0))),
        (ChangeKind::Modify, Some(post(0)), Some(post(1))),
        (ChangeKind::Remove, Some(post(1)), None),
    ];
    assert_eq!(changes, expected);
}

#[tokio::test]
async fn a_record_without_its_change_is_refused() {
    let mut record = records().await.remove(0);
    record.dynamodb = None;
    let error = StreamRecord::try_from(record).unwrap_err();
    assert_eq!(error.to_string(), "the record has no change");
}

#[test]
fn events_of_lambda_are_read_as_entities() {
    let event = br#"{ "Records": [{
        "eventName": "INSERT",
        "dynamodb": {
            "Keys": { "pk": { "S": "POST#a" }, "sk": { "S": "POST" } },
            "NewImage": {
                "pk": { "S": "POST#a" }, "sk": { "S": "POST" }, "type": { "S": "Post" },
                "slug": { "S": "a" }, "title": { "S": "On keys" }, "likes": { "N": "3" }
            },
            "SequenceNumber": "1"
        }
    }] }"#;
    let record = records_of_json(event).unwrap().remove(0).read::<Post>().unwrap();
    assert_eq!((record.kind, record.new), (ChangeKind::Insert, Some(post(3))));
}
