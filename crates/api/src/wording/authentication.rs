//! DynamoDB's texts for requests whose sender cannot be made out.
//!
//! The texts and the order of the checks were recorded from DynamoDB (dynalite, `index.js`), newer
//! forms of some from reports of its users: `':authority'` (aws-sdk-php #2469), a mismatch without
//! the canonical text (PynamoDB #1241), and digests in the place of the header (all services that
//! share the check). The status is always 400.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use monotable_identity::AuthenticationError;
use monotable_sigv4::{ALGORITHM, Lifetime, Parameter, ScopeMismatch, SignatureError, TERMINATOR};

use crate::error::{ApiError, Code};

const MISMATCH: &str = "The request signature we calculated does not match the signature you \
                        provided. Check your AWS Secret Access Key and signing method. Consult the \
                        service documentation for details.";

/// The answer to a request that is nobody's.
pub(crate) fn word(error: &AuthenticationError) -> ApiError {
    match error {
        AuthenticationError::Signature(error) => word_signature(error),
        AuthenticationError::UnknownKey => {
            let message = "The security token included in the request is invalid.";
            ApiError::new(Code::UnrecognizedClient, message)
        }
        // The same without a full stop.
        AuthenticationError::WrongSessionToken => {
            let message = "The security token included in the request is invalid";
            ApiError::new(Code::UnrecognizedClient, message)
        }
        AuthenticationError::Expired => {
            let message = "The security token included in the request is expired";
            ApiError::new(Code::ExpiredToken, message)
        }
        // The type may grow; whatever it is, the request is not let in.
        _ => ApiError::new(Code::InvalidSignature, MISMATCH),
    }
}

fn word_signature(error: &SignatureError) -> ApiError {
    let invalid = |message: String| ApiError::new(Code::InvalidSignature, message);
    let incomplete = |message: String| ApiError::new(Code::IncompleteSignature, message);
    match error {
        SignatureError::Missing => {
            let message = "Request is missing Authentication Token";
            ApiError::new(Code::MissingAuthenticationToken, message)
        }
        SignatureError::TwoForms => invalid(
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP \
             header."
                .to_owned(),
        ),
        SignatureError::NotKeyValue { header_sha256 } => incomplete(format!(
            "Invalid key=value pair (missing equal-sign) in Authorization header (hashed with \
             SHA-256 and encoded with Base64): '{}'.",
            STANDARD.encode(header_sha256)
        )),
        SignatureError::Incomplete { missing, header_sha256 } => {
            incomplete(word_missing(missing, header_sha256.as_ref()))
        }
        SignatureError::MalformedDate { date } => incomplete(format!(
            "Date must be in ISO-8601 'basic format'. Got '{date}'. \
             See http://en.wikipedia.org/wiki/ISO_8601"
        )),
        // No text of DynamoDB's is known for this.
        SignatureError::MalformedExpires { expires } => incomplete(format!(
            "'X-Amz-Expires' must be a number of seconds between 1 and 604800, not '{expires}'."
        )),
        SignatureError::Expired(lifetime) => invalid(word_expired(*lifetime)),
        SignatureError::NotYetCurrent(lifetime) => invalid(word_not_yet_current(*lifetime)),
        SignatureError::HeaderNotSigned { name } => invalid(word_not_signed(name)),
        SignatureError::UnsupportedAlgorithm { algorithm } => incomplete(format!(
            "Unsupported AWS 'algorithm': '{algorithm}' (only {ALGORITHM} for now). "
        )),
        SignatureError::MalformedCredential { credential } => incomplete(format!(
            "Credential must have exactly 5 slash-delimited elements, \
             e.g. keyid/date/region/service/term, got '{credential}'"
        )),
        SignatureError::WrongScope(mismatch) => invalid(word_scope(mismatch)),
        SignatureError::Mismatch => invalid(MISMATCH.to_owned()),
        // The type may grow; whatever it is, the request is not let in.
        _ => invalid(MISMATCH.to_owned()),
    }
}

fn word_missing(missing: &[Parameter], header_sha256: Option<&[u8; 32]>) -> String {
    let Some(digest) = header_sha256 else {
        let sentence = |parameter: &Parameter| {
            let name = query_name(*parameter);
            format!("AWS query-string parameters must include '{name}'. ")
        };
        let sentences: String = missing.iter().map(sentence).collect();
        return format!("{sentences}Re-examine the query-string parameters.");
    };
    let sentences: String = missing.iter().map(|parameter| header_sentence(*parameter)).collect();
    let digest = STANDARD.encode(digest);
    format!("{sentences}(Hashed with SHA-256 and encoded with Base64) Authorization={digest}")
}

fn header_sentence(parameter: Parameter) -> String {
    let name = match parameter {
        // A header always has it: without, it is no signature.
        Parameter::Algorithm => "Algorithm",
        Parameter::Credential => "Credential",
        Parameter::Signature => "Signature",
        Parameter::SignedHeaders => "SignedHeaders",
        Parameter::Date => {
            return "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' \
                    header. "
                .to_owned();
        }
    };
    format!("Authorization header requires '{name}' parameter. ")
}

fn query_name(parameter: Parameter) -> &'static str {
    match parameter {
        Parameter::Algorithm => "X-Amz-Algorithm",
        Parameter::Credential => "X-Amz-Credential",
        Parameter::Signature => "X-Amz-Signature",
        Parameter::SignedHeaders => "X-Amz-SignedHeaders",
        Parameter::Date => "X-Amz-Date",
    }
}

fn word_expired(Lifetime { signed_at, now, secs_max }: Lifetime) -> String {
    let (first, span) = (now.minus_secs(secs_max), word_span(secs_max));
    format!("Signature expired: {signed_at} is now earlier than {first} ({now} - {span})")
}

fn word_not_yet_current(Lifetime { signed_at, now, secs_max }: Lifetime) -> String {
    let (last, span) = (now.plus_secs(secs_max), word_span(secs_max));
    format!("Signature not yet current: {signed_at} is still later than {last} ({now} + {span})")
}

/// Only presigned requests have spans that are not whole minutes.
fn word_span(secs: u64) -> String {
    if secs.is_multiple_of(60) { format!("{} min.", secs / 60) } else { format!("{secs} sec.") }
}

fn word_not_signed(name: &str) -> String {
    let name = match name {
        "host" => "'Host' or ':authority'",
        "x-amz-target" => "'X-Amz-Target'",
        other => return format!("'{other}' must be a 'SignedHeader' in the AWS Authorization."),
    };
    format!("{name} must be a 'SignedHeader' in the AWS Authorization.")
}

/// All that is wrong, in one text. Each sentence but the last one has a space after it.
fn word_scope(mismatch: &ScopeMismatch) -> String {
    let ScopeMismatch { region, service, terminator, day } = mismatch;
    let region = region
        .as_ref()
        .map(|region| format!("Credential should be scoped to a valid region, not '{region}'. "));
    let service = service
        .as_ref()
        .map(|service| format!("Credential should be scoped to correct service: '{service}'. "));
    let terminator = terminator.as_ref().map(|found| {
        format!(
            "Credential should be scoped with a valid terminator: '{TERMINATOR}', not '{found}'. "
        )
    });
    let day = day.as_ref().map(|(day, timestamp)| {
        let date: String = timestamp.to_string().chars().take(8).collect();
        format!(
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from \
             HTTP: '{day}' != '{date}', from '{timestamp}'."
        )
    });
    [region, service, terminator, day].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use monotable_sigv4::Timestamp;

    use super::*;

    #[track_caller]
    fn check(error: impl Into<AuthenticationError>, code: Code, message: &str) {
        let error = word(&error.into());
        assert_eq!(error.message(), Some(message));
        assert_eq!((error.code(), error.status()), (code, 400));
    }

    fn lifetime(signed_at: &str, secs_max: u64) -> Lifetime {
        let now = Timestamp::parse("20130609T100015Z").unwrap();
        Lifetime { signed_at: Timestamp::parse(signed_at).unwrap(), now, secs_max }
    }

    #[test]
    fn errors_have_the_names_that_dynamodb_gives_them() {
        let body = word(&SignatureError::Missing.into()).into_body();
        assert_eq!(
            String::from_utf8(body).unwrap(),
            r#"{"__type":"com.amazon.coral.service#MissingAuthenticationTokenException","message":"Request is missing Authentication Token"}"#
        );
    }

    /// dynalite, `index.js`.
    #[test]
    fn keys_and_tokens_that_are_not_known_differ_in_a_full_stop() {
        let unknown = "The security token included in the request is invalid.";
        check(AuthenticationError::UnknownKey, Code::UnrecognizedClient, unknown);
        let wrong = unknown.trim_end_matches('.');
        check(AuthenticationError::WrongSessionToken, Code::UnrecognizedClient, wrong);
        let expired = "The security token included in the request is expired";
        check(AuthenticationError::Expired, Code::ExpiredToken, expired);
    }

    /// dynalite, `index.js`; aws-sdk-js #2565 for the second one.
    #[test]
    fn times_are_told_with_the_span_that_is_allowed() {
        check(
            SignatureError::Expired(lifetime("20130301T000000Z", 900)),
            Code::InvalidSignature,
            "Signature expired: 20130301T000000Z is now earlier than 20130609T094515Z \
             (20130609T100015Z - 15 min.)",
        );
        check(
            SignatureError::NotYetCurrent(lifetime("20200301T000000Z", 900)),
            Code::InvalidSignature,
            "Signature not yet current: 20200301T000000Z is still later than 20130609T101515Z \
             (20130609T100015Z + 15 min.)",
        );
    }

    /// dynalite, `index.js`; arnemolland/sigv4 #15 for the space at the end.
    #[test]
    fn a_scope_is_told_with_all_that_is_wrong() {
        let timestamp = Timestamp::parse("20130609T095204Z").unwrap();
        let mismatch = ScopeMismatch {
            region: Some("c".to_owned()),
            service: Some("dynamodb".to_owned()),
            terminator: Some("e".to_owned()),
            day: Some(("b".to_owned(), timestamp)),
        };
        check(
            SignatureError::WrongScope(mismatch.clone()),
            Code::InvalidSignature,
            "Credential should be scoped to a valid region, not 'c'. \
             Credential should be scoped to correct service: 'dynamodb'. \
             Credential should be scoped with a valid terminator: 'aws4_request', not 'e'. \
             Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from \
             HTTP: 'b' != '20130609', from '20130609T095204Z'.",
        );
        let service = ScopeMismatch { service: mismatch.service, ..ScopeMismatch::default() };
        check(
            SignatureError::WrongScope(service),
            Code::InvalidSignature,
            "Credential should be scoped to correct service: 'dynamodb'. ",
        );
    }

    #[test]
    fn what_is_missing_is_told_sentence_by_sentence() {
        let missing = vec![Parameter::Signature, Parameter::Date];
        let header_sha256 = Some([0; 32]);
        check(
            SignatureError::Incomplete { missing: missing.clone(), header_sha256 },
            Code::IncompleteSignature,
            "Authorization header requires 'Signature' parameter. Authorization header requires \
             existence of either a 'X-Amz-Date' or a 'Date' header. (Hashed with SHA-256 and \
             encoded with Base64) Authorization=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        );
        check(
            SignatureError::Incomplete { missing, header_sha256: None },
            Code::IncompleteSignature,
            "AWS query-string parameters must include 'X-Amz-Signature'. \
             AWS query-string parameters must include 'X-Amz-Date'. \
             Re-examine the query-string parameters.",
        );
    }

    #[test]
    fn the_rest_has_a_text_each() {
        let text = str::to_owned;
        check(SignatureError::Mismatch, Code::InvalidSignature, MISMATCH);
        check(
            SignatureError::MalformedDate { date: text("201") },
            Code::IncompleteSignature,
            "Date must be in ISO-8601 'basic format'. Got '201'. \
             See http://en.wikipedia.org/wiki/ISO_8601",
        );
        check(
            SignatureError::HeaderNotSigned { name: text("host") },
            Code::InvalidSignature,
            "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.",
        );
        check(
            SignatureError::UnsupportedAlgorithm { algorithm: text("AWS4-HMAC-SHA25") },
            Code::IncompleteSignature,
            "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ",
        );
        check(
            SignatureError::MalformedCredential { credential: text("a/b/c/d") },
            Code::IncompleteSignature,
            "Credential must have exactly 5 slash-delimited elements, \
             e.g. keyid/date/region/service/term, got 'a/b/c/d'",
        );
        check(
            SignatureError::TwoForms,
            Code::InvalidSignature,
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP \
             header.",
        );
    }
}
