//! Making one revision true.
//!
//! Every attempt is conditional on what it was decided from. If that has changed, someone else was
//! first: the item is read again and decided again, as often as it takes.

use std::time::Duration;

use monotable_item::Item;
use monotable_migration::{Moved, Revision, Updated};
use monotable_remote::{Backoff, Error as RemoteError, decode_item};
use serde_json::Value as Json;

use crate::bucket::Bucket;
use crate::error::Error;
use crate::job::{Job, Prepared};
use crate::progress::{Event, Progress};
use crate::request;
use crate::stop::Stop;

/// How often an item is tried that changes all the time.
const ATTEMPTS_MAX: u32 = 1_000;

/// How long to wait before an item is tried again that a transaction of someone else holds.
const PAUSE_FIRST: Duration = Duration::from_millis(2);
const PAUSE_LONGEST: Duration = Duration::from_millis(200);

/// What all segments share.
pub(crate) struct Shared {
    pub(crate) job: Job,
    pub(crate) prepared: Prepared,
    pub(crate) bucket: Bucket,
    pub(crate) progress: std::sync::Arc<Progress>,
    pub(crate) stop: Stop,
}

/// An item whose new form could not be decided or written.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockedItem {
    /// The primary key.
    pub key: Item,
    /// Why.
    pub reason: String,
}

/// How an item ended.
#[derive(Debug)]
pub(crate) enum Written {
    /// It was changed.
    Changed,
    /// It needed nothing any more.
    Unchanged,
    /// It stays as it is.
    Blocked(BlockedItem),
}

/// How an attempt ended.
enum Attempt {
    Done,
    /// The item is not what was read.
    Outdated,
    /// A transaction of someone else holds the item.
    Busy,
    /// The endpoint will never take it.
    Refused(String),
}

/// A write that a revision asks for.
pub(crate) enum Change {
    Update(Updated),
    Move(Moved),
}

/// What a revision asks for.
pub(crate) enum RevisionOutcome {
    /// The item is to be written.
    Write(Change),
    /// It is left alone, for a reason that is counted.
    Settled(Event),
    /// It cannot be decided.
    Blocked(String),
}

impl Change {
    /// The key that the item has.
    fn key(&self) -> &Item {
        match self {
            Change::Update(updated) => &updated.key,
            Change::Move(moved) => &moved.key,
        }
    }

    /// What is counted when it is done.
    pub(crate) fn event(&self) -> Event {
        match self {
            Change::Update(_) => Event::Updated,
            Change::Move(_) => Event::Moved,
        }
    }
}

impl From<Revision> for RevisionOutcome {
    fn from(revision: Revision) -> RevisionOutcome {
        match revision {
            Revision::Foreign | Revision::Unaffected { .. } => {
                RevisionOutcome::Settled(Event::Foreign)
            }
            Revision::Current { .. } => RevisionOutcome::Settled(Event::Current),
            Revision::Update(updated) => RevisionOutcome::Write(Change::Update(updated)),
            Revision::Move(moved) => RevisionOutcome::Write(Change::Move(moved)),
            Revision::Blocked(reason) => RevisionOutcome::Blocked(reason.to_string()),
        }
    }
}

impl Shared {
    /// Takes an item to its new form.
    pub(crate) async fn write(&self, mut change: Change) -> Result<Written, Error> {
        let mut backoff = Backoff::new(PAUSE_FIRST, PAUSE_LONGEST);
        let key = change.key().clone();
        for _ in 0..ATTEMPTS_MAX {
            match self.attempt(&change).await? {
                Attempt::Done => return Ok(self.counted(change.event(), Written::Changed)),
                Attempt::Refused(reason) => return Ok(self.blocked(key, reason)),
                Attempt::Busy => self.job.endpoint.clock().sleep(backoff.pause()).await,
                Attempt::Outdated => {}
            }
            self.progress.note(Event::Retried);
            let Some(item) = self.read(&key).await? else {
                return Ok(self.counted(Event::Gone, Written::Unchanged));
            };
            match RevisionOutcome::from(self.job.migration()?.revise(&item)) {
                RevisionOutcome::Write(next) => change = next,
                RevisionOutcome::Settled(event) => {
                    return Ok(self.counted(event, Written::Unchanged));
                }
                RevisionOutcome::Blocked(reason) => return Ok(self.blocked(key, reason)),
            }
        }
        let reason =
            format!("it had changed each of {ATTEMPTS_MAX} times that it was to be written");
        Ok(self.blocked(key, reason))
    }

    fn counted(&self, event: Event, written: Written) -> Written {
        self.progress.note(event);
        written
    }

    async fn attempt(&self, change: &Change) -> Result<Attempt, Error> {
        let (table, key) = (&self.job.table, &self.prepared.described.key);
        match change {
            Change::Update(updated) => {
                let body = request::update(table, key, updated);
                self.pay_for("UpdateItem", &body)
                    .await
                    .map_or_else(judge_update, |_| Ok(Attempt::Done))
            }
            Change::Move(moved) => {
                let body = request::transaction(table, key, moved);
                let answer = self.pay_for("TransactWriteItems", &body).await;
                answer.map_or_else(judge_transaction, |_| Ok(Attempt::Done))
            }
        }
    }

    /// Notes an item that stays as it is.
    fn blocked(&self, key: Item, reason: String) -> Written {
        self.counted(Event::Blocked, Written::Blocked(BlockedItem { key, reason }))
    }

    /// Makes a call within the rate.
    async fn pay_for(&self, operation: &str, body: &Json) -> Result<Json, RemoteError> {
        self.bucket.begin(&**self.job.endpoint.clock()).await;
        let answer = self.job.endpoint.call_patiently(operation, body).await;
        let units = answer.as_ref().map_or(1.0, request::consumed_units);
        self.bucket.pay(units);
        self.progress.consumed(units);
        answer
    }

    /// The item as it is now.
    async fn read(&self, key: &Item) -> Result<Option<Item>, Error> {
        let body = request::get(&self.job.table, key);
        let answer = self.job.endpoint.call_patiently("GetItem", &body).await?;
        Ok(answer.get("Item").map(decode_item).transpose()?)
    }
}

fn judge_update(error: RemoteError) -> Result<Attempt, Error> {
    match &error {
        RemoteError::Refused { code, message, .. } => match code.as_str() {
            "ConditionalCheckFailedException" => Ok(Attempt::Outdated),
            "TransactionConflictException" => Ok(Attempt::Busy),
            "ValidationException" | "ItemCollectionSizeLimitExceededException" => {
                Ok(Attempt::Refused(message.clone()))
            }
            _ => Err(error.into()),
        },
        _ => Err(error.into()),
    }
}

/// What a cancelled transaction means: the first reason is that of the put, the second that of the
/// delete.
fn judge_transaction(error: RemoteError) -> Result<Attempt, Error> {
    let RemoteError::Refused { code, message, body, .. } = &error else { return Err(error.into()) };
    let reasons = body.get("CancellationReasons").and_then(Json::as_array);
    let code_of = |place: usize| {
        let reason = reasons.and_then(|reasons| reasons.get(place));
        reason.and_then(|reason| reason.get("Code")).and_then(Json::as_str).unwrap_or("None")
    };
    match (code.as_str(), code_of(0), code_of(1)) {
        ("TransactionCanceledException", _, "ConditionalCheckFailed") => Ok(Attempt::Outdated),
        ("TransactionCanceledException", "ConditionalCheckFailed", _) => {
            Ok(Attempt::Refused("there is another item under its new key".to_owned()))
        }
        ("TransactionCanceledException", put, delete) if is_passing(put) && is_passing(delete) => {
            Ok(Attempt::Busy)
        }
        ("TransactionCanceledException" | "ValidationException", _, _) => {
            Ok(Attempt::Refused(message.clone()))
        }
        ("TransactionInProgressException" | "TransactionConflictException", _, _) => {
            Ok(Attempt::Busy)
        }
        _ => Err(error.into()),
    }
}

/// Whether a reason goes away by itself.
fn is_passing(code: &str) -> bool {
    matches!(
        code,
        "None" | "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
    )
}
