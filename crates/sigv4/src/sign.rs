//! Making signatures.

use ring::hmac;

use crate::canonical::{SIGNATURE_PARAMETER, string_to_sign};
use crate::request::{Headers, Request};
use crate::scope::Scope;
use crate::secret::{Secret, SecretKey};
use crate::timestamp::Timestamp;
use crate::{ALGORITHM, TERMINATOR, hex, parameters, percent};

/// Who signs, and for where.
#[derive(Debug, Clone, Copy)]
pub struct Signer<'a> {
    /// The name of the key.
    pub access_key_id: &'a str,
    /// The key.
    pub key: &'a SecretKey,
    /// What temporary keys have besides. Only [`Signer::presigned_query`] needs it: a header that
    /// carries it is one of the request's.
    pub session_token: Option<&'a Secret>,
    /// The region that the request goes to.
    pub region: &'a str,
    /// The service that it goes to.
    pub service: &'a str,
}

impl Signer<'_> {
    /// The value of the `Authorization` header of a request. `signed_headers` are names in lower
    /// case, sorted, with semicolons between them; `x-amz-date` among the headers must be the same
    /// time.
    pub fn authorization<H: Headers + ?Sized>(
        &self,
        request: &Request<'_, H>,
        signed_headers: &str,
        timestamp: Timestamp,
    ) -> String {
        let signature = self.signature(request, signed_headers, timestamp);
        let credential = self.credential(timestamp);
        format!(
            "{ALGORITHM} Credential={credential}, SignedHeaders={signed_headers}, \
             Signature={signature}"
        )
    }

    /// The query of a request that anybody may send for this many seconds: its own query, and after
    /// it the parameters of the signature.
    pub fn presigned_query<H: Headers + ?Sized>(
        &self,
        request: &Request<'_, H>,
        signed_headers: &str,
        timestamp: Timestamp,
        expires_secs: u64,
    ) -> String {
        let mut query = request.query.to_owned();
        let mut add = |name: &str, value: &str| {
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(name);
            query.push('=');
            query.push_str(&encoded(value));
        };
        add(parameters::ALGORITHM, ALGORITHM);
        add(parameters::CREDENTIAL, &self.credential(timestamp));
        add(parameters::DATE, &timestamp.to_string());
        add(parameters::EXPIRES, &expires_secs.to_string());
        add(parameters::SIGNED_HEADERS, signed_headers);
        if let Some(token) = self.session_token {
            add(parameters::SECURITY_TOKEN, token.expose());
        }
        let signature =
            self.signature(&Request { query: &query, ..*request }, signed_headers, timestamp);
        format!("{query}&{SIGNATURE_PARAMETER}={signature}")
    }

    fn signature<H: Headers + ?Sized>(
        &self,
        request: &Request<'_, H>,
        signed_headers: &str,
        timestamp: Timestamp,
    ) -> String {
        let day = day(timestamp);
        let scope = Scope { day: &day, region: self.region, service: self.service };
        let text = string_to_sign(request, signed_headers, timestamp, &scope);
        let tag = self.key.with_signing_key(&scope, |key| hmac::sign(key, &text));
        let mut signature = [0; hex::DIGEST_BYTES];
        signature.copy_from_slice(tag.as_ref());
        hex::encode(&signature).map(char::from).iter().collect()
    }

    fn credential(&self, timestamp: Timestamp) -> String {
        let Signer { access_key_id, region, service, .. } = self;
        format!("{access_key_id}/{}/{region}/{service}/{TERMINATOR}", day(timestamp))
    }
}

fn day(timestamp: Timestamp) -> String {
    timestamp.to_string().chars().take(8).collect()
}

fn encoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    percent::encode(&mut bytes, value.as_bytes());
    bytes.into_iter().map(char::from).collect()
}
