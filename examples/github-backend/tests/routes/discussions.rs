//! Issues and pull requests, comments and reactions.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::service::Service;

fn numbers(listing: &Value) -> Vec<u64> {
    let items = listing["items"].as_array().unwrap().iter();
    items.map(|item| item["number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn issues_and_pull_requests_share_their_numbers() {
    let service = Service::with_repository().await;
    for (path, number) in [("issues", 1), ("pulls", 2), ("issues", 3)] {
        let path = format!("/repos/ada/web/{path}");
        assert_eq!(service.made(&path, json!({ "title": "a title" })).await["number"], number);
    }
    assert_eq!(numbers(&service.get("/repos/ada/web/issues").await.1), [3, 1]);
    assert_eq!(numbers(&service.get("/repos/ada/web/pulls").await.1), [2]);
    let (_, page) = service.get("/repos/ada/web").await;
    assert_eq!(page["newest_issues"][0]["number"], 3);
    for path in ["issues", "pulls"] {
        let path = format!("/repos/ada/none/{path}");
        let (status, _) = service.post(&path, json!({ "title": "a title" })).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn lists_of_one_status_have_full_pages() {
    let service = Service::with_repository().await;
    for path in ["issues", "pulls"] {
        let path = format!("/repos/ada/web/{path}");
        let mut open = Vec::new();
        for count in 0..8 {
            let made = service.made(&path, json!({ "title": "a title" })).await;
            let number = made["number"].as_u64().unwrap();
            if count % 2 == 0 {
                open.push(number);
                continue;
            }
            let of_one = format!("{path}/{number}");
            let closed = json!({ "status": "Closed" });
            let (status, body) = service.put(&format!("{of_one}/status"), closed).await;
            assert_eq!((status, &body["status"]), (StatusCode::OK, &json!("Closed")));
            assert_eq!(service.get(&of_one).await.1["status"], "Closed");
        }
        open.reverse();
        let (_, first) = service.get(&format!("{path}?status=Open&limit=3")).await;
        assert_eq!(numbers(&first), open[..3]);
        let next = first["next"].as_str().unwrap();
        let rest = format!("{path}?status=Open&limit=3&after={next}");
        assert_eq!(numbers(&service.get(&rest).await.1), open[3..]);

        let forged = format!("{path}?after=forged");
        assert_eq!(service.get(&forged).await.1["error"], "bad-cursor");
        assert_eq!(service.get(&format!("{path}/99")).await.0, StatusCode::NOT_FOUND);
        let absent = service.put(&format!("{path}/99/status"), json!({ "status": "Open" })).await;
        assert_eq!(absent.0, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn a_cursor_of_issues_does_not_open_pull_requests() {
    let service = Service::with_repository().await;
    for _ in 0..2 {
        service.made("/repos/ada/web/issues", json!({ "title": "a title" })).await;
    }
    let (_, page) = service.get("/repos/ada/web/issues?limit=1").await;
    let next = page["next"].as_str().unwrap();
    let (status, _) = service.get(&format!("/repos/ada/web/pulls?after={next}")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn comments_come_in_the_order_they_were_made() {
    let service = Service::with_repository().await;
    for path in ["issues", "pulls"] {
        let of_repo = format!("/repos/ada/web/{path}");
        let number = service.made(&of_repo, json!({ "title": "a title" })).await["number"].clone();
        let path = format!("{of_repo}/{number}/comments");
        for body in ["first", "second", "third"] {
            service.made(&path, json!({ "author": "bob", "body": body })).await;
            service.wait().await;
        }
        let (_, page) = service.get(&format!("{path}?limit=2")).await;
        assert_eq!(page["items"][1]["body"], "second");
        let next = page["next"].as_str().unwrap();
        let (_, rest) = service.get(&format!("{path}?after={next}")).await;
        assert_eq!(rest["items"][0]["body"], "third");
        let lost = json!({ "author": "bob", "body": "lost" });
        let absent = service.post(&format!("{of_repo}/99/comments"), lost).await;
        assert_eq!(absent.0, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn each_user_gives_each_reaction_once() {
    let service = Service::with_repository().await;
    for kind in ["issues", "pulls"] {
        let of_repo = format!("/repos/ada/web/{kind}");
        let number = service.made(&of_repo, json!({ "title": "a title" })).await["number"].clone();
        let thread = format!("{of_repo}/{number}");
        let hello = json!({ "author": "bob", "body": "hello" });
        let comment = service.made(&format!("{thread}/comments"), hello).await;
        let comment = comment["comment_id"].as_str().unwrap().to_owned();
        for path in [thread.clone(), format!("{thread}/comments/{comment}")] {
            let path = format!("{path}/reactions");
            let react = async |user: &str, reaction: &str| {
                service.post(&path, json!({ "user": user, "reaction": reaction })).await.0
            };
            assert_eq!(react("ada", "Heart").await, StatusCode::CREATED);
            assert_eq!(react("ada", "Rocket").await, StatusCode::CREATED);
            assert_eq!(react("bob", "Heart").await, StatusCode::CREATED);
            assert_eq!(react("bob", "Heart").await, StatusCode::CONFLICT);
            assert_eq!(react("bob", "Applause").await, StatusCode::UNPROCESSABLE_ENTITY);
        }
        let (_, comments) = service.get(&format!("{thread}/comments")).await;
        for target in [&service.get(&thread).await.1, &comments["items"][0]] {
            let counts = &target["reaction_counts"];
            let counts = ["Heart", "Rocket", "Eyes"].map(|name| counts[name].as_u64());
            assert_eq!(counts, [Some(2), Some(1), Some(0)]);
        }

        let like = json!({ "user": "ada", "reaction": "Heart" });
        for absent in [
            format!("{of_repo}/99/reactions"),
            format!("{thread}/comments/2aQNuT4sonBubfcgFuHjZyCOesI/reactions"),
        ] {
            assert_eq!(service.post(&absent, like.clone()).await.0, StatusCode::NOT_FOUND);
        }
    }
}
