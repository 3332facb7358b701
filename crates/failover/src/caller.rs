//! A client that goes to another server when one does not answer.

use std::time::Duration;

use monotable_conformance::client::{Client, Outcome, ServiceError};
use serde_json::Value as Json;

use crate::clock::rest;
use crate::servers::{Endpoints, SERVERS};

/// How long an answer is waited for.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How long a client rests after a call that brought nothing.
const REST: Duration = Duration::from_millis(50);

/// What became of a call.
#[derive(Debug)]
pub(crate) enum CallOutcome {
    Done(Json),
    /// Refused for a reason that is the client's, so that nothing was changed.
    Refused(ServiceError),
    /// Never sent.
    Unsent,
    /// Perhaps done: there was no answer, or one that does not say.
    Unknown,
}

/// A client.
pub(crate) struct Caller {
    endpoints: Endpoints,
    server: usize,
    client: Option<Client>,
}

impl Caller {
    /// A client that begins with this server.
    pub(crate) fn new(endpoints: &Endpoints, server: usize) -> Caller {
        Caller { endpoints: endpoints.clone(), server: server % SERVERS, client: None }
    }

    /// Calls once.
    pub(crate) fn call(&mut self, operation: &str, request: &Json) -> CallOutcome {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => Client::with_timeout(&self.endpoints.get(self.server), TIMEOUT),
        };
        if client.connect().is_err() {
            self.move_on();
            return CallOutcome::Unsent;
        }
        match client.call(operation, request) {
            Ok(Outcome::Success(response)) => {
                self.client = Some(client);
                CallOutcome::Done(response)
            }
            Ok(Outcome::Failure(error)) if is_refusal(&error) => {
                self.client = Some(client);
                CallOutcome::Refused(error)
            }
            Ok(Outcome::Failure(_)) | Err(_) => {
                self.move_on();
                CallOutcome::Unknown
            }
        }
    }

    /// Calls until there is an answer; only for what may happen twice. Gives none when it is
    /// refused, or tried for too long.
    pub(crate) fn ask(&mut self, operation: &str, request: &Json) -> Option<Json> {
        crate::clock::until(Duration::from_secs(90), || match self.call(operation, request) {
            CallOutcome::Done(response) => Some(Some(response)),
            CallOutcome::Refused(_) => Some(None),
            CallOutcome::Unsent | CallOutcome::Unknown => None,
        })
        .flatten()
    }

    /// The next call goes to the next server.
    pub(crate) fn move_on(&mut self) {
        self.client = None;
        self.server = (self.server + 1) % SERVERS;
        rest(REST);
    }
}

/// Whether the error says that nothing was done.
fn is_refusal(error: &ServiceError) -> bool {
    const DOUBTFUL: &[&str] = &[
        "InternalServerError",
        "ServiceUnavailable",
        "InternalFailure",
        "ServiceUnavailableException",
    ];
    !error.code.is_empty() && !DOUBTFUL.contains(&error.code.as_str())
}
