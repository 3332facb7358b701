//! A model is about the tables of one account: those of others that have the same names are neither
//! judged nor counted by it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use monotable_identity::{Caller, Principal, Source};
use monotable_model::diagnostic::SourceFile;
use monotable_model::document::read;
use monotable_observe::{CheckMode, LoadError, Observer};
use monotable_policy::Policy;
use serde_json::{Value, json};

use crate::harness::Harness;

const OURS: &str = "111122223333";
const THEIRS: &str = "444455556666";

fn model(name: &str) -> SourceFile {
    let text = format!(
        r##"
format = 1
name = "{name}"

[tables.shop]
partition_key = "pk"

[entities.Order]
key = {{ partition = "ORDER#{{number:06}}" }}
attributes = {{ number = "N" }}

[patterns."save order"]
operation = "put"
entity = "Order"
"##
    );
    SourceFile::new("shop.toml", text)
}

fn caller(account: &str) -> Caller {
    let everything = json!([{"Effect": "Allow", "Action": "*", "Resource": "*"}]);
    let document = json!({"Version": "2012-10-17", "Statement": everything}).to_string();
    let principal = Principal {
        account: account.to_owned(),
        user: "alice".to_owned(),
        access_key_id: "AKIATEST".to_owned(),
        policies: vec![Arc::new(Policy::parse_identity("test", &document).unwrap())],
        is_admin: false,
    };
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    Caller::new(Arc::new(principal), Source { address, is_encrypted: true, user_agent: None })
}

/// Tables of the same name in both accounts.
async fn shops(observer: &Arc<Observer>) -> Harness {
    let harness = Harness::observed_by(observer.clone()).await;
    for account in [OURS, THEIRS] {
        let table = json!({
            "TableName": "shop",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        });
        send(&harness, account, "CreateTable", &table).await.unwrap();
    }
    harness
}

async fn send(
    harness: &Harness,
    account: &str,
    operation: &str,
    request: &Value,
) -> Result<(), monotable_api::ApiError> {
    let body = request.to_string();
    harness.send_as(&caller(account), operation, body.as_bytes()).await.map(drop)
}

fn put(key: &str) -> Value {
    json!({"TableName": "shop", "Item": {"pk": {"S": key}, "number": {"N": "17"}}})
}

/// How many requests for keys of its table each model has seen.
fn counts(observer: &Observer) -> Vec<u64> {
    let report = observer.report(0);
    let keys = report.models.iter().map(|model| &model.tables[0].keys[0].accessed);
    keys.map(|keys| keys.iter().map(|key| key.count).sum()).collect()
}

#[tokio::test]
async fn the_model_of_an_account_neither_judges_nor_counts_the_tables_of_another() {
    let observer = Arc::new(Observer::new(read, CheckMode::Reject));
    observer.load_for(OURS, model("ours"), 0).unwrap();
    let harness = shops(&observer).await;
    send(&harness, THEIRS, "PutItem", &put("anything")).await.unwrap();
    send(&harness, THEIRS, "PutItem", &put("ORDER#000017")).await.unwrap();
    assert_eq!(counts(&observer), [0]);
    assert!(send(&harness, OURS, "PutItem", &put("anything")).await.is_err());
    send(&harness, OURS, "PutItem", &put("ORDER#000017")).await.unwrap();
    assert_eq!(counts(&observer), [2]);
}

#[tokio::test]
async fn accounts_can_have_models_of_tables_with_the_same_names() {
    let observer = Arc::new(Observer::new(read, CheckMode::Reject));
    observer.load_for(OURS, model("ours"), 0).unwrap();
    observer.load_for(THEIRS, model("theirs"), 0).unwrap();
    let harness = shops(&observer).await;
    for account in [OURS, THEIRS, THEIRS] {
        send(&harness, account, "PutItem", &put("ORDER#000017")).await.unwrap();
    }
    assert_eq!(counts(&observer), [1, 2]);
}

#[test]
fn models_of_two_accounts_cannot_have_one_name() {
    let observer = Observer::default();
    observer.load_for(OURS, model("shop"), 0).unwrap();
    let loaded = observer.load_for(THEIRS, model("shop"), 0);
    assert!(matches!(loaded, Err(LoadError::NameTaken { .. })), "{loaded:?}");
    observer.load_for(OURS, model("shop"), 0).unwrap();
    let loaded = observer.load_for(OURS, model("other"), 0);
    assert!(matches!(loaded, Err(LoadError::TableTaken { .. })), "{loaded:?}");
}
