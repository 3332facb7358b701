//! Sends the requests of a run, and gathers the answers.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use monotable_model::document::inline_tree;
use monotable_plan::run::{Row as ReadRow, Run};
use monotable_plan::{FanOut, PlannedAction, Request};
use monotable_remote::{Backoff, Error, decode_item};
use serde_json::{Value, json};

use super::outcome::{Played, PlayedRequest, Refusal, Row};
use super::service::Service;
use crate::endpoint::explain_call;

/// How long to wait before what was left undone of a batch is sent again.
const UNPROCESSED_FIRST: Duration = Duration::from_millis(50);
const UNPROCESSED_LONGEST: Duration = Duration::from_secs(5);

/// Which pages are read.
#[derive(Debug, Default)]
pub(crate) struct Paging {
    /// The most items of a page, instead of what the pattern says.
    pub(crate) limit: Option<u64>,
    /// Whether pages follow one another although there is a limit.
    pub(crate) all: bool,
    /// The key after which the first page begins.
    pub(crate) start: Option<Value>,
}

impl Paging {
    /// Gives a request that reads pages the limit of this run, if there is one.
    pub(crate) fn limit_pages(&self, request: &mut Request) {
        let limit = match request {
            Request::Query(query) => &mut query.limit,
            Request::Scan(scan) => &mut scan.limit,
            Request::Get(_)
            | Request::Write(_)
            | Request::BatchGet(_)
            | Request::BatchWrite(_)
            | Request::TransactGet(_)
            | Request::TransactWrite(_) => return,
        };
        *limit = self.limit.or(*limit);
    }
}

/// Plays runs at a service.
pub(crate) struct Player<'a, S> {
    pub(crate) service: &'a S,
    /// The model file, for advice.
    pub(crate) file: &'a Path,
    pub(crate) paging: Paging,
}

impl<S: Service> Player<'_, S> {
    /// Sends one step after the other; a condition that is not met ends the run.
    pub(crate) async fn play(&self, run: &mut Run<'_>) -> Result<Played> {
        let mut played = Played::default();
        let mut rows: Vec<ReadRow> = Vec::new();
        while let Some(step) = run.next(&rows)? {
            rows.clear();
            let is_fetch = step.step.action == PlannedAction::Fetch;
            let spans_periods = step.step.fan_out.iter().any(is_of_periods);
            let (mut is_answered, mut absent) = (false, None);
            for request in step.requests {
                let mut answered = self.send(request).await?;
                if let Some(error) = answered.absent.take() {
                    // Of the tables for the periods of a range, some were never made and some are
                    // archived: those have no rows.
                    if !spans_periods {
                        return Err(self.explain(error));
                    }
                    absent = Some(error);
                    continue;
                }
                is_answered = true;
                if is_fetch {
                    played.complete(&answered);
                } else {
                    played.add_rows(&answered);
                }
                rows.extend(answered.rows.iter().map(Row::as_read));
                let is_refused = answered.refusal.is_some();
                played.requests.push(answered);
                if is_refused {
                    return Ok(played);
                }
            }
            if let Some(error) = absent.filter(|_| !is_answered) {
                return Err(self.explain(error));
            }
        }
        Ok(played)
    }

    async fn send(&self, mut request: Request) -> Result<PlayedRequest> {
        self.paging.limit_pages(&mut request);
        let body = body(&request)?;
        let mut played = PlayedRequest::new(request);
        match &played.request {
            Request::Query(_) | Request::Scan(_) => self.send_pages(body, &mut played).await?,
            Request::BatchGet(_) => self.send_batch(body, "UnprocessedKeys", &mut played).await?,
            Request::BatchWrite(_) => {
                self.send_batch(body, "UnprocessedItems", &mut played).await?
            }
            Request::Get(_)
            | Request::Write(_)
            | Request::TransactGet(_)
            | Request::TransactWrite(_) => {
                self.send_once(&body, &mut played).await?;
            }
        }
        Ok(played)
    }

    /// Reads page after page, unless there is a limit.
    async fn send_pages(&self, mut body: Value, played: &mut PlayedRequest) -> Result<()> {
        if let Some(start) = &self.paging.start {
            set(&mut body, "ExclusiveStartKey", start.clone());
        }
        let is_limited = body.get("Limit").is_some();
        loop {
            let Some(mut answer) = self.send_once(&body, played).await? else { return Ok(()) };
            let scanned = answer.get("ScannedCount").and_then(Value::as_u64).unwrap_or(0);
            played.scanned = Some(played.scanned.unwrap_or(0) + scanned);
            let next = answer.get_mut("LastEvaluatedKey").map(Value::take);
            match next {
                Some(next) if self.paging.all || !is_limited => {
                    set(&mut body, "ExclusiveStartKey", next);
                }
                next => {
                    played.next = next;
                    return Ok(());
                }
            }
        }
    }

    /// Sends what is left undone of a batch again.
    async fn send_batch(
        &self,
        mut body: Value,
        unprocessed: &str,
        played: &mut PlayedRequest,
    ) -> Result<()> {
        let mut backoff = Backoff::new(UNPROCESSED_FIRST, UNPROCESSED_LONGEST);
        loop {
            let Some(mut answer) = self.send_once(&body, played).await? else { return Ok(()) };
            let left = answer.get_mut(unprocessed).map(Value::take);
            let is_left =
                left.as_ref().and_then(Value::as_object).is_some_and(|left| !left.is_empty());
            match left {
                Some(left) if is_left => set(&mut body, "RequestItems", left),
                Some(_) | None => return Ok(()),
            }
            self.service.pause(backoff.pause()).await;
        }
    }

    /// Makes a call, and notes what it brought. There is no answer if a condition was not met, or
    /// if the table is not there.
    async fn send_once(&self, body: &Value, played: &mut PlayedRequest) -> Result<Option<Value>> {
        let operation = played.request.operation();
        match self.service.call(operation, body).await {
            Ok(answer) => {
                played.pages += 1;
                note_rows(body, &answer, played)?;
                note_consumed(&answer, played);
                Ok(Some(answer))
            }
            Err(error) if error.is_refusal("ResourceNotFoundException") => {
                played.absent = Some(error);
                Ok(None)
            }
            Err(error) => {
                played.refusal = Some(refusal(&error).ok_or_else(|| self.explain(error))?);
                Ok(None)
            }
        }
    }

    fn explain(&self, error: Error) -> anyhow::Error {
        if error.is_refusal("ResourceNotFoundException") {
            let file = self.file.display();
            return anyhow!("{error}; create the tables with: monotable model apply {file}");
        }
        explain_call(error)
    }
}

fn is_of_periods(fan_out: &FanOut) -> bool {
    matches!(fan_out, FanOut::PeriodTables { .. })
}

/// The body of a request, which also asks what it consumes.
pub(crate) fn body(request: &Request) -> Result<Value> {
    let text = inline_tree(&request.body());
    let mut body: Value = serde_json::from_str(&text).context("a request is JSON")?;
    set(&mut body, "ReturnConsumedCapacity", json!("INDEXES"));
    Ok(body)
}

fn set(body: &mut Value, member: &str, value: Value) {
    if let Some(members) = body.as_object_mut() {
        members.insert(member.to_owned(), value);
    }
}

fn note_rows(body: &Value, answer: &Value, played: &mut PlayedRequest) -> Result<()> {
    let table = body.get("TableName").and_then(Value::as_str).unwrap_or_default();
    let single = ["Item", "Attributes"].iter().filter_map(|member| answer.get(member));
    let listed = answer.get("Items").and_then(Value::as_array).into_iter().flatten();
    let mut found: Vec<(&str, &Value)> = single.chain(listed).map(|item| (table, item)).collect();
    match answer.get("Responses") {
        Some(Value::Object(tables)) => {
            for (table, items) in tables {
                let items = items.as_array().into_iter().flatten();
                found.extend(items.map(|item| (table.as_str(), item)));
            }
        }
        Some(Value::Array(members)) => {
            let tables = transact_tables(body);
            let items = members.iter().zip(tables);
            found.extend(items.filter_map(|(member, table)| Some((table, member.get("Item")?))));
        }
        Some(_) | None => {}
    }
    for (table, item) in found {
        played.rows.push(Row { table: table.to_owned(), item: decode_item(item)? });
    }
    Ok(())
}

/// The tables of the members of a transaction of reads.
fn transact_tables(body: &Value) -> impl Iterator<Item = &str> {
    let members = body.get("TransactItems").and_then(Value::as_array).into_iter().flatten();
    members
        .map(|member| member.pointer("/Get/TableName").and_then(Value::as_str).unwrap_or_default())
}

fn note_consumed(answer: &Value, played: &mut PlayedRequest) {
    let consumed = match answer.get("ConsumedCapacity") {
        Some(Value::Array(tables)) => tables.iter().collect(),
        Some(table) => vec![table],
        None => Vec::new(),
    };
    for table in consumed {
        let name = table.get("TableName").and_then(Value::as_str).unwrap_or_default();
        let mut arms = vec![(name.to_owned(), table.get("Table"))];
        for kind in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
            let indexes = table.get(kind).and_then(Value::as_object).into_iter().flatten();
            arms.extend(indexes.map(|(index, arm)| (format!("{name}.{index}"), Some(arm))));
        }
        for (arm, units) in arms {
            let units = units.and_then(|arm| arm.get("CapacityUnits")).and_then(Value::as_f64);
            if let Some(units) = units.filter(|units| *units > 0.0) {
                *played.consumed.entry(arm).or_default() += units;
            }
        }
    }
}

/// The condition that was not met, if that is what the error says.
fn refusal(error: &Error) -> Option<Refusal> {
    let Error::Refused { code, message, body, .. } = error else { return None };
    if !matches!(code.as_str(), "ConditionalCheckFailedException" | "TransactionCanceledException")
    {
        return None;
    }
    let reasons = body.get("CancellationReasons").and_then(Value::as_array).into_iter().flatten();
    let member = |reason: &Value| {
        let text = |member| reason.get(member).and_then(Value::as_str);
        match (text("Code"), text("Message")) {
            (Some("None") | None, _) => "not to blame".to_owned(),
            (Some(code), Some(message)) => format!("{code}: {message}"),
            (Some(code), None) => code.to_owned(),
        }
    };
    Some(Refusal { message: message.clone(), members: reasons.map(member).collect() })
}
