//! Updates are told apart by the sections that their expressions have.

use std::sync::Arc;

use monotable_api::observation::{Attributions, observe};
use monotable_model::diagnostic::SourceFile;
use monotable_observe::Observer;
use serde_json::{Value, json};

use crate::harness::Harness;

const MODEL: &str = r##"
format = 1
name = "library"

[tables.library]
partition_key = "pk"

[entities.Book]
key = { partition = "BOOK#{title}" }
attributes = { title = "S", readers = "SS", labels = "SS", loans = "N" }

[patterns."add reader"]
operation = "update"
entity = "Book"
by = ["title"]
change = "ADD readers :readers"

[patterns."drop reader"]
operation = "update"
entity = "Book"
by = ["title"]
change = "DELETE readers :readers"

[patterns."add label"]
operation = "update"
entity = "Book"
by = ["title"]
change = "ADD labels :labels"

[patterns."count loan"]
operation = "update"
entity = "Book"
by = ["title"]
change = "ADD loans :count"
parameters = { count = "N" }
"##;

async fn library() -> Harness {
    let observer = Arc::new(Observer::default());
    let loaded = observer.load(SourceFile::new("library.toml", MODEL), 0);
    loaded.unwrap_or_else(|error| panic!("{error:#?}"));
    let harness = Harness::observed_by(observer).await;
    let table = json!({
        "TableName": "library",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", table).await;
    harness
}

/// The pattern that an update is taken for.
async fn pattern(library: &Harness, update: &str, value: Value) -> Option<String> {
    let request = json!({
        "TableName": "library",
        "Key": {"pk": {"S": "BOOK#Dune"}},
        "UpdateExpression": update,
        "ExpressionAttributeValues": {":v": value},
    });
    let body = request.to_string();
    let (_, observation) = observe(library.send("UpdateItem", body.as_bytes())).await;
    let Attributions::Whole(found) = &observation.attributions else {
        panic!("an update is one request")
    };
    assert!(!found.is_undecided(), "{update}");
    found.pattern().map(str::to_owned)
}

#[tokio::test]
async fn add_and_delete_of_one_set_are_different_patterns() {
    let library = library().await;
    let one = json!({"SS": ["Alex"]});
    let found = pattern(&library, "ADD readers :v", one.clone()).await;
    assert_eq!(found.as_deref(), Some("add reader"));
    let found = pattern(&library, "DELETE readers :v", one).await;
    assert_eq!(found.as_deref(), Some("drop reader"));
}

#[tokio::test]
async fn delete_is_no_pattern_that_adds() {
    let library = library().await;
    let one = json!({"SS": ["classic"]});
    let found = pattern(&library, "ADD labels :v", one.clone()).await;
    assert_eq!(found.as_deref(), Some("add label"));
    assert_eq!(pattern(&library, "DELETE labels :v", one).await, None);
}

#[tokio::test]
async fn a_sum_that_is_set_is_the_pattern_that_adds() {
    let library = library().await;
    let one = json!({"N": "1"});
    pattern(&library, "ADD loans :v", one.clone()).await;
    let found = pattern(&library, "SET loans = loans + :v", one).await;
    assert_eq!(found.as_deref(), Some("count loan"));
}
