//! An endpoint that histories are played at.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use monotable_remote::{Identity, Unsigned, parse_address, tls_config_of_environment};
use monotable_workload::Call;
use monotable_workload::history::{PAIR, PLAIN};
use rustls::ClientConfig;
use serde_json::{Value, json};

use crate::client;
use crate::http::Connection;
use crate::time;

/// What the names of tables begin with in histories.
const PREFIX: &str = "table-";
/// How long a table is waited for.
const CREATION_MAX: Duration = Duration::from_secs(60);

/// What stands in answers for the names of the tables of a play, which are of its own and as long.
#[derive(Debug)]
pub(crate) struct Names {
    prefix: String,
}

impl Names {
    /// The names of a play. They come again after many, when their tables are long gone.
    pub(crate) fn of_play(number: usize) -> Names {
        Names { prefix: format!("d{:04x}-", number % 0x1_0000) }
    }

    fn to_sent(&self, text: &str) -> String {
        text.replace(PREFIX, &self.prefix)
    }

    fn to_known(&self, text: &str) -> String {
        text.replace(&self.prefix, PREFIX)
    }
}

/// How an endpoint answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The HTTP status; 0 if there was no answer.
    pub status: u16,
    /// The body: JSON, or else a text.
    pub body: Value,
}

/// An endpoint, and who calls it.
#[derive(Debug)]
pub struct Side {
    endpoint: String,
    identity: Identity,
    tls: Arc<ClientConfig>,
    connection: Option<Connection>,
}

impl Side {
    /// An endpoint that verifies no signatures, such as `http://127.0.0.1:8000`.
    pub fn unsigned(endpoint: &str) -> Result<Side> {
        Ok(Side::new(endpoint, Identity::anonymous(), tls_config_of_environment()?))
    }

    /// An endpoint that is called as the AWS tools would call it: with their credentials, and with
    /// trust in the same authorities.
    pub fn of_environment(endpoint: &str) -> Result<Side> {
        Ok(Side::new(endpoint, Identity::from_environment()?, tls_config_of_environment()?))
    }

    /// An endpoint that is called by somebody, who trusts whom `tls` names.
    pub fn new(endpoint: &str, identity: Identity, tls: ClientConfig) -> Side {
        Side { endpoint: endpoint.to_owned(), identity, tls: Arc::new(tls), connection: None }
    }

    /// Answers a call. It is an error if the endpoint cannot be reached at all.
    pub(crate) fn call(&mut self, call: &Call, names: &Names) -> Result<Answer> {
        let answer = self.send(call, names)?;
        if call.action == "CreateTable" && answer.status == 200 {
            self.wait_until_active(&call.request, names)?;
        }
        Ok(answer)
    }

    fn send(&mut self, call: &Call, names: &Names) -> Result<Answer> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open_with(&self.endpoint, &self.tls)?,
        };
        let body = names.to_sent(&call.request.to_string());
        let headers = self.headers(&call.action, body.as_bytes())?;
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        match connection.post(&headers, body.as_bytes()) {
            Ok(answer) => {
                self.connection = (!answer.closes_connection()).then_some(connection);
                let text = names.to_known(&String::from_utf8_lossy(&answer.body));
                let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
                Ok(Answer { status: answer.status, body })
            }
            Err(error) => Ok(Answer { status: 0, body: Value::String(format!("{error:#}")) }),
        }
    }

    /// The headers of a request, which is signed if there is something to sign with.
    fn headers(&self, action: &str, body: &[u8]) -> Result<Vec<(&'static str, String)>> {
        if self.identity.credentials.is_none() {
            return Ok(client::headers(action).into());
        }
        let named = client::unsigned_headers(action);
        let headers = &named.each_ref().map(|(name, value)| (*name, value.as_str()));
        let address = &parse_address(&self.endpoint)?;
        let unsigned = Unsigned { method: "POST", address, headers, body };
        let added = self.identity.sign(unsigned, time::epoch_millis());
        Ok(named.into_iter().chain(added).collect())
    }

    fn wait_until_active(&mut self, request: &Value, names: &Names) -> Result<()> {
        let describe = Call::new("DescribeTable", json!({"TableName": request.get("TableName")}));
        let settled = time::until(CREATION_MAX, || match self.send(&describe, names) {
            Ok(answer) => {
                let status = answer.body.pointer("/Table/TableStatus").and_then(Value::as_str);
                // AWS may not know yet a table that it has just made.
                (status == Some("ACTIVE")).then_some(Ok(()))
            }
            Err(error) => Some(Err(error)),
        });
        settled.unwrap_or(Ok(()))
    }

    /// Deletes the tables of a history, as far as they are there.
    pub(crate) fn delete_tables(&mut self, calls: &[Call], names: &Names) -> Result<()> {
        let made = calls.iter().filter(|call| call.action == "CreateTable");
        let made = made.filter_map(|call| call.request.get("TableName")?.as_str());
        let mut tables: Vec<&str> = made.chain([PAIR, PLAIN]).collect();
        tables.sort_unstable();
        tables.dedup();
        for table in tables {
            self.send(&Call::new("DeleteTable", json!({"TableName": table})), names)?;
        }
        Ok(())
    }
}
