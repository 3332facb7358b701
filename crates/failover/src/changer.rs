//! A client that adds an index and removes it again, whatever happens to the servers.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};

use crate::caller::Caller;
use crate::clock::until;
use crate::servers::Endpoints;
use crate::table::{BY_VALUE, TABLE};

/// How long a change may take, with every server dying once in between.
const LIMIT: Duration = Duration::from_secs(180);

/// Where the index stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Absent,
    Active,
    UnderWay,
}

/// Adds the index, or removes it if it is there, and waits until that is done. Returns whether it
/// is there then.
pub(crate) fn change(endpoints: &Endpoints, server: usize) -> Result<Standing> {
    let mut caller = Caller::new(endpoints, server);
    let before = until(LIMIT, || settled(&mut caller));
    let before = before.context("a change of the index does not end")?;
    let update = match before {
        Standing::Absent => json!({ "Create": {
            "IndexName": BY_VALUE,
            "KeySchema": [{ "AttributeName": "v", "KeyType": "HASH" }],
            "Projection": { "ProjectionType": "KEYS_ONLY" }
        } }),
        Standing::Active | Standing::UnderWay => json!({ "Delete": { "IndexName": BY_VALUE } }),
    };
    let request = json!({
        "TableName": TABLE,
        "AttributeDefinitions": [
            { "AttributeName": "pk", "AttributeType": "S" },
            { "AttributeName": "grp", "AttributeType": "S" },
            { "AttributeName": "v", "AttributeType": "N" }
        ],
        "GlobalSecondaryIndexUpdates": [update]
    });
    // Refused if an attempt without an answer has been done; what counts is what the table says.
    caller.ask("UpdateTable", &request);
    let changed = until(LIMIT, || settled(&mut caller).filter(|after| *after != before));
    changed.with_context(|| format!("the index stays {before:?}"))
}

/// Where the index stands, unless it is under way.
fn settled(caller: &mut Caller) -> Option<Standing> {
    let standing = standing(&caller.ask("DescribeTable", &json!({ "TableName": TABLE }))?);
    Some(standing).filter(|standing| *standing != Standing::UnderWay)
}

fn standing(described: &Json) -> Standing {
    let indexes = described.pointer("/Table/GlobalSecondaryIndexes").and_then(Json::as_array);
    let named = |index: &&Json| index.get("IndexName").is_some_and(|name| name == BY_VALUE);
    match indexes.into_iter().flatten().find(named).and_then(|index| index.get("IndexStatus")) {
        None => Standing::Absent,
        Some(status) if status == "ACTIVE" => Standing::Active,
        Some(_) => Standing::UnderWay,
    }
}
