//! A connection by whichever protocol the target speaks, so that every loop can measure either
//! kind.

use anyhow::Result;

use crate::http::{self, Answer};
use crate::resp;
use crate::target::{Protocol, Target};
use crate::workload::{Workload, check_answer};

/// A connection that carries one request at a time.
#[derive(Debug)]
pub(crate) enum Wire {
    /// To a server of DynamoDB's protocol.
    Http(http::Connection),
    /// To Redis or Valkey.
    Resp(resp::Connection),
}

impl Wire {
    /// Connects.
    pub(crate) async fn open(target: &Target) -> Result<Wire> {
        Ok(match target.protocol {
            Protocol::Http => Wire::Http(http::Connection::open(target).await?),
            Protocol::Resp => Wire::Resp(resp::Connection::open(target).await?),
        })
    }

    /// Sends a request and reads its answer to the last byte.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        match self {
            Wire::Http(connection) => connection.exchange(request).await,
            Wire::Resp(connection) => connection.exchange(request).await,
        }
    }
}

/// Checks one answer to a workload's request.
pub(crate) fn check(protocol: Protocol, workload: Workload, body: &[u8]) -> Result<()> {
    match protocol {
        Protocol::Http => check_answer(workload, body),
        Protocol::Resp => resp::check_reply(workload, body),
    }
}
