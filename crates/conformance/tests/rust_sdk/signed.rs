//! The SDK with a key of the server's, over TLS: what it signs is verified, and whom it shows a
//! session token is known.

use std::fs;
use std::path::Path;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{AttributeValue, BillingMode, Put, TransactWriteItem};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use monotable_conformance::server::{self, Server, Storage};
use tempfile::TempDir;

use crate::fixture::{definitions, key_schema, string};

const ROOT: Key = Key { id: "AKIAROOT000000000001", secret: "root/secret+12345678", token: None };
const SESSION: Key =
    Key { id: "ASIASESSION000000001", secret: "session-secret-1234", token: Some("token/+1==") };
const READER: Key = Key { id: "AKIAREADER0000000001", secret: "reader-secret-12345", token: None };

/// The keys that the server knows, and what they may do.
const CREDENTIALS: &str = r#"
[[key]]
access_key_id = "AKIAROOT000000000001"
secret_access_key = "root/secret+12345678"
user = "root"
policies = ["AmazonDynamoDBFullAccess"]

[[key]]
access_key_id = "ASIASESSION000000001"
secret_access_key = "session-secret-1234"
session_token = "token/+1=="
user = "session"
policies = ["AmazonDynamoDBFullAccess"]

[[key]]
access_key_id = "AKIAREADER0000000001"
secret_access_key = "reader-secret-12345"
user = "reader"
policies = ["AmazonDynamoDBReadOnlyAccess"]
"#;

/// What a client signs with.
#[derive(Clone, Copy)]
struct Key {
    id: &'static str,
    secret: &'static str,
    token: Option<&'static str>,
}

/// A server that encrypts and knows its clients.
struct Guarded {
    server: Server,
    folder: TempDir,
}

impl Guarded {
    /// Starts a server with the table `things` in it.
    async fn start() -> Guarded {
        let folder = tempfile::tempdir().unwrap();
        let credentials = folder.path().join("credentials.toml");
        write_private(&credentials, CREDENTIALS);
        let flags = ["--credentials", path(&credentials), "--tls", "self-signed"];
        let flags = [&flags[..], &["--tls-dir", path(folder.path())]].concat();
        let binary = server::binary().unwrap();
        let server = Server::start_with(&binary, Storage::Memory, &flags).unwrap();
        let guarded = Guarded { server, folder };
        let table = guarded.client(ROOT).create_table().table_name("things");
        let table = table.set_attribute_definitions(Some(definitions(&[("pk", "S")])));
        let table = table.set_key_schema(Some(key_schema(&["pk"], &[])));
        table.billing_mode(BillingMode::PayPerRequest).send().await.unwrap();
        guarded
    }

    /// A client that trusts the server's certificate and no other.
    fn client(&self, key: Key) -> Client {
        let authority = fs::read(self.folder.path().join("authority.pem")).unwrap();
        self.client_trusting(key, TrustStore::empty().with_pem_certificate(authority))
    }

    fn client_trusting(&self, key: Key, trusted: TrustStore) -> Client {
        let context = TlsContext::builder().with_trust_store(trusted).build().unwrap();
        let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring));
        let token = key.token.map(str::to_owned);
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(self.server.endpoint())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new(key.id, key.secret, token, None, "test"))
            .retry_config(RetryConfig::disabled())
            .http_client(http.tls_context(context).build_https())
            .build();
        Client::from_conf(config)
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Writes a file that its owner alone may read, as the server wants it.
fn write_private(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// The code of an error that the server answered with.
fn code<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> &str {
    error.as_service_error().and_then(ProvideErrorMetadata::code).unwrap_or_default()
}

#[tokio::test]
async fn what_the_sdk_signs_over_tls_is_verified() {
    let guarded = Guarded::start().await;
    let root = guarded.client(ROOT);
    assert!(guarded.server.endpoint().starts_with("https://"));
    let text = "Grüße ".repeat(100);
    let put = root.put_item().table_name("things").item("pk", string("a")).item("t", string(&text));
    put.send().await.unwrap();
    let get = root.get_item().table_name("things").key("pk", string("a")).send().await.unwrap();
    assert_eq!(get.item.unwrap().get("t"), Some(&string(&text)));
    let put = Put::builder().table_name("things").item("pk", string("b")).build().unwrap();
    let put = TransactWriteItem::builder().put(put).build();
    root.transact_write_items().transact_items(put).send().await.unwrap();
    let found = root.scan().table_name("things").send().await.unwrap();
    assert_eq!(found.count, 2);
}

#[tokio::test]
async fn a_session_token_is_needed_where_the_key_has_one() {
    let guarded = Guarded::start().await;
    let session = guarded.client(SESSION);
    let put = session.put_item().table_name("things").item("pk", string("a"));
    put.item("n", AttributeValue::N("1".to_owned())).send().await.unwrap();
    for token in [None, Some("another")] {
        let error = guarded.client(Key { token, ..SESSION }).list_tables().send().await;
        assert_eq!(code(&error.unwrap_err()), "UnrecognizedClientException");
    }
}

#[tokio::test]
async fn refusals_reach_the_sdk_as_errors_with_their_codes() {
    let guarded = Guarded::start().await;
    let list = async |key| guarded.client(key).list_tables().send().await;
    let wrong = list(Key { secret: "wrong-secret-123456", ..ROOT }).await.unwrap_err();
    assert_eq!(code(&wrong), "InvalidSignatureException");
    let unknown = list(Key { id: "AKIAUNKNOWN000000001", ..ROOT }).await.unwrap_err();
    assert_eq!(code(&unknown), "UnrecognizedClientException");
    let reader = guarded.client(READER);
    reader.scan().table_name("things").send().await.unwrap();
    let put = reader.put_item().table_name("things").item("pk", string("a")).send().await;
    assert_eq!(code(&put.unwrap_err()), "AccessDeniedException");
}

#[tokio::test]
async fn a_client_that_does_not_trust_the_certificate_sends_nothing() {
    let guarded = Guarded::start().await;
    let client = guarded.client_trusting(ROOT, TrustStore::empty());
    let error = client.list_tables().send().await.unwrap_err();
    assert!(matches!(error, SdkError::DispatchFailure(_)), "{error:?}");
}
