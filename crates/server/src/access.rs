//! Who may use the server: pages of which origins, and by which names it is reached.
//!
//! Nobody has to prove who they are yet, so every program that reaches the server may use it. A
//! browser is a program that sends what the pages in it ask for, and people open pages that they do
//! not trust. Two checks keep those out:
//!
//! - **Pages.** A request that a page makes says so by its `Origin` or its `Sec-Fetch-Site`. It is
//!   refused unless the page is the server's own or its origin was named. Leaving out the headers
//!   that let a page read the answer would not be enough: by then the request has been carried out.
//! - **Names.** A page may have a name of its own point to this machine, and is the server's own in
//!   the eyes of the browser then ("DNS rebinding"). So the server answers only to names that it
//!   knows to be its own.
//!
//! SDKs send neither of the two headers, and the name that they were configured with.

mod denial;
mod guard;
mod host;
mod origin;

pub use host::AllowedHost;
pub use origin::AllowedOrigin;

pub(crate) use denial::Denial;
pub(crate) use guard::{Grant, Guard, Scheme};

/// What of the web may use the server. The default is nothing.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Pages of these origins may.
    pub origins: Vec<AllowedOrigin>,
    /// Names of the server besides those that every server on this machine has.
    pub hosts: Vec<AllowedHost>,
}
