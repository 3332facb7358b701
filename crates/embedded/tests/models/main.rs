//! The access patterns of all example models, through the code that `monotable model export --to
//! rust` writes for them, or written by hand with the same client.
//!
//! `generated/` has that code and `calls/` what calls it; the tests of the exchange crate hold both
//! to what the export writes. Each step of a model that is an access pattern is made by its
//! function, or where it has none as `calls/by_hand.rs` writes it, and must be answered as the
//! model expects: on the database in process, on the SDK over it, and on the SDK over a running
//! server, with the same requests on each.

#[path = "../../../cli/tests/steps/arguments.rs"]
mod arguments;
mod call;
mod calls;
pub mod generated;
mod observed;
mod play;
mod raw;
mod wire;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use monotable_conformance::models;
use monotable_conformance::server::{self, Server, Storage};
use monotable_embedded::Embedded;

use play::{Played, play};

/// The steps that are access patterns. All of them are made by a function, or by hand.
const STEPS: usize = 382;

/// The access patterns that these steps are.
const PATTERNS: usize = 211;

#[track_caller]
fn check(played: &Played) {
    assert!(played.failures.is_empty(), "{}", played.failures.join("\n"));
    let called = (played.steps, played.called, played.patterns.len());
    assert_eq!(called, (STEPS, STEPS, PATTERNS));
}

#[tokio::test]
async fn the_functions_of_all_models_get_the_expected_rows_by_the_same_requests() {
    let (mut direct, mut over_sdk, mut served) = <(Played, Played, Played)>::default();
    for scenario in models::load_all().unwrap() {
        play(&mut direct, &scenario, Embedded::in_memory()).await.unwrap();
        let sdk = Embedded::in_memory().sdk_client();
        play(&mut over_sdk, &scenario, sdk).await.unwrap();
        // Models share names of tables, so each has a server of its own.
        let server = Server::start(&server::binary().unwrap(), Storage::Memory).unwrap();
        play(&mut served, &scenario, client_of(&server)).await.unwrap();
    }
    check(&direct);
    check(&over_sdk);
    check(&served);
    assert_eq!(direct.requests, over_sdk.requests);
    assert_eq!(direct.requests, served.requests);
}

/// The generated code describes the model that it was made of, as far as the client can say it.
#[test]
fn the_models_of_the_code_are_those_that_it_was_written_from() {
    for name in calls::NAMES {
        let original = play::example(name);
        let expressed = monotable_exchange::rust_models(&original);
        let described = calls::models(name);
        assert_eq!(expressed.len(), described.len(), "{name}");
        for (expressed, described) in expressed.iter().zip(&described) {
            assert_eq!(expressed.tables, described.tables, "{name}");
            assert_eq!(expressed.entities, described.entities, "{name}");
        }
    }
}

/// Code, model, code: what the model of the code is exported to declares the same types.
#[test]
fn the_models_of_the_code_are_exported_to_the_same_code() {
    for name in calls::NAMES {
        for described in calls::models(name) {
            let again = monotable_exchange::rust_models(&described);
            assert_eq!(again.len(), 1, "{name}");
            assert_eq!(again[0].tables, described.tables, "{name}");
            assert_eq!(again[0].entities, described.entities, "{name}");
        }
    }
}

fn client_of(server: &Server) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(server.endpoint())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    Client::from_conf(config.build())
}
