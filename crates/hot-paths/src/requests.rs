//! Whole requests through the API, from the bytes of the body to the bytes of the answer.
//!
//! Each scenario sends different requests in turn and changes what it writes, so that no request
//! repeats the one before it. The first answer is looked at before anything counts: an answer that
//! is cheap because it is wrong must not become a figure.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::order::{Order, revision_text};
use crate::store::{self, LoadedStore, STORE_ORDERS, STORES, TABLE};

/// How many orders a scenario asks for in turn.
const ORDERS_ASKED: u64 = 63;
/// How far apart they are among all orders.
const STRIDE: u64 = 7;
/// How many orders a batch writes: as many as it may.
const BATCH_ORDERS: u64 = 25;
/// How many different requests a scenario sends in turn: every order gets another revision when its
/// turn comes again, because a write of what is there already would have less to do.
const REQUESTS: u64 = 2 * ORDERS_ASKED;

/// One order by its key.
pub(crate) fn get_item(iterations: u64) -> Result<()> {
    get_item_in(&LoadedStore::with_orders()?, iterations)
}

fn get_item_in(store: &LoadedStore, iterations: u64) -> Result<()> {
    let gets = gets();
    let answer = store.answer("GetItem", first(&gets)?)?;
    ensure!(answer.get("Item") == Some(&store::order(0).json()), "another item: {answer}");
    store.count_calls(iterations, "GetItem", &gets)
}

/// One order by its key, by a PartiQL statement.
pub(crate) fn point_select(iterations: u64) -> Result<()> {
    let store = LoadedStore::with_orders()?;
    let request = |number| {
        let key = asked(number).key_json();
        let statement = format!("SELECT * FROM {TABLE} WHERE pk = ? AND sk = ?");
        json!({ "Statement": statement, "Parameters": [key.get("pk"), key.get("sk")] })
    };
    let answer = store.answer("ExecuteStatement", &request(0))?;
    ensure!(answer == json!({ "Items": [store::order(0).json()] }), "another item: {answer}");
    store.count_calls(iterations, "ExecuteStatement", &requests(request))
}

/// The 25 orders of one store.
pub(crate) fn query(iterations: u64) -> Result<()> {
    query_in(&LoadedStore::with_orders()?, iterations)
}

fn query_in(store: &LoadedStore, iterations: u64) -> Result<()> {
    let request = |number: u64| {
        let pk = format!("STORE#{:08}", number % STORES);
        json!({
            "TableName": TABLE,
            "KeyConditionExpression": "pk = :store",
            "ExpressionAttributeValues": { ":store": { "S": pk } },
        })
    };
    let answer = store.answer("Query", &request(0))?;
    let items = answer.get("Items").and_then(Value::as_array).context("there are no Items")?;
    ensure!(items.len() as u64 == STORE_ORDERS, "{} items", items.len());
    store.count_calls(iterations, "Query", &requests(request))
}

/// A whole order over one that is there. Its content changes, and so does its entry in the index.
pub(crate) fn put_item(iterations: u64) -> Result<()> {
    put_item_in(&LoadedStore::with_orders()?, iterations)
}

fn put_item_in(store: &LoadedStore, iterations: u64) -> Result<()> {
    let puts = puts();
    let answer = store.answer("PutItem", first(&puts)?)?;
    ensure!(answer == json!({}), "an answer that is not empty: {answer}");
    store.count_calls(iterations, "PutItem", &puts)
}

/// Two attributes of an order that is there, with a condition that holds.
pub(crate) fn update_item(iterations: u64) -> Result<()> {
    update_item_in(&LoadedStore::with_orders()?, iterations)
}

fn update_item_in(store: &LoadedStore, iterations: u64) -> Result<()> {
    let answer = store.answer("UpdateItem", &update(0))?;
    ensure!(answer == json!({}), "an answer that is not empty: {answer}");
    store.count_calls(iterations, "UpdateItem", &requests(update))
}

/// 25 whole orders over those that are there.
pub(crate) fn batch_write_item(iterations: u64) -> Result<()> {
    batch_write_item_in(&LoadedStore::with_orders()?, iterations)
}

fn batch_write_item_in(store: &LoadedStore, iterations: u64) -> Result<()> {
    let request = |number| {
        let put = |order: Order| json!({ "PutRequest": { "Item": order.json() } });
        let puts: Vec<Value> = asked_together(number, BATCH_ORDERS).map(put).collect();
        json!({ "RequestItems": { TABLE: puts } })
    };
    let answer = store.answer("BatchWriteItem", &request(0))?;
    ensure!(answer == json!({ "UnprocessedItems": {} }), "something is left: {answer}");
    store.count_calls(iterations, "BatchWriteItem", &requests(request))
}

/// A transaction of two whole orders, a changed one and one that is only checked.
pub(crate) fn transact_write_items(iterations: u64) -> Result<()> {
    transact_write_items_in(&LoadedStore::with_orders()?, iterations)
}

fn transact_write_items_in(store: &LoadedStore, iterations: u64) -> Result<()> {
    let request = |number| {
        let put = |order: Order| json!({ "Put": { "TableName": TABLE, "Item": order.json() } });
        let puts = asked_together(number, 2).map(put);
        let check = json!({
            "TableName": TABLE,
            "Key": asked(number + 3).key_json(),
            "ConditionExpression": "attribute_exists(pk)",
        });
        let others = [json!({ "Update": update(number + 2) }), json!({ "ConditionCheck": check })];
        json!({ "TransactItems": puts.chain(others).collect::<Vec<Value>>() })
    };
    let answer = store.answer("TransactWriteItems", &request(0))?;
    ensure!(answer == json!({}), "an answer that is not empty: {answer}");
    store.count_calls(iterations, "TransactWriteItems", &requests(request))
}

/// Requests for one order each.
pub(crate) fn gets() -> Vec<Value> {
    requests(|number| json!({ "TableName": TABLE, "Key": asked(number).key_json() }))
}

/// Requests that write one whole order each.
pub(crate) fn puts() -> Vec<Value> {
    requests(|number| json!({ "TableName": TABLE, "Item": asked(number).json() }))
}

fn first(requests: &[Value]) -> Result<&Value> {
    requests.first().context("there is no request")
}

/// The calls on a table that a model is known of, by the names of their patterns. What they are is
/// looked at when they have been counted.
pub(crate) mod with_model {
    use super::*;

    pub(crate) fn get_item(iterations: u64) -> Result<()> {
        play(iterations, "one order", get_item_in)
    }

    pub(crate) fn query(iterations: u64) -> Result<()> {
        play(iterations, "orders of a store", query_in)
    }

    pub(crate) fn put_item(iterations: u64) -> Result<()> {
        play(iterations, "save order", put_item_in)
    }

    pub(crate) fn update_item(iterations: u64) -> Result<()> {
        play(iterations, "ship order", update_item_in)
    }

    pub(crate) fn batch_write_item(iterations: u64) -> Result<()> {
        play(iterations, "save orders", batch_write_item_in)
    }

    fn play(
        iterations: u64,
        pattern: &str,
        scenario: fn(&LoadedStore, u64) -> Result<()>,
    ) -> Result<()> {
        let store = LoadedStore::with_model()?;
        scenario(&store, iterations)?;
        let seen = store.seen()?;
        let requests = seen.patterns.iter().find(|one| one.name == pattern).map(|one| one.requests);
        ensure!(requests > Some(iterations), "{pattern} was seen {requests:?} times");
        ensure!(seen.drift.is_empty(), "an order does not fit: {:?}", seen.drift);
        Ok(())
    }
}

fn update(number: u64) -> Value {
    json!({
        "TableName": TABLE,
        "Key": asked(number).key_json(),
        "UpdateExpression": "SET revision = :revision, #state = :state",
        "ConditionExpression": "attribute_exists(pk) AND amount >= :least",
        "ExpressionAttributeNames": { "#state": "state" },
        "ExpressionAttributeValues": {
            ":revision": { "N": revision_text(asked(number).revision) },
            ":state": { "S": "SHIPPED" },
            ":least": { "N": "1000" },
        },
    })
}

/// The orders that a request on several asks for, each in another revision than the request before
/// gave it.
fn asked_together(number: u64, count: u64) -> impl Iterator<Item = Order> {
    (0..count).map(move |place| Order { revision: number + 1, ..asked(number + place) })
}

/// The order that a request asks for, in the revision that a write gives it.
fn asked(number: u64) -> Order {
    Order { revision: number + 1, ..store::order(number % ORDERS_ASKED * STRIDE) }
}

fn requests(request: impl Fn(u64) -> Value) -> Vec<Value> {
    (0..REQUESTS).map(request).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_changes_what_the_one_before_it_on_the_same_order_wrote() {
        let all: Vec<Order> = (0..REQUESTS).map(asked).collect();
        for (number, order) in all.iter().enumerate() {
            let others = all.iter().enumerate().filter(|(other, _)| *other != number);
            let same_key = others.filter(|(_, other)| other.key_json() == order.key_json());
            let revisions: Vec<u64> = same_key.map(|(_, other)| other.revision).collect();
            assert!(revisions.len() == 1 && !revisions.contains(&order.revision));
        }
    }
}
