//! Statements in batches and transactions are attributed like the calls that they stand for.

use std::sync::Arc;

use monotable_api::observation::{AttributedStatement, Attributions, observe};
use monotable_model::diagnostic::SourceFile;
use monotable_observe::Observer;
use serde_json::{Value, json};

use crate::harness::Harness;

const MODEL: &str = r##"
format = 1
name = "shop"

[tables.shop]
partition_key = "pk"

[entities.Order]
key = { partition = "ORDER#{number:06}" }
attributes = { number = "N", state = "S" }

[entities.Customer]
key = { partition = "CUSTOMER#{name}" }
attributes = { name = "S" }

[patterns."one order"]
operation = "get"
entity = "Order"
by = ["number"]

[patterns."save order"]
operation = "put"
entity = "Order"

[patterns."one customer"]
operation = "get"
entity = "Customer"
by = ["name"]

[patterns."orders and customers"]
operation = "transact-get"
actions = [{ get = "Order", by = ["number"] }, { get = "Customer", by = ["name"] }]
"##;

async fn shop() -> Harness {
    let observer = Arc::new(Observer::default());
    let loaded = observer.load(SourceFile::new("shop.toml", MODEL), 0);
    loaded.unwrap_or_else(|error| panic!("{error:#?}"));
    let harness = Harness::observed_by(observer).await;
    let table = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", table).await;
    harness
}

async fn attributions(shop: &Harness, operation: &str, request: Value) -> Attributions {
    let body = request.to_string();
    let (_, observation) = observe(shop.send(operation, body.as_bytes())).await;
    observation.attributions
}

/// The pattern of a statement, its half units, its items, and whether it was refused.
fn told(statement: &AttributedStatement) -> (Option<&str>, u64, u64, bool) {
    let ended = statement.ended.as_ref().expect("every statement has ended");
    let pattern = statement.attribution.pattern();
    (pattern, ended.units.halves(), ended.items, ended.error.is_some())
}

#[tokio::test]
async fn every_statement_of_a_batch_is_attributed_with_what_it_consumed() {
    let shop = shop().await;
    let insert = "INSERT INTO shop VALUE {'pk': 'ORDER#000017', 'number': 17}";
    let writes =
        json!({"Statements": [{"Statement": insert}, {"Statement": insert.replace("17", "18")}]});
    let Attributions::Statements(all) = attributions(&shop, "BatchExecuteStatement", writes).await
    else {
        panic!("statements are kept apart")
    };
    let saved = (Some("save order"), 2, 1, false);
    assert_eq!(all.iter().map(told).collect::<Vec<_>>(), [saved, saved]);

    let select = |key: &str| json!({"Statement": format!("SELECT * FROM shop WHERE pk = '{key}'")});
    let reads = json!({"Statements": [
        select("ORDER#000017"), select("CUSTOMER#alex"), select("something else"),
        {"Statement": "SELECT * FROM absent WHERE pk = 'x'"},
    ]});
    let Attributions::Statements(all) = attributions(&shop, "BatchExecuteStatement", reads).await
    else {
        panic!("statements are kept apart")
    };
    assert_eq!(
        all.iter().map(told).collect::<Vec<_>>(),
        [
            (Some("one order"), 1, 1, false),
            (Some("one customer"), 1, 0, false),
            (None, 1, 0, false),
        ]
    );
}

#[tokio::test]
async fn a_statement_that_fails_is_counted_as_refused() {
    let shop = shop().await;
    let insert = "INSERT INTO shop VALUE {'pk': 'ORDER#000017', 'number': 17}";
    let batch = json!({"Statements": [{"Statement": insert}]});
    attributions(&shop, "BatchExecuteStatement", batch.clone()).await;
    let Attributions::Statements(all) = attributions(&shop, "BatchExecuteStatement", batch).await
    else {
        panic!("statements are kept apart")
    };
    assert_eq!(all.iter().map(told).collect::<Vec<_>>(), [(Some("save order"), 0, 0, true)]);
}

#[tokio::test]
async fn the_statements_of_a_transaction_are_the_pattern_that_has_them_as_members() {
    let shop = shop().await;
    let select = |key: &str| json!({"Statement": format!("SELECT * FROM shop WHERE pk = '{key}'")});
    let request = json!({"TransactStatements": [select("ORDER#000017"), select("CUSTOMER#alex")]});
    let Attributions::Whole(found) = attributions(&shop, "ExecuteTransaction", request).await
    else {
        panic!("a transaction is one request")
    };
    assert_eq!(found.pattern(), Some("orders and customers"));
    assert_eq!(found.entities(), ["Order", "Customer"]);
}
