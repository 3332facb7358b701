//! Records of calls: who asked for what, and what became of it.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use monotable_api::observation::ObservedTable;
use monotable_database::schema::TableSchema;
use monotable_identity::Caller;

use super::WatchedCall;
use crate::metrics::CountedCall;

/// Who called, as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditedCaller {
    /// The account.
    pub account: Option<Arc<str>>,
    /// The name of the user.
    pub user: Option<Arc<str>>,
    /// The key that signed the call.
    pub access_key_id: Option<Arc<str>>,
}

impl AuditedCaller {
    fn of(caller: &Caller) -> AuditedCaller {
        let Some(principal) = caller.principal() else { return AuditedCaller::default() };
        AuditedCaller {
            account: Some(principal.account.as_str().into()),
            user: Some(principal.user.as_str().into()),
            access_key_id: Some(principal.access_key_id.as_str().into()),
        }
    }
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditOutcome {
    /// It was done.
    Allowed,
    /// It was refused.
    Refused,
    /// The server failed. It may have been done.
    Failed,
    /// The client was gone before it was answered. It may have been done.
    Abandoned,
}

impl AuditOutcome {
    /// The outcome of a call that was answered.
    pub(crate) fn of_status(status: u16) -> AuditOutcome {
        match status {
            ..400 => AuditOutcome::Allowed,
            400..500 => AuditOutcome::Refused,
            500.. => AuditOutcome::Failed,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AuditOutcome::Allowed => "allowed",
            AuditOutcome::Refused => "refused",
            AuditOutcome::Failed => "failed",
            AuditOutcome::Abandoned => "abandoned",
        }
    }
}

/// A table that a call was about.
#[derive(Debug, Clone)]
pub struct AuditedTable {
    /// Its name.
    pub name: String,
    /// What it is, if it is there.
    pub schema: Option<Arc<TableSchema>>,
}

impl From<&ObservedTable> for AuditedTable {
    fn from(table: &ObservedTable) -> AuditedTable {
        AuditedTable { name: table.name().to_owned(), schema: table.schema().cloned() }
    }
}

/// A call and what became of it.
#[derive(Debug, Clone)]
pub struct AuditedCall {
    /// When it was answered, in milliseconds since 1970.
    pub time_millis: u64,
    /// The id that its answer has.
    pub request_id: String,
    /// Who called.
    pub caller: AuditedCaller,
    /// Where the call came from.
    pub source: Option<SocketAddr>,
    /// What was asked for, such as `dynamodb:PutItem`.
    pub action: String,
    /// The tables that it was about, as far as it got to know them.
    pub tables: Vec<AuditedTable>,
    /// What became of it.
    pub outcome: AuditOutcome,
    /// The HTTP status of its answer, if there was one.
    pub status: Option<u16>,
    /// The name of the error.
    pub error: Option<&'static str>,
    /// The JSON text of the call, if it is needed to tell tables or keys. It holds values, which
    /// are not to be kept.
    pub body: Option<Bytes>,
}

impl AuditedCall {
    pub(super) fn new(
        watched: &WatchedCall<'_>,
        counted: &CountedCall<'_>,
        outcome: AuditOutcome,
        time_millis: u64,
        keeps_keys: bool,
    ) -> AuditedCall {
        let tables: Vec<AuditedTable> = counted.observation.tables().map(Into::into).collect();
        let needs_body = keeps_keys || tables.is_empty();
        let answered = outcome != AuditOutcome::Abandoned;
        AuditedCall {
            action: format!("dynamodb:{}", counted.operation.name()),
            tables,
            outcome,
            status: answered.then_some(counted.status),
            error: counted.error().filter(|_| answered),
            body: needs_body.then(|| Bytes::copy_from_slice(watched.body)),
            ..AuditedCall::of_request(String::new(), counted.status, watched, time_millis)
        }
    }

    /// The record of a request that is no call.
    pub(super) fn of_request(
        action: String,
        status: u16,
        watched: &WatchedCall<'_>,
        time_millis: u64,
    ) -> AuditedCall {
        AuditedCall {
            time_millis,
            request_id: watched.request_id.to_string(),
            caller: AuditedCaller::of(watched.caller),
            source: Some(watched.peer),
            action,
            tables: Vec::new(),
            outcome: AuditOutcome::of_status(status),
            status: Some(status),
            error: None,
            body: None,
        }
    }
}

/// Keeps records of calls. It is asked on the task of the connection, so it must not wait.
pub trait Auditor: fmt::Debug + Send + Sync + 'static {
    /// Takes one record.
    fn audit(&self, call: AuditedCall);

    /// Whether calls may be answered: not if each must be recorded and records cannot be kept at
    /// the moment.
    fn permits_calls(&self) -> bool {
        true
    }

    /// Whether records have the keys of items, for which the bodies of calls are needed.
    fn keeps_keys(&self) -> bool;
}
