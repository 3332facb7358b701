//! What is wrong with a signature, as data.

use std::fmt;

use crate::timestamp::Timestamp;

/// Where a request carries its signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In the `Authorization` header.
    Header,
    /// In its query: it was signed beforehand.
    Query,
}

/// A part of what a request has to present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// The algorithm, which only a query names apart.
    Algorithm,
    /// The access key id and the scope.
    Credential,
    /// The signature.
    Signature,
    /// The names of the headers that are signed.
    SignedHeaders,
    /// The time.
    Date,
}

/// How long a signature counts, from its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime {
    /// The time that the request gives.
    pub signed_at: Timestamp,
    /// The time here.
    pub now: Timestamp,
    /// How far they may be apart.
    pub secs_max: u64,
}

/// What of a scope is another than the one expected here. At least one is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeMismatch {
    /// The region that was found.
    pub region: Option<String>,
    /// The service that is expected, if another one was found.
    pub service: Option<String>,
    /// What was found instead of `aws4_request`.
    pub terminator: Option<String>,
    /// The day that was found, and the time of the request, which lies on another one.
    pub day: Option<(String, Timestamp)>,
}

/// Why a signature does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// There is none.
    #[error("the request is not signed")]
    Missing,
    /// There is one in the header and one in the query.
    #[error("the request is signed both in its header and in its query")]
    TwoForms,
    /// The header has a part that is no parameter.
    #[error("a part of the Authorization header has no equal sign")]
    NotKeyValue {
        /// The digest of the header, which may be shown.
        header_sha256: [u8; 32],
    },
    /// Parts are missing.
    #[error("the signature lacks {}", list(missing))]
    Incomplete {
        /// Those that are, in the order of AWS.
        missing: Vec<Parameter>,
        /// The digest of the header, if it is one.
        header_sha256: Option<[u8; 32]>,
    },
    /// The time is none.
    #[error("{date:?} is not a time")]
    MalformedDate {
        /// What was found.
        date: String,
    },
    /// A presigned request does not say how many seconds it counts, or says too many.
    #[error("{expires:?} is not a number of seconds up to a week")]
    MalformedExpires {
        /// What was found.
        expires: String,
    },
    /// The request was signed too long ago.
    #[error("the signature of {} is older than {} s", .0.signed_at, .0.secs_max)]
    Expired(Lifetime),
    /// The request was signed in the future.
    #[error("the signature of {} is more than {} s ahead", .0.signed_at, .0.secs_max)]
    NotYetCurrent(Lifetime),
    /// The signature is not about a header that it has to be about.
    #[error("the header {name} is not signed")]
    HeaderNotSigned {
        /// The header, in lower case.
        name: String,
    },
    /// The signature was made in another way.
    #[error("the algorithm {algorithm:?} is not supported")]
    UnsupportedAlgorithm {
        /// What was found.
        algorithm: String,
    },
    /// The credential has not the five parts that it should have.
    #[error("the credential has not five parts")]
    MalformedCredential {
        /// What was found.
        credential: String,
    },
    /// The signature counts elsewhere.
    #[error("the signature has another scope")]
    WrongScope(ScopeMismatch),
    /// The signature is not the one that the secret gives for this request.
    #[error("the signature does not match the request")]
    Mismatch,
}

fn list(parameters: &[Parameter]) -> String {
    let names: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    names.join(", ")
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Parameter::Algorithm => "its algorithm",
            Parameter::Credential => "its credential",
            Parameter::Signature => "itself",
            Parameter::SignedHeaders => "the names of its headers",
            Parameter::Date => "its time",
        })
    }
}
