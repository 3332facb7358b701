//! Users, organizations and members.

use axum::http::StatusCode;
use serde_json::json;

use crate::service::Service;

#[tokio::test]
async fn a_name_belongs_to_a_user_or_to_an_organization() {
    let service = Service::start().await;
    service.made("/users", json!({ "name": "ada" })).await;
    let plan = json!({ "kind": "Team" });
    let acme = json!({ "name": "acme", "payment_plan": plan });
    assert_eq!(service.made("/organizations", acme).await["payment_plan"], plan);
    for path in ["/users", "/organizations"] {
        for name in ["ada", "acme"] {
            let (status, body) = service.post(path, json!({ "name": name })).await;
            assert_eq!((status, &body["error"]), (StatusCode::CONFLICT, &json!("exists")));
        }
    }
    let (status, _) = service.post("/users", json!({ "name": "" })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(service.get("/accounts/nobody").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_account_lists_its_repositories_by_their_last_change() {
    let service = Service::start().await;
    service.made("/users", json!({ "name": "ada" })).await;
    for name in ["one", "two"] {
        service.made("/repos", json!({ "owner": "ada", "name": name })).await;
        service.wait().await;
    }
    let names = async || {
        let (_, page) = service.get("/accounts/ada").await;
        let repos = page["repositories"].as_array().unwrap().clone();
        repos.iter().map(|repo| repo["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["two", "one"]);
    service.made("/repos/ada/one/issues", json!({ "title": "a bug" })).await;
    assert_eq!(names().await, ["one", "two"]);
}

#[tokio::test]
async fn a_membership_is_seen_from_both_sides() {
    let service = Service::start().await;
    service.made("/organizations", json!({ "name": "acme" })).await;
    for name in ["ada", "bob"] {
        service.made("/users", json!({ "name": name })).await;
        let path = format!("/organizations/acme/members/{name}");
        assert_eq!(service.put(&path, json!({ "role": "Owner" })).await.0, StatusCode::CREATED);
    }
    assert_eq!(service.get("/users/ada/organizations").await.1, json!({ "acme": "Owner" }));
    let (_, first) = service.get("/organizations/acme/members?limit=1").await;
    assert_eq!(first["items"][0]["username"], "ada");
    let next = first["next"].as_str().unwrap();
    let (_, second) = service.get(&format!("/organizations/acme/members?after={next}")).await;
    assert_eq!(second["items"][0]["username"], "bob");
    assert_eq!(second["next"], json!(null));
    let elsewhere = format!("/organizations/other/members?after={next}");
    assert_eq!(service.get(&elsewhere).await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_membership_that_cannot_be_leaves_nothing() {
    let service = Service::start().await;
    service.made("/organizations", json!({ "name": "acme" })).await;
    for name in ["ada", "bob"] {
        service.made("/users", json!({ "name": name })).await;
    }
    let join = async |organization: &str, user: &str| {
        let path = format!("/organizations/{organization}/members/{user}");
        let (status, body) = service.put(&path, json!({ "role": "Member" })).await;
        (status, body["message"].as_str().unwrap_or_default().to_owned())
    };
    let missing = |what: &str| (StatusCode::NOT_FOUND, format!("there is no such {what}"));
    assert_eq!(join("none", "ada").await, missing("organization"));
    assert_eq!(join("bob", "ada").await, missing("organization"), "bob is a user");
    assert_eq!(join("acme", "none").await, missing("user"));
    assert_eq!(service.get("/organizations/acme/members").await.1["items"], json!([]));
    assert_eq!(join("acme", "ada").await.0, StatusCode::CREATED);
    assert_eq!(join("acme", "ada").await.0, StatusCode::CONFLICT);
    assert_eq!(service.get("/users/acme/organizations").await.0, StatusCode::NOT_FOUND);

    for number in 1..40 {
        let name = format!("org{number}");
        service.made("/organizations", json!({ "name": name })).await;
        assert_eq!(join(&name, "ada").await.0, StatusCode::CREATED);
    }
    service.made("/organizations", json!({ "name": "last" })).await;
    assert_eq!(join("last", "ada").await.1, "the user is in too many organizations");
}
