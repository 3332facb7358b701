//! Where the server listens, and where it refuses to.

use monotable_server::{BindError, Listener};

async fn refusal(host: &str, port: u16) -> BindError {
    Listener::bind(host, port).await.unwrap_err()
}

#[tokio::test]
async fn port_0_is_any_free_port() {
    let listener = Listener::bind("127.0.0.1", 0).await.unwrap();
    assert_ne!(listener.address().port(), 0);
    assert!(listener.address().ip().is_loopback());
}

#[tokio::test]
async fn the_name_of_this_machine_is_a_host() {
    assert!(Listener::bind("localhost", 0).await.unwrap().address().ip().is_loopback());
}

#[tokio::test]
async fn hosts_that_others_can_reach_are_refused() {
    for host in ["0.0.0.0", "::", "192.0.2.1"] {
        let error = refusal(host, 0).await;
        assert!(matches!(&error, BindError::NotLoopback { host: named } if named == host));
        assert!(error.to_string().contains("without credentials"));
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_said_to_be() {
    let taken = Listener::bind("127.0.0.1", 0).await.unwrap();
    let port = taken.address().port();
    assert!(matches!(refusal("127.0.0.1", port).await,
            BindError::InUse { port: named, .. } if named == port));
}

#[tokio::test]
async fn a_host_that_does_not_exist_is_said_to_be_unknown() {
    assert!(matches!(refusal("no such host", 0).await, BindError::UnknownHost { .. }));
}
