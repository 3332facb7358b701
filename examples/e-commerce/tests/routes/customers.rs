//! Customers, their addresses, and the e-mail addresses that are unique.

use axum::http::StatusCode;
use serde_json::json;

use crate::service::Service;

async fn with_ada() -> Service {
    let service = Service::start().await;
    let ada = json!({ "username": "ada", "email": "Ada@Example.org", "name": "Ada" });
    let (status, created) = service.post("/customers", ada).await;
    assert_eq!(status, StatusCode::CREATED);
    assert_eq!(created["email"], "ada@example.org");
    service
}

#[tokio::test]
async fn a_name_and_an_email_address_belong_to_one_customer() {
    let service = with_ada().await;
    let same_name = json!({ "username": "ada", "email": "other@example.org", "name": "Other" });
    let (status, body) = service.post("/customers", same_name).await;
    assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("username-taken")));
    let same_email = json!({ "username": "eve", "email": "ADA@example.org", "name": "Eve" });
    let (status, body) = service.post("/customers", same_email).await;
    assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("email-taken")));
    assert_eq!(service.get("/customers/eve").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_no_customer_is_refused() {
    let service = Service::start().await;
    let (status, body) = service
        .post("/customers", json!({ "username": "ada", "email": "nowhere", "name": "Ada" }))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(body["message"].as_str().unwrap().contains("nowhere"));
    let nameless = json!({ "username": "", "email": "a@example.org", "name": "" });
    assert_eq!(service.post("/customers", nameless).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, body) = service.get("/customers/nobody").await;
    assert_eq!((status, &body["error"]), (StatusCode::NOT_FOUND, &json!("no-customer")));
}

#[tokio::test]
async fn an_email_address_that_is_given_up_can_be_taken() {
    let service = with_ada().await;
    let change = |old: &str, new: &str| json!({ "old": old, "new": new });
    let bob = json!({ "username": "bob", "email": "bob@example.org", "name": "Bob" });
    service.post("/customers", bob).await;

    let path = "/customers/ada/email";
    let (status, body) = service.put(path, change("ada@example.org", "bob@example.org")).await;
    assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("email-taken")));
    let (status, body) = service.put(path, change("old@example.org", "new@example.org")).await;
    assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("email-changed")));
    let (status, body) = service.put(path, change("ada@example.org", "new@example.org")).await;
    assert_eq!((status, &body["email"]), (StatusCode::OK, &json!("new@example.org")));
    let nobody = change("a@example.org", "b@example.org");
    assert_eq!(service.put("/customers/eve/email", nobody).await.0, StatusCode::NOT_FOUND);

    let eve = json!({ "username": "eve", "email": "ada@example.org", "name": "Eve" });
    assert_eq!(service.post("/customers", eve).await.0, StatusCode::CREATED);
    assert_eq!(service.delete("/customers/eve").await.0, StatusCode::NO_CONTENT);
    assert_eq!(service.delete("/customers/eve").await.0, StatusCode::NOT_FOUND);
    let again = json!({ "username": "eva", "email": "ada@example.org", "name": "Eva" });
    assert_eq!(service.post("/customers", again).await.0, StatusCode::CREATED);
}

#[tokio::test]
async fn a_customer_has_up_to_twenty_addresses() {
    let service = with_ada().await;
    let address = json!({ "street": "1 First St", "city": "Omaha", "state": "NE" });
    for number in 0..20 {
        let path = format!("/customers/ada/addresses/a{number}");
        assert_eq!(service.put(&path, address.clone()).await.0, StatusCode::OK);
    }
    let (status, body) = service.put("/customers/ada/addresses/b", address.clone()).await;
    assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("too-many-addresses")));
    let moved = json!({ "street": "2 Second St", "city": "Omaha", "state": "NE" });
    let (status, body) = service.put("/customers/ada/addresses/a3", moved.clone()).await;
    assert_eq!((status, &body["addresses"]["a3"]), (StatusCode::OK, &moved));

    let path = "/customers/ada/addresses/a3";
    assert_eq!(service.delete(path).await.0, StatusCode::NO_CONTENT);
    let (status, body) = service.delete(path).await;
    assert_eq!((status, &body["error"]), (StatusCode::NOT_FOUND, &json!("no-address")));
    let nobody = service.put("/customers/eve/addresses/home", address).await;
    assert_eq!(nobody.1["error"], "no-customer");
    assert_eq!(service.delete("/customers/eve/addresses/home").await.1["error"], "no-customer");
}

#[tokio::test]
async fn a_database_that_is_away_is_no_mistake_of_the_service() {
    let service = with_ada().await;
    service.embedded.faults().add("throttle operation=Query").unwrap();
    let (status, body) = service.get("/customers/ada").await;
    assert_eq!((status, &body["error"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")));
    service.embedded.faults().clear();
    assert_eq!(service.get("/customers/ada").await.0, StatusCode::OK);
}
