//! Sends spans to an OpenTelemetry collector, as JSON over plain HTTP (OTLP/HTTP).
//!
//! Spans wait in a queue of limited length and are sent in batches. Those that do not fit, or that
//! the collector does not take, are dropped and counted: a trace is worth less than an answer.

mod otlp;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use monotable_database::Clock;
use monotable_server::{Metrics, Span, SpanSink};
use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::system::SystemClock;

/// How many spans may wait.
const QUEUED_SPANS_MAX: usize = 8192;
/// How many spans are sent at once.
const BATCH_SPANS_MAX: usize = 512;
/// How long a span waits for others.
const BATCH_DELAY: Duration = Duration::from_secs(1);
/// How long the collector may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the last spans may take when the server stops.
const FINISH_TIMEOUT: Duration = Duration::from_secs(3);

/// Where traces are sent below the address of a collector.
const TRACES_PATH: &str = "/v1/traces";

/// Reads the address of a collector.
pub(crate) fn parse_collector(text: &str) -> Result<String, String> {
    let advice = "give the address of a collector in plain HTTP, such as http://127.0.0.1:4318";
    let uri: Uri = text.parse().map_err(|_| advice.to_owned())?;
    if uri.scheme_str() != Some("http") || uri.host().is_none_or(str::is_empty) {
        return Err(advice.to_owned());
    }
    let address = text.trim_end_matches('/');
    Ok(if address.ends_with(TRACES_PATH) {
        address.to_owned()
    } else {
        format!("{address}{TRACES_PATH}")
    })
}

/// The sending of spans.
pub(crate) struct TraceExport {
    sink: Arc<QueueSink>,
    task: tokio::task::JoinHandle<()>,
}

/// Puts spans into the queue.
#[derive(Debug)]
struct QueueSink {
    queue: Sender<Span>,
    metrics: Arc<Metrics>,
}

impl SpanSink for QueueSink {
    fn take(&self, span: Span) {
        if self.queue.try_send(span).is_err() {
            self.metrics.traces.dropped.add(1);
        }
    }
}

impl TraceExport {
    /// Starts to send spans to this address. It takes a runtime.
    pub(crate) fn start(url: &str, metrics: Arc<Metrics>) -> Result<TraceExport> {
        let url = url.parse().with_context(|| format!("{url} is not an address"))?;
        let (queue, spans) = mpsc::channel(QUEUED_SPANS_MAX);
        let client = Client::builder(TokioExecutor::new()).build_http();
        let sender = BatchSender { client, url, metrics: metrics.clone(), is_failing: false };
        let task = tokio::spawn(sender.run(spans));
        Ok(TraceExport { sink: Arc::new(QueueSink { queue, metrics }), task })
    }

    /// What the server gives spans to.
    pub(crate) fn sink(&self) -> Arc<dyn SpanSink> {
        self.sink.clone()
    }

    /// Waits until all spans are sent, but not for long. The server must be gone.
    pub(crate) async fn finish(self) {
        drop(self.sink);
        let mut task = self.task;
        tokio::select! {
            _ = &mut task => {}
            () = SystemClock.sleep(FINISH_TIMEOUT) => task.abort(),
        }
    }
}

struct BatchSender {
    client: Client<HttpConnector, Full<Bytes>>,
    url: Uri,
    metrics: Arc<Metrics>,
    is_failing: bool,
}

impl BatchSender {
    async fn run(mut self, mut spans: Receiver<Span>) {
        while let Some(first) = spans.recv().await {
            let batch = gather(first, &mut spans).await;
            let count = batch.len() as u64;
            let sent = tokio::select! {
                sent = self.send(&batch) => sent,
                () = SystemClock.sleep(SEND_TIMEOUT) => Err(anyhow::anyhow!("it took too long")),
            };
            match sent {
                Ok(()) => {
                    self.metrics.traces.sent.add(count);
                    self.is_failing = false;
                }
                Err(error) => {
                    self.metrics.traces.dropped.add(count);
                    if !std::mem::replace(&mut self.is_failing, true) {
                        let (error, url) = (format!("{error:#}"), &self.url);
                        tracing::warn!(error, %url, "traces cannot be sent, they are dropped");
                    }
                }
            }
        }
    }

    async fn send(&self, batch: &[Span]) -> Result<()> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(&self.url)
            .header(CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(otlp::request(batch).to_string())))?;
        let response = self.client.request(request).await?;
        let status = response.status();
        // A connection is used again once its answer was read.
        response.into_body().collect().await?;
        if !status.is_success() {
            bail!("the collector answers with {status}");
        }
        Ok(())
    }
}

/// Waits a little for more spans to be sent with the first one.
async fn gather(first: Span, spans: &mut Receiver<Span>) -> Vec<Span> {
    let mut batch = vec![first];
    let mut delay = SystemClock.sleep(BATCH_DELAY);
    while batch.len() < BATCH_SPANS_MAX {
        tokio::select! {
            biased;
            span = spans.recv() => match span {
                Some(span) => batch.push(span),
                None => break,
            },
            () = &mut delay => break,
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_reached_by_plain_http() {
        for (text, address) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://collector:4318/", "http://collector:4318/v1/traces"),
            ("http://collector/otlp/v1/traces", "http://collector/otlp/v1/traces"),
        ] {
            assert_eq!(parse_collector(text).as_deref(), Ok(address));
        }
        for refused in ["", "127.0.0.1:4318", "https://collector:4318", "http://", "ftp://x"] {
            assert!(parse_collector(refused).is_err(), "{refused}");
        }
    }
}
