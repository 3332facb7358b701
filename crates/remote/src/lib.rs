//! A small client of any endpoint that speaks DynamoDB's API: this server, AWS, or another one.
//!
//! Requests and answers are trees of JSON, because the commands that use this crate look at few
//! members of them. In reading order:
//!
//! 1. [`Endpoint`] makes calls: once, or again and again until they are answered. [`Backoff`] says
//!    how long to wait in between, and the [`Clock`] does the waiting.
//! 2. [`Identity`] is who calls, from the environment variables and files that the AWS tools use.
//!    With credentials, each request is signed as AWS wants it (`monotable_sigv4`); without,
//!    requests carry a signature that servers for development do not check.
//! 3. [`Error`] says whether trying again can help, and which error the endpoint answered with.
//! 4. [`encode_item`] and [`decode_item`] lead from [`monotable_item`]'s values to JSON and back.
//!
//! ```text
//! address ─► endpoint ─► http ─► the network
//!               ├─► identity ─► signing    who calls, and the headers that prove it
//!               └─► backoff, clock         pauses, and who waits
//! attribute_value                          items as JSON
//! ```

mod address;
mod attribute_value;
mod backoff;
mod clock;
mod endpoint;
mod error;
mod http;
mod identity;
mod signing;

pub use address::{host_header, parse_address};
pub use attribute_value::{decode_item, decode_value, encode_item, encode_value};
pub use backoff::Backoff;
pub use clock::Clock;
pub use endpoint::{Endpoint, read_answer};
pub use error::{Error, innermost};
pub use http::{
    HttpClient, http_client, http_client_of_environment, tls_config_of_environment, tls_config_with,
};
pub use identity::{Credentials, Identity};
pub use signing::Unsigned;
