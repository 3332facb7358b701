//! Who calls.
//!
//! A server that has a credentials file ([`Credentials::read`]) keeps its keys in a [`Keyring`],
//! finds out by them who signed a request, and hands the [`Caller`] on with it. Identity is data
//! that travels with the request: nothing here is global, and nothing here decides what a caller
//! may do.
//!
//! - [`Caller`] is who sends a request and from where, [`Principal`] who a key belongs to.
//! - [`Keyring`] finds keys, and takes the place of others while requests are under way.
//! - [`Credentials`] is the content of a credentials file; [`FileStamp`] tells when that has
//!   changed.
//! - [`NewKey`] is a key that is made here; [`edit`] puts it into a file, and takes keys out.
//! - [`read_token`] reads a file that holds a token and nothing else.
//! - [`AuthenticationError`] is why nobody can be made out. Its words for clients are not here.
//!
//! ```text
//! new_key ─► file ─► credential ─► keyring ─► authentication ─► caller
//!            the      a key and    keys that   from a signature    who calls,
//!            file     its owner    count       to its owner        and from where
//! ```

mod authentication;
mod caller;
mod credential;
mod error;
mod file;
mod keyring;
mod new_key;

pub use caller::{Caller, Principal, Source};
pub use credential::Credential;
pub use error::{AuthenticationError, FileError};
pub use file::{Credentials, FileStamp, edit, read_token};
pub use keyring::Keyring;
pub use monotable_sigv4::{Secret, Timestamp};
pub use new_key::NewKey;

/// The account of keys that name none.
pub const DEFAULT_ACCOUNT: &str = "000000000000";
const ACCOUNT_DIGITS: usize = 12;

/// Returns whether a text can be an account.
pub fn is_account(text: &str) -> bool {
    text.len() == ACCOUNT_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}
