//! AWS's Signature Version 4.
//!
//! A request is brought into one canonical text: method, path, query, the headers that are signed, and the hash
//! of the body. The hash of that text, with the time and the scope (day, region, service), is signed by a key
//! that is derived from the secret for this scope. So a signature that is seen is worth nothing in another
//! region, or the day after.

use ring::{digest, hmac};

use crate::identity::Credentials;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Where and when a signature counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// `20150830T123600Z`
    pub(crate) timestamp: &'a str,
    pub(crate) region: &'a str,
    pub(crate) service: &'a str,
}

/// What is signed of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signed<'a> {
    pub(crate) method: &'a str,
    /// The path as it stands in the request, which has no query.
    pub(crate) path: &'a str,
    /// Names in lower case, and values; sorted by name.
    pub(crate) headers: &'a [(&'a str, &'a str)],
    pub(crate) body: &'a [u8],
}

impl Scope<'_> {
    fn day(&self) -> &str {
        self.timestamp.split('T').next().unwrap_or_default()
    }

    fn text(&self) -> String {
        format!("{}/{}/{}/aws4_request", self.day(), self.region, self.service)
    }
}

/// The value of the `Authorization` header.
pub(crate) fn authorization(
    credentials: &Credentials,
    scope: Scope<'_>,
    request: Signed<'_>,
) -> String {
    debug_assert!(request.headers.is_sorted(), "headers are signed in the order of their names");
    let key = signing_key(credentials, scope);
    let signature = hex(&mac(&key, &string_to_sign(scope, request)));
    let (id, scope) = (&credentials.access_key_id, scope.text());
    let headers = request.signed_headers();
    format!("{ALGORITHM} Credential={id}/{scope}, SignedHeaders={headers}, Signature={signature}")
}

impl Signed<'_> {
    fn canonical(&self) -> String {
        let headers = self.headers.iter().map(|(name, value)| format!("{name}:{value}\n"));
        let (method, path, headers) = (self.method, self.path, headers.collect::<String>());
        let (signed_headers, body) = (self.signed_headers(), hash(self.body));
        format!("{method}\n{path}\n\n{headers}\n{signed_headers}\n{body}")
    }

    fn signed_headers(&self) -> String {
        self.headers.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";")
    }
}

fn string_to_sign(scope: Scope<'_>, request: Signed<'_>) -> String {
    let canonical = hash(request.canonical().as_bytes());
    format!("{ALGORITHM}\n{}\n{}\n{canonical}", scope.timestamp, scope.text())
}

fn signing_key(credentials: &Credentials, scope: Scope<'_>) -> Vec<u8> {
    let secret = format!("AWS4{}", credentials.secret_access_key);
    let parts = [scope.day(), scope.region, scope.service, "aws4_request"];
    parts.iter().fold(secret.into_bytes(), |key, part| mac(&key, part))
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec()
}

fn hash(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: (&str, &str) = ("host", "example.amazonaws.com");
    const DATE: (&str, &str) = ("x-amz-date", "20150830T123600Z");
    const TOKEN: &str = "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267";

    fn signature(method: &str, headers: &[(&str, &str)], body: &str) -> String {
        let credentials = Credentials {
            access_key_id: "AKIDEXAMPLE".to_owned(),
            secret_access_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned(),
            session_token: None,
        };
        let scope = Scope { timestamp: DATE.1, region: "us-east-1", service: "service" };
        let request = Signed { method, path: "/", headers, body: body.as_bytes() };
        authorization(&credentials, scope, request)
    }

    /// The method, the headers, the body, and the signature.
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, &'a str);

    /// The cases of AWS's test suite for signatures that have the form of our requests: get-vanilla,
    /// post-vanilla, get-vanilla-with-session-token, post-header-key-sort and post-x-www-form-urlencoded.
    #[test]
    fn signatures_are_those_of_the_test_suite_of_aws() {
        let hash = "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e";
        let form = [
            ("content-length", "13"),
            ("content-type", "application/x-www-form-urlencoded"),
            HOST,
            ("x-amz-content-sha256", hash),
            DATE,
        ];
        let cases: [Case<'_>; 5] = [
            (
                "GET",
                &[HOST, DATE],
                "",
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            ),
            (
                "POST",
                &[HOST, DATE],
                "",
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            ),
            (
                "GET",
                &[HOST, DATE, ("x-amz-security-token", TOKEN)],
                "",
                "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8",
            ),
            (
                "POST",
                &[HOST, ("my-header1", "value1"), DATE],
                "",
                "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
            ),
            (
                "POST",
                &form,
                "Param1=value1",
                "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b",
            ),
        ];
        for (method, headers, body, expected) in cases {
            let found = signature(method, headers, body);
            assert_eq!(found.rsplit_once('=').unwrap().1, expected, "{method} {headers:?}");
        }
    }

    #[test]
    fn the_header_names_the_key_the_scope_and_the_signed_headers() {
        let header = signature("GET", &[HOST, DATE], "");
        let (before, _) = header.rsplit_once(", ").unwrap();
        assert_eq!(
            before,
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
             SignedHeaders=host;x-amz-date"
        );
    }
}
