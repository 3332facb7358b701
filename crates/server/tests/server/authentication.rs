//! Who sends a call, if there are credentials: what is let in, and what AWS's error is for the
//! rest.
//!
//! The texts are those of DynamoDB; `api/src/wording/authentication.rs` says how they are known.

use std::fs;
use std::sync::Arc;

use crate::monitoring::audited;
use crate::support::{NOW_MILLIS, Reply, TestServer};
use monotable_identity::{Credentials, Keyring};
use monotable_sigv4::{Request, Secret, SecretKey, Signer, Timestamp};
use serde_json::Value;

const SECRET: &str = "0123456789abcdef";
const KEYS: &str = r#"
[[key]]
access_key_id = "ALICE"
secret_access_key = "0123456789abcdef"
user = "alice"
admin = true

[[key]]
access_key_id = "BOB"
secret_access_key = "0123456789abcdef"
user = "bob"

[[key]]
access_key_id = "TEMPORARY"
secret_access_key = "0123456789abcdef"
user = "temporary"
session_token = "token"

[[key]]
access_key_id = "EXPIRED"
secret_access_key = "0123456789abcdef"
user = "expired"
session_token = "token"
expires = "2015-08-30T12:35:59Z"
"#;

const INVALID: &str = "InvalidSignatureException";
const INCOMPLETE: &str = "IncompleteSignatureException";
const UNRECOGNIZED: &str = "UnrecognizedClientException";
const MISMATCH: &str = "The request signature we calculated does not match the signature you \
                        provided. Check your AWS Secret Access Key and signing method. Consult the \
                        service documentation for details.";

fn start() -> TestServer {
    TestServer::with_keyring(keyring())
}

fn keyring() -> Arc<Keyring> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.toml");
    fs::write(&path, KEYS).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    Arc::new(Keyring::new(Credentials::read(&path).unwrap()))
}

fn now() -> Timestamp {
    Timestamp::from_epoch_millis(NOW_MILLIS)
}

/// A call that can be signed and spoiled.
#[derive(Clone)]
struct TestCall {
    method: &'static str,
    path: &'static str,
    query: String,
    headers: Vec<(&'static str, String)>,
    body: &'static str,
}

impl TestCall {
    fn new(target: &str) -> TestCall {
        let headers = vec![
            ("Host", "db.example".to_owned()),
            ("Content-Type", "application/x-amz-json-1.0".to_owned()),
            ("X-Amz-Target", target.to_owned()),
        ];
        TestCall { method: "POST", path: "/", query: String::new(), headers, body: "{}" }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> TestCall {
        self.headers.push((name, value.into()));
        self
    }

    fn request(&self) -> Request<'_, [(&'static str, String)]> {
        let TestCall { method, path, query, headers, body } = self;
        Request { method, path, query, headers, body: body.as_bytes() }
    }

    fn names(&self) -> String {
        let mut names: Vec<String> =
            self.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort();
        names.join(";")
    }

    fn signed(self, signing: &Signing<'_>) -> TestCall {
        let call = self.with("X-Amz-Date", signing.at.to_string());
        let names = call.names();
        call.signed_headers(signing, &names)
    }

    fn signed_headers(self, signing: &Signing<'_>, names: &str) -> TestCall {
        let key = SecretKey::new(Secret::new(signing.secret.to_owned()));
        let signer = signing.signer(&key);
        let authorization = signer.authorization(&self.request(), names, signing.at);
        self.with("Authorization", authorization)
    }

    fn presigned(mut self, signing: &Signing<'_>, expires_secs: u64) -> TestCall {
        let key = SecretKey::new(Secret::new(signing.secret.to_owned()));
        let token = signing.token.map(|token| Secret::new(token.to_owned()));
        let signer = Signer { session_token: token.as_ref(), ..signing.signer(&key) };
        let names = self.names();
        self.query = signer.presigned_query(&self.request(), &names, signing.at, expires_secs);
        self
    }

    /// The bytes of the call, with more header lines.
    fn bytes(&self, more: &str) -> Vec<u8> {
        let TestCall { method, path, query, headers, body } = self;
        let mark = if query.is_empty() { "" } else { "?" };
        let headers: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        format!(
            "{method} {path}{mark}{query} HTTP/1.1\r\n{headers}Content-Length: \
             {length}\r\n{more}\r\n{body}"
        )
        .into_bytes()
    }

    /// Sends it by both ways that the server has, which must not differ.
    #[track_caller]
    fn send(&self, server: &TestServer) -> Reply {
        let plain = server.send(self.bytes(""));
        let full = server.send(self.bytes("Expect: nothing\r\n"));
        assert_eq!((plain.status, plain.text()), (full.status, full.text()));
        assert_eq!(plain.header("content-type"), full.header("content-type"));
        plain
    }
}

/// Who signs, and for where and when.
#[derive(Clone, Copy)]
struct Signing<'a> {
    id: &'a str,
    secret: &'a str,
    token: Option<&'a str>,
    region: &'a str,
    service: &'a str,
    at: Timestamp,
}

impl Signing<'_> {
    fn signer<'a>(&'a self, key: &'a SecretKey) -> Signer<'a> {
        let Signing { id, region, service, .. } = *self;
        Signer { access_key_id: id, key, session_token: None, region, service }
    }
}

fn alice() -> Signing<'static> {
    Signing {
        id: "ALICE",
        secret: SECRET,
        token: None,
        region: "us-east-1",
        service: "dynamodb",
        at: now(),
    }
}

#[track_caller]
fn assert_refused(reply: &Reply, name: &str, message: &str) {
    let error: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(error["message"], message, "{error}");
    assert_eq!(error["__type"], format!("com.amazon.coral.service#{name}"));
    assert_eq!(reply.status, 400);
    assert_eq!(reply.header("x-amzn-requestid").map(str::len), Some(52));
    assert!(reply.header("x-amz-crc32").is_some());
}

#[test]
fn a_signed_call_is_answered_as_its_users() {
    let server = start();
    for (id, user, token) in
        [("ALICE", "alice", None), ("BOB", "bob", None), ("TEMPORARY", "temporary", Some("token"))]
    {
        let signing = Signing { id, token, ..alice() };
        let mut call = TestCall::new("WhoAmI");
        if let Some(token) = token {
            call = call.with("X-Amz-Security-Token", token);
        }
        let reply = call.signed(&signing).send(&server);
        assert_eq!((reply.status, reply.text()), (200, user));
        let reply = TestCall::new("WhoAmI").presigned(&signing, 60).send(&server);
        assert_eq!((reply.status, reply.text()), (200, user));
    }
}

#[test]
fn without_credentials_nothing_is_looked_at() {
    let server = TestServer::start();
    let call = TestCall::new("WhoAmI").with("Authorization", "nonsense");
    let call = TestCall {
        headers: call.headers.into_iter().filter(|(name, _)| *name != "Host").collect(),
        ..call
    };
    let reply = call.with("Host", "localhost").send(&server);
    assert_eq!((reply.status, reply.text()), (200, "anyone"));
}

#[test]
fn calls_that_are_not_signed_are_refused() {
    let server = start();
    let message = "Request is missing Authentication Token";
    for call in [
        TestCall::new("Echo"),
        TestCall::new("Echo").with("Authorization", "Bearer abc"),
        TestCall::new("Echo").with("Authorization", ""),
    ] {
        assert_refused(&call.send(&server), "MissingAuthenticationTokenException", message);
    }
}

#[test]
fn wrong_signatures_are_refused() {
    let server = start();
    let signed = |signing: Signing<'_>| TestCall::new("Echo").signed(&signing);
    let earlier = |secs| now().minus_secs(secs);
    let table: Vec<(TestCall, &str, &str)> = vec![
        (signed(Signing { secret: "another secret!!", ..alice() }), INVALID, MISMATCH),
        (TestCall { body: "{ }", ..signed(alice()) }, INVALID, MISMATCH),
        (signed(alice()).with("X-Amz-Target", "Refuse"), INVALID, MISMATCH),
        (
            signed(Signing { id: "CAROL", ..alice() }),
            UNRECOGNIZED,
            "The security token included in the request is invalid.",
        ),
        (
            signed(Signing { at: earlier(901), ..alice() }),
            INVALID,
            "Signature expired: 20150830T122059Z is now earlier than 20150830T122100Z \
             (20150830T123600Z - 15 min.)",
        ),
        (
            signed(Signing { at: now().plus_secs(901), ..alice() }),
            INVALID,
            "Signature not yet current: 20150830T125101Z is still later than 20150830T125100Z \
             (20150830T123600Z + 15 min.)",
        ),
        (
            signed(Signing { region: "eu-west-2", ..alice() }),
            INVALID,
            "Credential should be scoped to a valid region, not 'eu-west-2'. ",
        ),
        (
            signed(Signing { service: "dynamodbstreams", ..alice() }),
            INVALID,
            "Credential should be scoped to correct service: 'dynamodb'. ",
        ),
        (
            TestCall::new("Echo")
                .with("X-Amz-Date", now().to_string())
                .signed_headers(&alice(), "x-amz-date;x-amz-target"),
            INVALID,
            "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.",
        ),
        (
            TestCall::new("Echo")
                .with("X-Amz-Date", now().to_string())
                .signed_headers(&alice(), "host;x-amz-date"),
            INVALID,
            "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.",
        ),
        (
            TestCall::new("Echo").with("X-Amz-Date", "today").with(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b",
            ),
            INCOMPLETE,
            "Date must be in ISO-8601 'basic format'. Got 'today'. \
             See http://en.wikipedia.org/wiki/ISO_8601",
        ),
        (
            TestCall::new("Echo").with("Authorization", "AWS4-HMAC-SHA256 Credential=a"),
            INCOMPLETE,
            "Authorization header requires 'Signature' parameter. Authorization header requires \
             'SignedHeaders' parameter. Authorization header requires existence of either a \
             'X-Amz-Date' or a 'Date' header. (Hashed with SHA-256 and encoded with Base64) \
             Authorization=520Nq5bS80gLhTcgcZzjkP74XCXMcdxItgMCiiN4K6U=",
        ),
    ];
    for (call, name, message) in table {
        assert_refused(&call.send(&server), name, message);
    }
}

/// What is not permitted to those who can sign is tested with the policies, for every action too.
#[test]
fn every_action_is_refused_to_whoever_cannot_sign() {
    let server = start();
    for target in monotable_api::targets() {
        let signed = |signing: Signing<'_>| TestCall::new(&target).signed(&signing);
        let token = |call: TestCall| call.with("X-Amz-Security-Token", "token");
        let expired = Signing { id: "EXPIRED", token: Some("token"), ..alice() };
        let late = Signing { at: now().minus_secs(901), ..alice() };
        for (call, name) in [
            (TestCall::new(&target), "MissingAuthenticationTokenException"),
            (TestCall::new(&target).with("Authorization", "AWS4-HMAC-SHA256 a"), INCOMPLETE),
            (signed(Signing { secret: "another secret!!", ..alice() }), INVALID),
            (signed(late), INVALID),
            (TestCall { body: "{ }", ..signed(alice()) }, INVALID),
            (signed(Signing { id: "CAROL", ..alice() }), UNRECOGNIZED),
            (token(TestCall::new(&target)).signed(&expired), "ExpiredTokenException"),
        ] {
            let error: Value = serde_json::from_slice(&call.send(&server).body).unwrap();
            let expected = format!("com.amazon.coral.service#{name}");
            assert_eq!(error["__type"], expected, "{target}");
        }
    }
}

#[test]
fn a_presigned_call_counts_as_long_as_it_says() {
    let server = start();
    let earlier = Signing { at: now().minus_secs(60), ..alice() };
    let call = |secs| TestCall::new("Echo").presigned(&earlier, secs);
    assert_eq!(call(60).send(&server).status, 200);
    assert_refused(
        &call(59).send(&server),
        INVALID,
        "Signature expired: 20150830T123500Z is now earlier than 20150830T123501Z \
         (20150830T123600Z - 59 sec.)",
    );
    let spoiled = TestCall { body: "{ }", ..call(60) };
    assert_refused(&spoiled.send(&server), INVALID, MISMATCH);
    let longer = call(60);
    let query = longer.query.replace("X-Amz-Expires=60", "X-Amz-Expires=600");
    assert_refused(&TestCall { query, ..longer }.send(&server), INVALID, MISMATCH);
    let twice = TestCall::new("Echo").presigned(&alice(), 60).signed(&alice());
    assert_refused(
        &twice.send(&server),
        INVALID,
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    );
}

#[test]
fn tokens_are_asked_for() {
    let server = start();
    let wrong = "The security token included in the request is invalid";
    let expired = "The security token included in the request is expired";
    for (id, token, name, message) in [
        ("TEMPORARY", None, UNRECOGNIZED, wrong),
        ("TEMPORARY", Some("tokem"), UNRECOGNIZED, wrong),
        ("ALICE", Some("token"), UNRECOGNIZED, wrong),
        ("EXPIRED", Some("token"), "ExpiredTokenException", expired),
        ("EXPIRED", None, UNRECOGNIZED, wrong),
    ] {
        let signing = Signing { id, token, ..alice() };
        let mut call = TestCall::new("Echo");
        if let Some(token) = token {
            call = call.with("X-Amz-Security-Token", token);
        }
        assert_refused(&call.signed(&signing).send(&server), name, message);
        let presigned = TestCall::new("Echo").presigned(&signing, 60);
        assert_refused(&presigned.send(&server), name, message);
    }
}

#[test]
fn a_refused_call_leaves_the_connection_open() {
    let server = start();
    let mut client = server.connect();
    for _ in 0..2 {
        client.send(TestCall::new("Echo").bytes(""));
        assert_eq!(client.read().status, 400);
        client.send(TestCall::new("Echo").signed(&alice()).bytes(""));
        assert_eq!(client.read().text(), "{}");
    }
}

#[test]
fn whether_the_server_lives_and_is_ready_may_be_asked_without_a_key() {
    let server = start();
    for path in ["/", "/_monotable/health", "/_monotable/ready"] {
        let reply = server.send(format!("GET {path} HTTP/1.1\r\nHost: any.example\r\n\r\n"));
        assert_eq!(reply.status, 200, "{path}");
    }
}

#[test]
fn administrators_sign_with_a_key_that_is_theirs() {
    let server = start();
    let call = |path, method, body| {
        let headers = vec![
            ("Host", "db.example".to_owned()),
            ("Content-Type", "application/json".to_owned()),
        ];
        TestCall { method, path, query: String::new(), headers, body }
    };
    for (path, method, body) in [
        ("/_monotable/clock", "GET", ""),
        ("/_monotable/clock/advance", "POST", r#"{"seconds":1}"#),
        ("/_monotable/reset", "POST", r#"{"tables":"keep"}"#),
        ("/_monotable/snapshots", "POST", r#"{"name":"base"}"#),
        ("/_monotable/snapshots/restore", "POST", r#"{"name":"base"}"#),
    ] {
        let reply = server.send(call(path, method, body).bytes(""));
        assert_eq!(reply.status, 403, "{path}");
        assert!(reply.text().contains("admin = true"), "{}", reply.text());
        let bob = Signing { id: "BOB", ..alice() };
        let reply = server.send(call(path, method, body).signed(&bob).bytes(""));
        assert_eq!(reply.status, 403, "{path}");
        let reply = server.send(call(path, method, body).signed(&alice()).bytes(""));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    }
    let typed = call("/_monotable/clock/advance", "POST", r#"{"seconds":1}"#);
    let untyped = TestCall { headers: vec![("Host", "db.example".to_owned())], ..typed };
    assert_eq!(server.send(untyped.signed(&alice()).bytes("")).status, 415);
}

#[test]
fn a_compressed_body_is_signed_as_it_is_sent() {
    use std::io::Write;
    let server = start();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(b"{\"a\":1}").unwrap();
    let body = encoder.finish().unwrap();
    let call = TestCall::new("Echo").with("X-Amz-Date", now().to_string());
    let key = SecretKey::new(Secret::new(SECRET.to_owned()));
    let signing = alice();
    let request = Request { body: &body, ..call.request() };
    let authorization =
        signing.signer(&key).authorization(&request, "host;x-amz-date;x-amz-target", now());
    let lines: String =
        call.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "POST / HTTP/1.1\r\n{lines}Authorization: {authorization}\r\nContent-Encoding: gzip\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let reply = server.send([head.as_bytes(), &body].concat());
    assert_eq!((reply.status, reply.text()), (200, "{\"a\":1}"));
}

#[test]
fn the_audit_log_names_administrators_and_those_who_would_be() {
    let (monitoring, auditor) = audited();
    let server = TestServer::with_keyring_and(keyring(), monitoring);
    let call = |path: &'static str, method: &'static str, body: &'static str| {
        let headers = vec![
            ("Host", "db.example".to_owned()),
            ("Content-Type", "application/json".to_owned()),
        ];
        TestCall { method, path, query: String::new(), headers, body }
    };
    let (alice, bob) = (alice(), Signing { id: "BOB", ..alice() });
    let faults = r#"{"faults":[]}"#;
    let requests = [
        call("/_monotable/faults", "PUT", faults).signed(&alice),
        call("/_monotable/faults", "DELETE", "").signed(&alice),
        call("/_monotable/metrics", "GET", "").signed(&alice),
        call("/_monotable/metrics", "GET", "").signed(&bob),
        call("/_monotable/faults", "PUT", faults).signed(&bob),
        call("/_monotable/insights", "GET", ""),
        call("/_monotable/ready", "GET", ""),
    ];
    for request in &requests {
        server.send(request.bytes(""));
    }
    let calls = auditor.all();
    let lines: Vec<_> = calls
        .iter()
        .map(|call| (call.caller.user.as_deref(), call.action.as_str(), call.status.unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            (Some("alice"), "monotable:PUT /_monotable/faults", 200),
            (Some("alice"), "monotable:DELETE /_monotable/faults", 200),
            (Some("bob"), "monotable:GET /_monotable/metrics", 403),
            (Some("bob"), "monotable:PUT /_monotable/faults", 403),
            (None, "monotable:GET /_monotable/insights", 403),
        ]
    );
    assert_eq!(calls[0].caller.access_key_id.as_deref(), Some("ALICE"));
    assert_eq!(calls[0].caller.account.as_deref(), Some("000000000000"));
}
