//! Repositories, forks and stars.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::service::Service;

#[tokio::test]
async fn a_repository_has_an_owner_and_a_name_of_its_own() {
    let service = Service::with_repository().await;
    let again = json!({ "owner": "ada", "name": "web" });
    assert_eq!(service.post("/repos", again).await.0, StatusCode::CONFLICT);
    let ownerless = json!({ "owner": "nobody", "name": "web" });
    assert_eq!(service.post("/repos", ownerless).await.0, StatusCode::NOT_FOUND);
    let (status, page) = service.get("/repos/ada/web").await;
    assert_eq!((status, &page["repo"]["star_count"]), (StatusCode::OK, &json!(0)));
    assert_eq!(service.get("/repos/bob/web").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_fork_is_counted_and_lies_beside_its_original() {
    let service = Service::with_repository().await;
    let path = "/repos/ada/web/forks";
    let fork = service.made(path, json!({ "owner": "bob" })).await;
    assert_eq!(fork["original_owner"], "ada");
    assert_eq!(service.get("/repos/ada/web").await.1["repo"]["fork_count"], 1);
    let forks = service.get(path).await.1;
    assert_eq!(forks.as_array().unwrap().len(), 1);
    assert_eq!(forks[0]["owner"], "bob");

    assert_eq!(service.post(path, json!({ "owner": "bob" })).await.0, StatusCode::CONFLICT);
    assert_eq!(service.post(path, json!({ "owner": "eve" })).await.0, StatusCode::NOT_FOUND);
    assert_eq!(service.post(path, json!({ "owner": "ada" })).await.0, 422);
    let (status, _) = service.post("/repos/ada/none/forks", json!({ "owner": "bob" })).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(service.get("/repos/bob/none").await.0, StatusCode::NOT_FOUND);
    assert_eq!(service.get("/repos/ada/web").await.1["repo"]["fork_count"], 1);
}

#[tokio::test]
async fn stars_and_their_count_agree() {
    let service = Service::with_repository().await;
    let count = async || service.get("/repos/ada/web").await.1["repo"]["star_count"].clone();
    let star = |user: &str| format!("/repos/ada/web/stars/{user}");
    for user in ["ada", "bob"] {
        assert_eq!(service.put(&star(user), Value::Null).await.0, StatusCode::CREATED);
    }
    assert_eq!(service.put(&star("bob"), Value::Null).await.0, StatusCode::CONFLICT);
    assert_eq!(service.put(&star("eve"), Value::Null).await.0, StatusCode::NOT_FOUND);
    let nowhere = "/repos/ada/none/stars/bob";
    assert_eq!(service.put(nowhere, Value::Null).await.0, StatusCode::NOT_FOUND);
    assert_eq!(count().await, 2);

    let (_, first) = service.get("/repos/ada/web/stars?limit=1").await;
    assert_eq!(first["items"][0]["username"], "ada");
    let next = first["next"].as_str().unwrap();
    let (_, second) = service.get(&format!("/repos/ada/web/stars?limit=5&after={next}")).await;
    assert_eq!(second["items"].as_array().unwrap().len(), 1);

    assert_eq!(service.delete(&star("bob")).await.0, StatusCode::NO_CONTENT);
    assert_eq!(service.delete(&star("bob")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(count().await, 1);
}
