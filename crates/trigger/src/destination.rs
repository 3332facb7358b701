//! Who takes the batches: a URL or a command.
//!
//! Both get the event of the batch as JSON, the URL as the body of a POST and the command on its
//! standard input. A status of 2xx, or an exit code of 0, means that the batch was taken. The
//! answer may still name records that were not, in the form that Lambda functions use:
//! `{"batchItemFailures":[{"itemIdentifier":"…"}]}`, where the identifiers are sequence numbers.

use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::CONTENT_TYPE;
use hyper::{Request, Uri};
use monotable_remote::{Clock, HttpClient, http_client, innermost, parse_address};
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::error::Error;
use crate::record::{LambdaRecord, batch_event};

/// Answers longer than this are not read. It is Lambda's limit.
const ANSWER_BYTES_MAX: usize = 6 * 1024 * 1024;

/// Who takes the batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Whoever listens at an address.
    Url(Uri),
    /// A command for the shell, started for each batch.
    Command(String),
}

/// What became of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All records were taken.
    Taken,
    /// The records before this one were taken; this one was not.
    FailedAt { index: usize, reason: String },
    /// No record was taken.
    Failed { reason: String },
    /// Nobody was there to take them, so the records are not to blame.
    Unreachable { reason: String },
}

impl Destination {
    /// The destination at an address such as `http://localhost:3000/likes`.
    pub fn url(text: &str) -> Result<Destination, Error> {
        Ok(Destination::Url(parse_address(text)?))
    }
}

impl std::fmt::Display for Destination {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Destination::Url(uri) => uri.fmt(f),
            Destination::Command(command) => f.write_str(command),
        }
    }
}

/// Hands batches to a destination.
pub(crate) struct Sender {
    destination: Destination,
    timeout: Duration,
    client: HttpClient,
    clock: Arc<dyn Clock>,
}

impl Sender {
    pub(crate) fn new(
        destination: Destination,
        timeout: Duration,
        clock: Arc<dyn Clock>,
    ) -> Sender {
        Sender { destination, timeout, client: http_client(), clock }
    }

    /// Sends a batch once.
    pub(crate) async fn send(&self, records: &[LambdaRecord]) -> Outcome {
        let event = batch_event(records).to_string();
        let answer = async {
            match &self.destination {
                Destination::Url(url) => self.post(url, event).await,
                Destination::Command(command) => run(command, event).await,
            }
        };
        let answer = tokio::select! {
            answer = answer => answer,
            () = self.clock.sleep(self.timeout) => {
                Err(Outcome::Failed { reason: format!("no answer within {:?}", self.timeout) })
            }
        };
        match answer {
            Ok(answer) => read_answer(&answer, records),
            Err(outcome) => outcome,
        }
    }

    async fn post(&self, url: &Uri, event: String) -> Result<Vec<u8>, Outcome> {
        let request = Request::post(url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(event)))
            .map_err(|error| failed(&error))?;
        let response = self.client.request(request).await.map_err(|error| {
            // Once there was a connection, the records may be what broke the destination.
            if error.is_connect() { unreachable(&error) } else { failed(&error) }
        })?;
        let status = response.status();
        let body = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
        if !status.is_success() {
            return Err(Outcome::Failed { reason: format!("status {status}") });
        }
        Ok(body.map_err(|error| failed(error.as_ref()))?.to_bytes().to_vec())
    }
}

fn unreachable(error: &dyn std::error::Error) -> Outcome {
    Outcome::Unreachable { reason: innermost(error) }
}

fn failed(error: &dyn std::error::Error) -> Outcome {
    Outcome::Failed { reason: innermost(error) }
}

/// Runs a command with the event on its standard input; gives what it prints.
async fn run(command: &str, event: String) -> Result<Vec<u8>, Outcome> {
    let mut child = shell(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| failed(&error))?;
    let mut stdin = child.stdin.take();
    let write = async move {
        if let Some(stdin) = &mut stdin {
            // A command that does not read its input decides by its exit code all the same.
            let _ = stdin.write_all(event.as_bytes()).await;
            let _ = stdin.shutdown().await;
        }
    };
    let ((), output) = tokio::join!(write, child.wait_with_output());
    let output = output.map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(Outcome::Failed { reason: exit_reason(output.status) });
    }
    Ok(output.stdout)
}

fn exit_reason(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

#[cfg(unix)]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    // Ctrl-C in a terminal goes to a whole group of processes. The command is in another one, so
    // that it can finish its batch.
    shell.args(["-c", command]).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

/// Which records an answer says were not taken. An answer that says nothing about that took all.
fn read_answer(answer: &[u8], records: &[LambdaRecord]) -> Outcome {
    let Some(failures) = batch_item_failures(answer) else { return Outcome::Taken };
    let mut first = records.len();
    for failure in &failures {
        let identifier = failure.get("itemIdentifier").and_then(Value::as_str);
        let index = records.iter().position(|record| Some(record.sequence_number()) == identifier);
        let Some(index) = index else {
            let reason = format!("the answer names a record that is not in the batch: {failure}");
            return Outcome::Failed { reason };
        };
        first = first.min(index);
    }
    if failures.is_empty() {
        return Outcome::Taken;
    }
    // Records after the first that failed come again too, so that the order is kept.
    Outcome::FailedAt { index: first, reason: "named in batchItemFailures".to_owned() }
}

/// Commands may print other things first: then the last line is the answer.
fn batch_item_failures(answer: &[u8]) -> Option<Vec<Value>> {
    let whole = serde_json::from_slice::<Value>(answer).ok();
    let last_line = || {
        let text = std::str::from_utf8(answer).ok()?;
        serde_json::from_str::<Value>(text.trim_end().lines().last()?).ok()
    };
    let mut answer = whole.or_else(last_line)?;
    match answer.get_mut("batchItemFailures").map(Value::take) {
        Some(Value::Array(failures)) => Some(failures),
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::records;

    #[test]
    fn an_answer_says_which_records_were_not_taken() {
        let batch = records(1..=3);
        let failed_at =
            |index| Outcome::FailedAt { index, reason: "named in batchItemFailures".to_owned() };
        for (answer, expected) in [
            ("", Outcome::Taken),
            ("thank you", Outcome::Taken),
            ("{}", Outcome::Taken),
            (r#"{"batchItemFailures":[]}"#, Outcome::Taken),
            (r#"{"batchItemFailures":null}"#, Outcome::Taken),
            (r#"{"batchItemFailures":[{"itemIdentifier":"2"}]}"#, failed_at(1)),
            (
                r#"{"batchItemFailures":[{"itemIdentifier":"3"},{"itemIdentifier":"1"}]}"#,
                failed_at(0),
            ),
            ("log\n{\"batchItemFailures\":[{\"itemIdentifier\":\"3\"}]}\n", failed_at(2)),
        ] {
            assert_eq!(read_answer(answer.as_bytes(), &batch), expected, "{answer}");
        }
    }

    #[test]
    fn an_answer_that_names_no_record_of_the_batch_took_none() {
        for answer in [
            r#"{"batchItemFailures":[{"itemIdentifier":"9"}]}"#,
            r#"{"batchItemFailures":[{"itemIdentifier":""}]}"#,
            r#"{"batchItemFailures":[{}]}"#,
        ] {
            let outcome = read_answer(answer.as_bytes(), &records(1..=3));
            assert!(matches!(outcome, Outcome::Failed { .. }), "{answer}: {outcome:?}");
        }
    }
}
