//! Who sends a request.
//!
//! A server with credentials wants every call signed, and finds out by the signature whose it is.
//! The signature is about the request as it was sent, so it is looked at before a compressed body
//! is inflated, and nothing is done for whoever cannot sign. A server without credentials reads
//! nothing here: everybody is [anyone](Caller::anyone).
//!
//! The headers of a request come in two forms, as [`crate::plain`] and [`crate::full`] have them.

mod header_list;
mod header_map;

use std::net::SocketAddr;
use std::sync::Arc;

use monotable_database::{Clock, off_worker};
use monotable_identity::{AuthenticationError, Caller, Keyring, Source};
use monotable_sigv4::{Expected, Headers, Request, Timestamp};

pub(crate) use header_list::HeaderList;
pub(crate) use header_map::HeaderMapWithHost;

/// What calls are signed for, those on streams too.
const SERVICE: &str = "dynamodb";

/// What must be signed besides the host: it says what is to be done, and is not part of the body.
/// DynamoDB asks for the host alone, but every SDK signs this too.
const SIGNED_HEADERS: &[&str] = &["x-amz-target"];

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    /// Whether nobody on the way can read what is sent.
    pub(crate) is_encrypted: bool,
}

impl Peer {
    /// Whether it is a program on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.address.ip().to_canonical().is_loopback()
    }
}

/// Finds out who sends requests.
pub(crate) struct Authenticator {
    keyring: Arc<Keyring>,
    region: String,
    /// The time of the machine, whatever the database goes by: clients sign with theirs.
    clock: Arc<dyn Clock>,
}

impl Authenticator {
    pub(crate) fn new(
        keyring: Arc<Keyring>,
        region: String,
        clock: Arc<dyn Clock>,
    ) -> Authenticator {
        Authenticator { keyring, region, clock }
    }

    /// Finds out who sends a request.
    pub(crate) fn identify<H: Headers>(
        &self,
        request: &Request<'_, H>,
        peer: Peer,
    ) -> Result<Caller, AuthenticationError> {
        let expected = Expected {
            region: &self.region,
            service: SERVICE,
            now: Timestamp::from_epoch_millis(self.clock.now_millis()),
            signed: SIGNED_HEADERS,
        };
        // A large body takes long to hash.
        let principal =
            off_worker::run(request.body.len(), || self.keyring.authenticate(request, &expected))?;
        let user_agent = request.headers.text("user-agent").map(str::to_owned);
        let Peer { address, is_encrypted } = peer;
        Ok(Caller::new(principal, Source { address: address.ip(), is_encrypted, user_agent }))
    }
}
