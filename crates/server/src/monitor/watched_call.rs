//! A call as those see it who watch over it.

use std::net::SocketAddr;

use monotable_identity::Caller;

use crate::authentication::Peer;
use crate::recorder::Tape;
use crate::request_id::RequestId;

/// Where the calls of a connection come from, and who records them.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) peer: Peer,
    pub(crate) tape: Option<Tape>,
}

/// See the module.
#[derive(Clone)]
pub(crate) struct WatchedCall<'a> {
    pub(crate) request_id: RequestId,
    /// The value of `X-Amz-Target`; empty for what is no call.
    pub(crate) target: &'a str,
    pub(crate) body: &'a [u8],
    /// The value of `traceparent`.
    pub(crate) trace_parent: Option<&'a [u8]>,
    pub(crate) peer: SocketAddr,
    /// Who calls, as far as that is known.
    pub(crate) caller: &'a Caller,
}
