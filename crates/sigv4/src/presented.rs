//! What a request presents, and whether it is right.
//!
//! The checks come in the order in which DynamoDB makes them, as clients can see it: what is
//! missing at all, the time, the headers that must be signed, the algorithm, the credential and its
//! scope. Then the key is looked up, and the signature is compared.

use std::borrow::Cow;

use ring::hmac;

use crate::authorization::Authorization;
use crate::canonical::{SIGNATURE_PARAMETER, string_to_sign};
use crate::error::{Form, Lifetime, Parameter, ScopeMismatch, SignatureError};
use crate::request::{Headers, Request};
use crate::scope::Credential;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;
use crate::{ALGORITHM, EXPIRES_SECS_MAX, SKEW_SECS_MAX, TERMINATOR, hex, parameters};

/// Names of signed headers that a request may list. No server takes as many headers, and each name
/// is looked for among them.
const SIGNED_HEADERS_MAX: usize = 128;

/// What a signature must be good for.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The region of this server.
    pub region: &'a str,
    /// The service that this server is.
    pub service: &'a str,
    /// The time here.
    pub now: Timestamp,
    /// Headers in lower case that must be signed if they are sent, besides `host`, which must be in
    /// any case.
    pub signed: &'a [&'a str],
}

/// A signature that is whole and meant for here and now. Whether it is right, its secret tells.
#[derive(Debug)]
pub struct Presented<'a> {
    parts: Parts<'a>,
    timestamp: Timestamp,
}

/// The parts as they were sent.
#[derive(Debug)]
struct Parts<'a> {
    form: Form,
    algorithm: Cow<'a, str>,
    credential: Cow<'a, str>,
    signed_headers: Cow<'a, str>,
    signature: Cow<'a, str>,
    date: Cow<'a, str>,
    expires: Option<Cow<'a, str>>,
    session_token: Option<Cow<'a, str>>,
}

impl<'a> Presented<'a> {
    /// Reads the signature of a request and checks all that can be checked without its secret.
    pub fn read<H: Headers + ?Sized>(
        request: &Request<'a, H>,
        expected: &Expected<'_>,
    ) -> Result<Presented<'a>, SignatureError> {
        let parts = Parts::of(request)?;
        let timestamp = parts.timestamp()?;
        parts.check_time(timestamp, expected.now)?;
        parts.check_signed_headers(request, expected.signed)?;
        if parts.algorithm != ALGORITHM {
            let algorithm = parts.algorithm.into_owned();
            return Err(SignatureError::UnsupportedAlgorithm { algorithm });
        }
        parts.check_scope(timestamp, expected)?;
        Ok(Presented { parts, timestamp })
    }

    /// Whose secret it must have been made with.
    pub fn access_key_id(&self) -> &str {
        self.credential().map_or("", |credential| credential.access_key_id)
    }

    /// What temporary keys send besides.
    pub fn session_token(&self) -> Option<&str> {
        self.parts.session_token.as_deref()
    }

    /// Where the signature stands.
    pub fn form(&self) -> Form {
        self.parts.form
    }

    /// Whether the signature is the one that the secret gives for the request.
    pub fn verify<H: Headers + ?Sized>(
        &self,
        key: &SecretKey,
        request: &Request<'_, H>,
    ) -> Result<(), SignatureError> {
        let signature = hex::decode(&self.parts.signature).ok_or(SignatureError::Mismatch)?;
        let scope = self.credential().ok_or(SignatureError::Mismatch)?.scope;
        let text = string_to_sign(request, &self.parts.signed_headers, self.timestamp, &scope);
        key.with_signing_key(&scope, |key| hmac::verify(key, &text, &signature))
            .map_err(|_| SignatureError::Mismatch)
    }

    fn credential(&self) -> Option<Credential<'_>> {
        Credential::parse(&self.parts.credential)
    }
}

impl<'a> Parts<'a> {
    fn of<H: Headers + ?Sized>(request: &Request<'a, H>) -> Result<Parts<'a>, SignatureError> {
        let header = request.headers.text("authorization");
        if request.query.is_empty() {
            return Parts::of_header(header.ok_or(SignatureError::Missing)?, request);
        }
        match (header, parameters::find(request.query, parameters::ALGORITHM)) {
            (Some(_), Some(_)) => Err(SignatureError::TwoForms),
            (Some(header), None) => Parts::of_header(header, request),
            (None, Some(algorithm)) => Parts::of_query(algorithm, request.query),
            (None, None) => Err(SignatureError::Missing),
        }
    }

    fn of_header<H: Headers + ?Sized>(
        header: &'a str,
        request: &Request<'a, H>,
    ) -> Result<Parts<'a>, SignatureError> {
        let found = Authorization::parse(header)?;
        let text = |name| request.headers.text(name);
        let date = text("x-amz-date").or_else(|| text("date"));
        let filled = |part: Option<&'a str>| part.filter(|part| !part.is_empty());
        let (credential, signature) = (filled(found.credential), filled(found.signature));
        let (Some(credential), Some(signature), Some(signed_headers), Some(date)) =
            (credential, signature, found.signed_headers, date)
        else {
            let missing = [
                (Parameter::Credential, credential.is_none()),
                (Parameter::Signature, signature.is_none()),
                (Parameter::SignedHeaders, found.signed_headers.is_none()),
                (Parameter::Date, date.is_none()),
            ];
            return Err(incomplete(&missing, Some(hex::sha256(header.as_bytes()))));
        };
        Ok(Parts {
            form: Form::Header,
            algorithm: Cow::Borrowed(found.algorithm),
            credential: Cow::Borrowed(credential),
            signed_headers: Cow::Borrowed(signed_headers),
            signature: Cow::Borrowed(signature),
            date: Cow::Borrowed(date),
            expires: None,
            session_token: text("x-amz-security-token").map(Cow::Borrowed),
        })
    }

    fn of_query(algorithm: Cow<'a, str>, query: &'a str) -> Result<Parts<'a>, SignatureError> {
        let find = |name| parameters::find(query, name).filter(|value| !value.is_empty());
        let (credential, date) = (find(parameters::CREDENTIAL), find(parameters::DATE));
        let signature = find(SIGNATURE_PARAMETER);
        let signed_headers = find(parameters::SIGNED_HEADERS);
        let missing = [
            (Parameter::Algorithm, algorithm.is_empty()),
            (Parameter::Credential, credential.is_none()),
            (Parameter::Signature, signature.is_none()),
            (Parameter::SignedHeaders, signed_headers.is_none()),
            (Parameter::Date, date.is_none()),
        ];
        let (false, Some(credential), Some(signature), Some(signed_headers), Some(date)) =
            (algorithm.is_empty(), credential, signature, signed_headers, date)
        else {
            return Err(incomplete(&missing, None));
        };
        Ok(Parts {
            form: Form::Query,
            algorithm,
            credential,
            signed_headers,
            signature,
            date,
            expires: parameters::find(query, parameters::EXPIRES),
            session_token: parameters::find(query, parameters::SECURITY_TOKEN),
        })
    }

    fn timestamp(&self) -> Result<Timestamp, SignatureError> {
        let found = Timestamp::parse(&self.date).or_else(|| Timestamp::parse_http(&self.date));
        found.ok_or_else(|| SignatureError::MalformedDate { date: self.date.to_string() })
    }

    fn check_time(&self, signed_at: Timestamp, now: Timestamp) -> Result<(), SignatureError> {
        let secs_max = self.lifetime_secs()?;
        if signed_at < now.minus_secs(secs_max) {
            return Err(SignatureError::Expired(Lifetime { signed_at, now, secs_max }));
        }
        if signed_at > now.plus_secs(SKEW_SECS_MAX) {
            let lifetime = Lifetime { signed_at, now, secs_max: SKEW_SECS_MAX };
            return Err(SignatureError::NotYetCurrent(lifetime));
        }
        Ok(())
    }

    /// How long the signature counts: what a presigned request says, or as long as clocks may
    /// differ.
    fn lifetime_secs(&self) -> Result<u64, SignatureError> {
        let Some(expires) = &self.expires else { return Ok(SKEW_SECS_MAX) };
        let secs = expires.parse().ok().filter(|secs| (1..=EXPIRES_SECS_MAX).contains(secs));
        secs.ok_or_else(|| SignatureError::MalformedExpires { expires: expires.to_string() })
    }

    fn check_signed_headers<H: Headers + ?Sized>(
        &self,
        request: &Request<'_, H>,
        required: &[&str],
    ) -> Result<(), SignatureError> {
        let names = self.signed_headers.as_bytes();
        let separators = names.iter().filter(|byte| **byte == b';').count();
        if separators >= SIGNED_HEADERS_MAX {
            return Err(SignatureError::Mismatch);
        }
        let is_signed = |name: &str| {
            let mut names = names.split(|byte| *byte == b';');
            names.any(|signed| signed.eq_ignore_ascii_case(name.as_bytes()))
        };
        let is_sent = |name: &str| request.headers.values(name).next().is_some();
        let unsigned = |name: &&&str| !is_signed(name) && is_sent(name);
        let missing =
            if is_signed("host") { required.iter().find(unsigned).copied() } else { Some("host") };
        match missing {
            Some(name) => Err(SignatureError::HeaderNotSigned { name: name.to_owned() }),
            None => Ok(()),
        }
    }

    fn check_scope(
        &self,
        timestamp: Timestamp,
        expected: &Expected<'_>,
    ) -> Result<(), SignatureError> {
        let Some(credential) = Credential::parse(&self.credential) else {
            let credential = self.credential.to_string();
            return Err(SignatureError::MalformedCredential { credential });
        };
        let scope = credential.scope;
        let other = |found: &str, wanted: &str| (found != wanted).then(|| found.to_owned());
        let characters = timestamp.characters();
        let is_day = characters.starts_with(scope.day.as_bytes()) && scope.day.len() == 8;
        let mismatch = ScopeMismatch {
            region: other(scope.region, expected.region),
            service: other(scope.service, expected.service).map(|_| expected.service.to_owned()),
            terminator: other(credential.terminator, TERMINATOR),
            day: (!is_day).then(|| (scope.day.to_owned(), timestamp)),
        };
        if mismatch == ScopeMismatch::default() {
            return Ok(());
        }
        Err(SignatureError::WrongScope(mismatch))
    }
}

fn incomplete(parts: &[(Parameter, bool)], header_sha256: Option<[u8; 32]>) -> SignatureError {
    let missing = parts.iter().filter(|(_, is_missing)| *is_missing).map(|(part, _)| *part);
    SignatureError::Incomplete { missing: missing.collect(), header_sha256 }
}
