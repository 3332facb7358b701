//! One connection with its own sequence of requests.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::task::JoinSet;

use crate::clock;
use crate::data::Dataset;
use crate::http::Answer;
use crate::requests::Requests;
use crate::table::Table;
use crate::target::{Protocol, Target};
use crate::wire::{self, Wire};
use crate::workload::Workload;

/// One in this many answers is parsed and checked; the status and the length of all of them are.
const CHECK_INTERVAL: u64 = 64;
/// A server that leaves requests unanswered for so long after the end of a sample has failed.
const STALL_MAX: Duration = Duration::from_secs(60);

/// What to send, and for how long.
#[derive(Debug, Clone)]
pub struct Load {
    /// The kind of request.
    pub workload: Workload,
    /// The table that they are sent to.
    pub table: Table,
    /// The existing items.
    pub dataset: Dataset,
    /// How many connections send at once.
    pub connections: u64,
    /// How long requests are sent before any is counted.
    pub warm_up: Duration,
    /// How long requests are counted.
    pub measured: Duration,
    /// Where the random keys start.
    pub seed: u64,
}

/// A connection that sends requests.
pub(super) struct Client {
    wire: Wire,
    protocol: Protocol,
    requests: Requests,
    sent: u64,
}

/// When a request was sent, and when its answer was there.
pub(super) struct Exchange {
    pub(super) started: Instant,
    pub(super) ended: Instant,
    /// False if the server refused because it had too much to do.
    pub(super) is_answered: bool,
}

/// Takes the body from an answer: none if it is a refusal that is allowed.
type Accept = for<'a> fn(Answer<'a>) -> Result<Option<&'a [u8]>>;

fn strictly(answer: Answer<'_>) -> Result<Option<&[u8]>> {
    answer.success().map(Some)
}

fn patiently(answer: Answer<'_>) -> Result<Option<&[u8]>> {
    if answer.is_refusal() { Ok(None) } else { strictly(answer) }
}

impl Client {
    /// All connections of a load, opened.
    pub(super) async fn open_all(target: &Target, load: &Load) -> Result<Vec<Client>> {
        let protocol = target.protocol;
        let requests = match protocol {
            Protocol::Http => Requests::new(&target.host, load.workload, &load.table, load.dataset),
            Protocol::Resp => Requests::of_redis(load.workload, &load.table, load.dataset)?,
        };
        let mut clients = Vec::new();
        for number in 0..load.connections {
            let wire = Wire::open(target).await?;
            let requests = requests.seeded(load.seed.wrapping_add(number << 32));
            clients.push(Client { wire, protocol, requests, sent: 0 });
        }
        Ok(clients)
    }

    /// Sends one request. Any answer but the right one is an error.
    pub(super) async fn send(&mut self) -> Result<Exchange> {
        self.exchange(strictly).await
    }

    /// The same, but a server may ask for patience.
    pub(super) async fn send_patiently(&mut self) -> Result<Exchange> {
        self.exchange(patiently).await
    }

    async fn exchange(&mut self, accept: Accept) -> Result<Exchange> {
        let (workload, request) = self.requests.draw();
        let started = clock::now();
        let answer = self.wire.exchange(request).await.context(workload.title())?;
        let ended = clock::now();
        let body = accept(answer).context(workload.title())?;
        if let Some(body) = body.filter(|_| self.sent.is_multiple_of(CHECK_INTERVAL)) {
            wire::check(self.protocol, workload, body).context(workload.title())?;
        }
        self.sent += 1;
        Ok(Exchange { started, ended, is_answered: body.is_some() })
    }
}

/// Waits for all clients, and makes one thing of what each has found.
pub(super) async fn gather<T: 'static>(
    target: &Target,
    mut clients: JoinSet<Result<T>>,
    mut found: impl FnMut(T),
) -> Result<()> {
    let all = async {
        while let Some(client) = clients.join_next().await {
            found(client??);
        }
        Ok(())
    };
    clock::within(STALL_MAX, all).await.with_context(|| target.title.clone())
}
