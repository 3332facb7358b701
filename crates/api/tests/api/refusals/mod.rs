//! Actions on what this server does not have: they check their requests as AWS does, say what there
//! is, and are refused.
//!
//! Texts and their order are those of recordings of AWS from October 2026, unless stated otherwise.

mod backups;
mod replication;

use crate::harness::Harness;
use serde_json::{Value, json};

const VALID: &str = "ValidationException";

/// The API with a table `shop`.
async fn shop() -> Harness {
    let harness = Harness::new().await;
    let create = json!({
        "TableName": "shop",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    harness.call("CreateTable", create).await;
    harness
}

/// The errors of requests of one operation. None of them makes a table.
async fn check(operation: &str, cases: &[(Value, &str, &str)]) {
    let harness = shop().await;
    for (request, code, text) in cases {
        let error = harness.error(operation, request.clone()).await;
        assert_eq!(error, ((*code).to_owned(), (*text).to_owned()), "{operation} {request}");
    }
    let tables = harness.call("ListTables", json!({})).await;
    assert_eq!(tables, json!({"TableNames": ["shop"]}), "{operation}");
}
