//! Signatures of the requests that a load is made of.

use std::sync::Arc;

use anyhow::{Result, ensure};
use hyper::Uri;
use monotable_bench::target::Sign;
use monotable_remote::{Clock, Identity, Unsigned, parse_address};

use crate::system::SystemClock;

/// The headers that a signature replaces.
const REPLACED: [&str; 2] = ["x-amz-date:", "authorization:"];

/// Signs requests to an address as whoever the environment says.
pub(super) fn signer(url: &str) -> Result<Arc<Sign>> {
    let identity = Identity::from_environment()?;
    ensure!(
        identity.credentials.is_some(),
        "--sign needs credentials, such as those in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    );
    let address = parse_address(url)?;
    Ok(Arc::new(move |request| {
        let signed = sign(&identity, &address, request, SystemClock.now_millis());
        signed.unwrap_or_else(|| request.to_vec())
    }))
}

/// The request with a valid signature; none if it is no request.
fn sign(identity: &Identity, address: &Uri, request: &[u8], now_millis: u64) -> Option<Vec<u8>> {
    let end = request.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let (head, body) = (str::from_utf8(request.get(..end)?).ok()?, request.get(end + 4..)?);
    let header = |name: &str| {
        let (_, value) = head.split_once(name)?;
        value.split("\r\n").next()
    };
    let (media_type, target) = (header("Content-Type: ")?, header("X-Amz-Target: ")?);
    let headers = &[("content-type", media_type), ("x-amz-target", target)];
    let added = identity.sign(Unsigned { method: "POST", address, headers, body }, now_millis);
    let is_kept = |line: &&str| {
        let line = line.to_ascii_lowercase();
        !REPLACED.iter().any(|name| line.starts_with(name))
    };
    let mut signed = head.split("\r\n").filter(is_kept).collect::<Vec<_>>().join("\r\n");
    for (name, value) in added {
        signed += &format!("\r\n{name}: {value}");
    }
    Some([signed.as_bytes(), b"\r\n\r\n", body].concat())
}

#[cfg(test)]
mod tests {
    use monotable_bench::http::frame;
    use monotable_remote::Credentials;

    use super::*;

    #[test]
    fn a_signature_takes_the_place_of_the_one_that_means_nothing() {
        let credentials = Credentials {
            access_key_id: "AKID".to_owned(),
            secret_access_key: "secret".to_owned(),
            session_token: Some("token".to_owned()),
        };
        let identity = Identity { credentials: Some(credentials), region: None };
        let address = "http://127.0.0.1:8000".parse().unwrap();
        let request = frame("127.0.0.1:8000", "GetItem", "{\"a\":1}");
        let signed = sign(&identity, &address, &request, 0).unwrap();
        let text = String::from_utf8(signed).unwrap();
        assert!(text.starts_with("POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n{\"a\":1}"), "{text}");
        assert_eq!(text.to_ascii_lowercase().matches("authorization:").count(), 1, "{text}");
        assert!(text.contains("x-amz-date: 19700101T000000Z"), "{text}");
        assert!(text.contains("x-amz-security-token: token"), "{text}");
        assert!(text.contains(
            "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target"
        ));
    }
}
