//! AWS Signature Version 4, for those who sign requests and those who verify signatures.
//!
//! A request is brought into one canonical text: method, path, query, the headers that are signed,
//! and the hash of the body. The hash of that text, with the time and the scope (day, region,
//! service), is signed by a key that is derived from the secret for this scope. So a signature that
//! is seen is worth nothing in another region, or the day after.
//!
//! Both sides write the same text, by the same code:
//!
//! ```text
//! Request ─► canonical ─► string to sign ─► Signer: Authorization header or presigned query
//!                                     └───► Presented::verify: the same signature, or a mismatch
//! ```
//!
//! Whoever verifies goes in two steps, because the secret is found by what the request presents:
//!
//! 1. [`Presented::read`] takes the signature from the `Authorization` header or the query, and
//!    compares time, scope and signed headers with what is expected here.
//! 2. [`Presented::verify`] takes the secret of [`Presented::access_key_id`] and compares the
//!    signatures, in a time that says nothing about where they differ.
//!
//! This crate knows no clock, no sockets and no AWS texts. [`SignatureError`] says what is wrong as
//! data.
//!
//! ```text
//! request, timestamp, scope    what is signed, and when and where that counts
//! canonical, percent, hex      its text, and the encodings in it
//! secret, sign                 keys, and signatures that are made with them
//! authorization, parameters    the header or query in which a signature travels
//! presented                    reads what travelled, and verifies it
//! ```

mod authorization;
mod canonical;
mod error;
mod hex;
mod parameters;
mod percent;
mod presented;
mod request;
mod scope;
mod secret;
mod sign;
mod timestamp;

pub use error::{Form, Lifetime, Parameter, ScopeMismatch, SignatureError};
pub use parameters::find as query_parameter;
pub use presented::{Expected, Presented};
pub use request::{Headers, Request};
pub use scope::Scope;
pub use secret::{Secret, SecretKey};
pub use sign::Signer;
pub use timestamp::Timestamp;

/// The one algorithm there is.
pub const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// What ends every scope.
pub const TERMINATOR: &str = "aws4_request";

/// How far the time of a request may be from the time here.
pub const SKEW_SECS_MAX: u64 = 15 * 60;

/// How long a presigned request may count at most: a week.
pub const EXPIRES_SECS_MAX: u64 = 7 * 24 * 60 * 60;
