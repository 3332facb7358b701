//! What is verified and what is refused, for requests of any kind.

use monotable_sigv4::{
    Expected, Form, Lifetime, Parameter, Presented, Request, ScopeMismatch, Secret, SecretKey,
    SignatureError, Signer, Timestamp,
};
use proptest::prelude::*;

const NOW: &str = "20150830T123600Z";
const SIGNED: &[&str] = &["x-amz-target"];

type Header = (String, String);

fn now() -> Timestamp {
    Timestamp::parse(NOW).unwrap()
}

fn key() -> SecretKey {
    SecretKey::new(Secret::new("secret".to_owned()))
}

fn signer(key: &SecretKey) -> Signer<'_> {
    Signer {
        access_key_id: "AKID",
        key,
        session_token: None,
        region: "us-east-1",
        service: "dynamodb",
    }
}

fn expected() -> Expected<'static> {
    Expected { region: "us-east-1", service: "dynamodb", now: now(), signed: SIGNED }
}

fn headers(pairs: &[(&str, &str)]) -> Vec<Header> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// A request that owns what it is made of.
#[derive(Debug, Clone)]
struct Owned {
    method: String,
    path: String,
    query: String,
    headers: Vec<Header>,
    body: Vec<u8>,
}

impl Owned {
    fn call() -> Owned {
        Owned {
            method: "POST".to_owned(),
            path: "/".to_owned(),
            query: String::new(),
            headers: headers(&[
                ("Host", "db.example:8000"),
                ("X-Amz-Date", NOW),
                ("X-Amz-Target", "DynamoDB_20120810.GetItem"),
                ("Content-Type", "application/x-amz-json-1.0"),
            ]),
            body: b"{\"TableName\":\"t\"}".to_vec(),
        }
    }

    fn request(&self) -> Request<'_, [Header]> {
        Request {
            method: &self.method,
            path: &self.path,
            query: &self.query,
            headers: &self.headers,
            body: &self.body,
        }
    }

    fn names(&self) -> String {
        let mut names: Vec<String> =
            self.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort();
        names.dedup();
        names.join(";")
    }

    fn signed_at(mut self, timestamp: Timestamp) -> Owned {
        let authorization = signer(&key()).authorization(&self.request(), &self.names(), timestamp);
        self.headers.push(("Authorization".to_owned(), authorization));
        self
    }

    fn signed(self) -> Owned {
        self.signed_at(now())
    }

    fn presigned(mut self, expires_secs: u64) -> Owned {
        self.headers.retain(|(name, _)| name != "X-Amz-Date");
        let names = self.names();
        self.query = signer(&key()).presigned_query(&self.request(), &names, now(), expires_secs);
        self
    }

    fn verify(&self) -> Result<(), SignatureError> {
        self.verify_with(&expected())
    }

    fn verify_with(&self, expected: &Expected<'_>) -> Result<(), SignatureError> {
        let request = self.request();
        Presented::read(&request, expected)?.verify(&key(), &request)
    }

    fn with(mut self, name: &str, value: &str) -> Owned {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn without(mut self, name: &str) -> Owned {
        self.headers.retain(|(found, _)| found != name);
        self
    }
}

#[test]
fn a_signed_call_is_verified_in_both_forms() {
    Owned::call().signed().verify().unwrap();
    Owned::call().presigned(60).verify().unwrap();
    let presigned = Owned::call().presigned(60);
    let (request, expected) = (presigned.request(), expected());
    assert_eq!(Presented::read(&request, &expected).unwrap().form(), Form::Query);
}

#[test]
fn a_signature_counts_for_a_quarter_of_an_hour_before_and_after() {
    let lifetime =
        |signed_at| Lifetime { signed_at, now: now(), secs_max: monotable_sigv4::SKEW_SECS_MAX };
    for (text, error) in [
        ("20150830T122100Z", None),
        ("20150830T122059Z", Some(SignatureError::Expired as fn(Lifetime) -> _)),
        ("20150830T125100Z", None),
        ("20150830T125101Z", Some(SignatureError::NotYetCurrent as fn(Lifetime) -> _)),
    ] {
        let timestamp = Timestamp::parse(text).unwrap();
        let request = Owned::call().without("X-Amz-Date").with("X-Amz-Date", text);
        let result = request.signed_at(timestamp).verify();
        assert_eq!(result.err(), error.map(|error| error(lifetime(timestamp))), "{text}");
    }
}

#[test]
fn a_presigned_request_counts_as_long_as_it_says() {
    let at = |secs| Expected { now: now().plus_secs(secs), ..expected() };
    for (expires_secs, secs, counts) in [
        (60, 60, true),
        (60, 61, false),
        (3600, 3600, true),
        (604_800, 604_800, true),
        (604_800, 604_801, false),
    ] {
        let result = Owned::call().presigned(expires_secs).verify_with(&at(secs));
        assert_eq!(result.is_ok(), counts, "{expires_secs} {secs}: {result:?}");
    }
    for expires_secs in [0, 604_801] {
        let result = Owned::call().presigned(expires_secs).verify();
        let expires = expires_secs.to_string();
        assert_eq!(result, Err(SignatureError::MalformedExpires { expires }));
    }
}

#[test]
fn the_date_header_is_good_enough() {
    let call = || Owned::call().without("X-Amz-Date");
    call().with("Date", "Sun, 30 Aug 2015 12:36:00 GMT").signed().verify().unwrap();
    call().with("Date", NOW).signed().verify().unwrap();
    let error = call().with("Date", "yesterday").signed().verify().unwrap_err();
    assert_eq!(error, SignatureError::MalformedDate { date: "yesterday".to_owned() });
}

#[test]
fn what_is_missing_is_named_in_the_order_of_aws() {
    use Parameter::{Algorithm, Credential, Date, Signature, SignedHeaders};
    let header = |value: &str| {
        let result = Owned::call().without("X-Amz-Date").with("Authorization", value).verify();
        match result.unwrap_err() {
            SignatureError::Incomplete { missing, header_sha256: Some(_) } => missing,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(header("AWS4-X"), [Credential, Signature, SignedHeaders, Date]);
    assert_eq!(header("AWS4-X Credential=a"), [Signature, SignedHeaders, Date]);
    assert_eq!(header("AWS4-X Credential=,Signature=a"), [Credential, SignedHeaders, Date]);
    assert_eq!(header("AWS4-X SignedHeaders=,Signature=a,Credential=b"), [Date]);
    let query = |query: &str| {
        let result = Owned { query: query.to_owned(), ..Owned::call() }.verify();
        match result.unwrap_err() {
            SignatureError::Incomplete { missing, header_sha256: None } => missing,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(query("X-Amz-Algorithm"), [Algorithm, Credential, Signature, SignedHeaders, Date]);
    assert_eq!(query("X-Amz-Algorithm=a&X-Amz-Date=b"), [Credential, Signature, SignedHeaders]);
}

#[test]
fn the_host_and_the_target_must_be_signed() {
    for (signed_headers, name) in
        [("x-amz-date;x-amz-target", "host"), ("host;x-amz-date", "x-amz-target")]
    {
        let call = Owned::call();
        let authorization = signer(&key()).authorization(&call.request(), signed_headers, now());
        let error = call.with("Authorization", &authorization).verify().unwrap_err();
        assert_eq!(error, SignatureError::HeaderNotSigned { name: name.to_owned() });
    }
    let call = Owned::call().without("X-Amz-Target");
    let authorization = signer(&key()).authorization(&call.request(), "host;x-amz-date", now());
    call.with("Authorization", &authorization).verify().unwrap();
}

#[test]
fn another_scope_is_told_part_by_part() {
    let elsewhere = Expected { region: "eu-west-2", service: "kinesis", ..expected() };
    let error = Owned::call().signed().verify_with(&elsewhere).unwrap_err();
    let (region, service) = (Some("us-east-1".to_owned()), Some("kinesis".to_owned()));
    let mismatch = ScopeMismatch { region, service, ..ScopeMismatch::default() };
    assert_eq!(error, SignatureError::WrongScope(mismatch));

    let header = "AWS4-HMAC-SHA256 Credential=AKID/20150829/us-east-1/dynamodb/aws5_request, \
                  SignedHeaders=host;x-amz-target, Signature=a";
    let error = Owned::call().with("Authorization", header).verify().unwrap_err();
    let mismatch = ScopeMismatch {
        terminator: Some("aws5_request".to_owned()),
        day: Some(("20150829".to_owned(), now())),
        ..ScopeMismatch::default()
    };
    assert_eq!(error, SignatureError::WrongScope(mismatch));
}

#[test]
fn the_rest_is_refused_by_name() {
    let presented = |header: &str| Owned::call().with("Authorization", header).verify();
    assert_eq!(Owned::call().verify(), Err(SignatureError::Missing));
    assert_eq!(presented("Bearer abc"), Err(SignatureError::Missing));
    let algorithm = "AWS4-HMAC-SHA25".to_owned();
    assert_eq!(
        presented("AWS4-HMAC-SHA25 Credential=a,SignedHeaders=HOST;X-Amz-Target,Signature=b"),
        Err(SignatureError::UnsupportedAlgorithm { algorithm })
    );
    let credential = "a/b/c/d".to_owned();
    assert_eq!(
        presented(
            "AWS4-HMAC-SHA256 Credential=a/b/c/d,SignedHeaders=host;x-amz-target,Signature=b"
        ),
        Err(SignatureError::MalformedCredential { credential })
    );
    let twice = Owned { query: Owned::call().presigned(60).query, ..Owned::call().signed() };
    assert_eq!(twice.verify(), Err(SignatureError::TwoForms));
}

#[test]
fn more_names_than_a_request_has_headers_are_not_looked_for() {
    let names = format!("host;x-amz-target{}", ";a".repeat(200));
    let header = format!(
        "AWS4-HMAC-SHA256 Credential=AKID/20150830/us-east-1/dynamodb/aws4_request, \
         SignedHeaders={names}, Signature=a"
    );
    let result = Owned::call().with("Authorization", &header).verify();
    assert_eq!(result, Err(SignatureError::Mismatch));
}

#[test]
fn another_secret_does_not_match() {
    let call = Owned::call().signed();
    let (request, other) = (call.request(), SecretKey::new(Secret::new("secres".to_owned())));
    let presented = Presented::read(&request, &expected()).unwrap();
    assert_eq!(presented.verify(&other, &request), Err(SignatureError::Mismatch));
}

#[test]
fn a_hash_that_is_sent_with_another_body_does_not_help() {
    for value in ["UNSIGNED-PAYLOAD", &"0".repeat(64)] {
        let mut call = Owned::call().with("X-Amz-Content-Sha256", value).signed();
        call.verify().unwrap();
        call.body.push(b' ');
        assert_eq!(call.verify(), Err(SignatureError::Mismatch), "{value}");
    }
}

/// Any request: a method, a path and a query as clients write them, headers, and a body.
fn any_call() -> impl Strategy<Value = Owned> {
    let name = "[a-z][a-z0-9-]{0,8}".prop_map(|name| format!("my-{name}"));
    let header = (name, "[ -~]{0,20}");
    (
        prop_oneof![Just("POST"), Just("GET"), Just("PUT")],
        "(/[a-zA-Z0-9._~%-]{0,6}){1,4}",
        "([a-z]{1,3}=[a-z%0-9]{0,4}(&[a-z]{1,3}=[a-z0-9+]{0,4}){0,3})?",
        prop::collection::vec(header, 0..5),
        prop::collection::vec(any::<u8>(), 0..100),
    )
        .prop_map(|(method, path, query, more, body)| {
            let mut headers = Owned::call().headers;
            headers.extend(more);
            Owned { method: method.to_owned(), path, query, headers, body }
        })
}

/// Changes one byte of a text so that it means something else, even where spaces and case do not
/// count.
fn changed(text: &mut String, at: &prop::sample::Index) {
    let mut bytes = std::mem::take(text).into_bytes();
    let at = at.index(bytes.len());
    bytes[at] = if bytes[at] == b'Q' { b'R' } else { b'Q' };
    *text = String::from_utf8(bytes).unwrap();
}

proptest! {
    #[test]
    fn what_is_signed_is_verified(call in any_call(), expires_secs in 1..604_800u64) {
        prop_assert_eq!(call.clone().signed().verify(), Ok(()));
        prop_assert_eq!(call.presigned(expires_secs).verify(), Ok(()));
    }

    #[test]
    fn a_changed_byte_is_found_out(
        call in any_call(),
        part in 0..5usize,
        at in any::<prop::sample::Index>(),
        header in any::<prop::sample::Index>(),
    ) {
        let mut call = call.signed();
        match part {
            0 => changed(&mut call.method, &at),
            1 => call.path.push('Q'),
            2 => call.query.push_str("&Q=Q"),
            3 => {
                // The last header is the signature itself.
                let header = header.index(call.headers.len() - 1);
                let (_, value) = &mut call.headers[header];
                value.push('Q');
                if !value.trim().is_empty() && !value.starts_with('Q') {
                    changed(value, &at);
                }
            }
            _ => call.body.push(b'Q'),
        }
        prop_assert!(call.verify().is_err(), "{call:?}");
    }

    #[test]
    fn a_changed_byte_of_the_body_is_found_out(
        mut call in any_call(),
        at in any::<prop::sample::Index>(),
        bit in 0..8u8,
    ) {
        // There must be a byte to change.
        call.body.push(0);
        let mut call = call.signed();
        let at = at.index(call.body.len());
        call.body[at] ^= 1 << bit;
        prop_assert_eq!(call.verify(), Err(SignatureError::Mismatch));
    }

    #[test]
    fn a_changed_byte_of_the_signature_is_found_out(
        call in any_call(),
        at in any::<prop::sample::Index>(),
    ) {
        let mut call = call.signed();
        let (_, authorization) = call.headers.last_mut().unwrap();
        let (before, signature) = authorization.rsplit_once('=').unwrap();
        let (before, mut signature) = (before.to_owned(), signature.to_owned());
        changed(&mut signature, &at);
        *authorization = format!("{before}={signature}");
        prop_assert_eq!(call.verify(), Err(SignatureError::Mismatch));
    }

    #[test]
    fn any_header_and_any_query_can_be_read(
        header in any::<String>(),
        query in any::<String>(),
        parameters in "(X-Amz-[A-Z][a-zA-Z]{3,12}=[a-zA-Z0-9%/;]{0,30}&){0,6}",
    ) {
        let call = Owned::call();
        let wellformed = format!("AWS4-HMAC-SHA256 Credential={header},Signature={query}");
        for (header, query) in [
            (Some(&header), String::new()),
            (Some(&wellformed), query.clone()),
            (None, query.clone()),
            (None, format!("X-Amz-Algorithm=a&{parameters}")),
        ] {
            let mut call = Owned { query, ..call.clone() };
            if let Some(header) = header {
                call = call.with("Authorization", header);
            }
            prop_assert!(call.verify().is_err());
        }
    }
}
