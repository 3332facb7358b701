//! The headers that sign a request.

use hyper::Uri;
use monotable_sigv4::{Request, Secret, SecretKey, Signer, Timestamp};

use crate::address::{aws_region, host_header};
use crate::identity::{Credentials, Identity};

const DEFAULT_REGION: &str = "us-east-1";
/// The name in signatures, of tables and of streams.
const SERVICE: &str = "dynamodb";

/// What of a request is signed besides its address.
#[derive(Debug, Clone, Copy)]
pub struct Unsigned<'a> {
    /// The method.
    pub method: &'a str,
    /// Where it goes.
    pub address: &'a Uri,
    /// Headers that are to be signed: names in lower case, and values.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body.
    pub body: &'a [u8],
}

impl Identity {
    /// The headers that make a request one of this identity, if it has something to sign with. The
    /// request must have a `host` that is its address, and the headers that were named.
    pub fn sign(&self, request: Unsigned<'_>, now_millis: u64) -> Vec<(&'static str, String)> {
        let Some(credentials) = &self.credentials else { return Vec::new() };
        let region = aws_region(request.address).or(self.region.as_deref());
        sign(credentials, region.unwrap_or(DEFAULT_REGION), request, now_millis)
    }
}

fn sign(
    credentials: &Credentials,
    region: &str,
    request: Unsigned<'_>,
    now_millis: u64,
) -> Vec<(&'static str, String)> {
    let Unsigned { method, address, headers, body } = request;
    let timestamp = Timestamp::from_epoch_millis(now_millis);
    let (host, date) = (host_header(address), timestamp.to_string());
    let token = credentials.session_token.as_deref();
    let mut signed = [headers, &[("host", &host), ("x-amz-date", &date)]].concat();
    signed.extend(token.map(|token| ("x-amz-security-token", token)));
    signed.sort_unstable();
    let names: Vec<&str> = signed.iter().map(|(name, _)| *name).collect();
    let key = SecretKey::new(Secret::new(credentials.secret_access_key.clone()));
    let signer = Signer {
        access_key_id: &credentials.access_key_id,
        key: &key,
        session_token: None,
        region,
        service: SERVICE,
    };
    let (path, query) = (address.path(), address.query().unwrap_or_default());
    let request = Request { method, path, query, headers: &signed[..], body };
    let authorization = signer.authorization(&request, &names.join(";"), timestamp);
    let mut added = vec![("x-amz-date", date), ("authorization", authorization)];
    added.extend(token.map(|token| ("x-amz-security-token", token.to_owned())));
    added
}
