//! Orders: placed whole or not at all, listed in pages, moved on in order.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::service::Service;

async fn with_ada() -> Service {
    let service = Service::start().await;
    let ada = json!({ "username": "ada", "email": "ada@example.org", "name": "Ada" });
    assert_eq!(service.post("/customers", ada).await.0, StatusCode::CREATED);
    service
}

fn order(items: &[&str]) -> Value {
    let items = items
        .iter()
        .map(|id| json!({ "item_id": id, "description": format!("a {id}"), "price_cents": 250 }));
    json!({ "items": items.collect::<Vec<_>>() })
}

async fn place(service: &Service, items: &[&str]) -> String {
    let (status, body) = service.post("/customers/ada/orders", order(items)).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    body["order"]["order_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_order_is_saved_with_its_items() {
    let service = with_ada().await;
    let id = place(&service, &["tea", "cup"]).await;
    let (status, body) = service.get(&format!("/orders/{id}")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["order"]["amount_cents"], 500);
    assert_eq!(body["order"]["status"], "PLACED");
    let ids: Vec<&Value> =
        body["items"].as_array().unwrap().iter().map(|item| &item["item_id"]).collect();
    assert_eq!(ids, ["cup", "tea"]);
    let (_, page) = service.get("/customers/ada").await;
    assert_eq!(page["customer"]["name"], "Ada");
    assert_eq!(page["newest_orders"][0]["order_id"], json!(id));
}

#[tokio::test]
async fn an_order_that_cannot_be_saved_leaves_nothing() {
    let service = with_ada().await;
    let (status, body) = service.post("/customers/eve/orders", order(&["tea"])).await;
    assert_eq!((status, &body["error"]), (StatusCode::NOT_FOUND, &json!("no-customer")));
    let (status, _) = service.post("/customers/ada/orders", order(&[])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, body) = service.post("/customers/ada/orders", order(&["tea", "tea"])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    let many: Vec<String> = (0..99).map(|number| format!("i{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(service.post("/customers/ada/orders", order(&many)).await.0, 422);
    assert_eq!(service.get("/customers/ada/orders").await.1["orders"], json!([]));
    let unknown = "/orders/2aQNuT4sonBubfcgFuHjZyCOesI";
    assert_eq!(service.get(unknown).await.0, StatusCode::NOT_FOUND);
    assert_eq!(service.get("/orders/no-ksuid").await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn pages_follow_each_other_by_sealed_cursors() {
    let service = with_ada().await;
    let mut placed = Vec::new();
    for _ in 0..5 {
        placed.push(place(&service, &["tea"]).await);
    }
    placed.sort();
    placed.reverse();
    let mut seen = Vec::new();
    let mut path = "/customers/ada/orders?limit=2".to_owned();
    loop {
        let (status, body) = service.get(&path).await;
        assert_eq!(status, StatusCode::OK);
        let orders = body["orders"].as_array().unwrap();
        seen.extend(orders.iter().map(|it| it["order_id"].as_str().unwrap().to_owned()));
        let Some(next) = body["next"].as_str() else { break };
        path = format!("/customers/ada/orders?limit=2&after={next}");
    }
    assert_eq!(seen, placed);

    let (_, first) = service.get("/customers/ada/orders?limit=2").await;
    let next = first["next"].as_str().unwrap();
    for wrong in [
        "/customers/ada/orders?after=forged".to_owned(),
        format!("/customers/ada/orders?after=x{next}"),
        format!("/customers/bob/orders?after={next}"),
    ] {
        let (status, body) = service.get(&wrong).await;
        assert_eq!((status, &body["error"]), (StatusCode::BAD_REQUEST, &json!("bad-cursor")));
    }
}

#[tokio::test]
async fn an_order_moves_on_in_order() {
    let service = with_ada().await;
    let id = place(&service, &["tea"]).await;
    let path = format!("/customers/ada/orders/{id}/status");
    let to = |status: &str| json!({ "status": status });
    let (status, body) = service.put(&path, to("DELIVERED")).await;
    assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("status-refused")));
    assert_eq!(service.put(&path, to("SHIPPED")).await.1["status"], "SHIPPED");
    assert_eq!(service.put(&path, to("CANCELLED")).await.0, StatusCode::CONFLICT);
    assert_eq!(service.put(&path, to("PLACED")).await.0, StatusCode::CONFLICT);
    assert_eq!(service.put(&path, to("DELIVERED")).await.0, StatusCode::OK);
    let absent = "/customers/ada/orders/2aQNuT4sonBubfcgFuHjZyCOesI/status";
    assert_eq!(service.put(absent, to("SHIPPED")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(service.put(&path, to("LOST")).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}
