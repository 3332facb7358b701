//! Watching over calls: each one is counted, and may be logged, audited and traced.
//!
//! All of it happens when the answer is ready and before it is sent, on the task of the connection.
//! So nothing here waits: what goes to a file or over the network is handed to somebody else's
//! queue ([`Auditor`], [`SpanSink`]). None of it ever sees the values of items, but for the body of
//! a call that an auditor asks for, who takes the keys out of it.

mod audit;
mod failures;
mod span;
mod timer;
mod watched_call;

use std::sync::Arc;
use std::time::{Duration, Instant};

use monotable_api::observation::{Observation, ObservedTable};
use monotable_database::Clock;
use monotable_sigv4::Secret;

pub use audit::{AuditOutcome, AuditedCall, AuditedCaller, AuditedTable, Auditor};
pub use span::{Span, SpanSink, Tracer};
pub use timer::Timer;
pub(crate) use watched_call::{Origin, WatchedCall};

use self::failures::Failures;
use crate::metrics::{CountedCall, Metrics, Operation, StorageProbe};
use crate::request_id::RequestId;

/// What is done about calls besides answering them. The default counts them and nothing more.
#[derive(Debug, Clone, Default)]
pub struct Monitoring {
    /// Where calls are counted.
    pub metrics: Arc<Metrics>,
    /// Tells how the store is doing.
    pub storage: StorageProbe,
    /// Calls that take at least so long are logged.
    pub slow_after: Option<Duration>,
    /// Who keeps a record of calls.
    pub auditor: Option<Arc<dyn Auditor>>,
    /// Which calls are traced, and who takes the spans.
    pub tracer: Option<Tracer>,
    /// What durations are measured with.
    pub timer: Timer,
    /// Whoever shows this may read the metrics, besides administrators.
    pub metrics_token: Option<Arc<Secret>>,
}

/// Watches over the calls of one server.
pub(crate) struct Monitor {
    monitoring: Monitoring,
    clock: Arc<dyn Clock>,
    started: Instant,
    failures: Failures,
}

impl Monitor {
    pub(crate) fn new(monitoring: Monitoring, clock: Arc<dyn Clock>) -> Monitor {
        let started = monitoring.timer.now();
        Monitor { started, monitoring, clock, failures: Failures::default() }
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.monitoring.metrics
    }

    /// What lets in whoever reads the metrics and nothing else.
    pub(crate) fn metrics_token(&self) -> Option<&Secret> {
        self.monitoring.metrics_token.as_deref()
    }

    pub(crate) fn storage(&self) -> &StorageProbe {
        &self.monitoring.storage
    }

    /// The time since the server was made.
    pub(crate) fn uptime(&self) -> Duration {
        self.monitoring.timer.now().duration_since(self.started)
    }

    /// Whether calls may be answered, as far as whoever keeps records of them is concerned.
    pub(crate) fn permits_calls(&self) -> bool {
        self.monitoring.auditor.as_ref().is_none_or(|auditor| auditor.permits_calls())
    }

    /// Begins to watch over a call.
    pub(crate) fn watch<'a>(&'a self, watched: WatchedCall<'a>) -> Watch<'a> {
        Watch { monitor: self, watched, start: self.monitoring.timer.now(), is_answered: false }
    }

    /// Logs a call that failed. Many fail alike when the service is unavailable.
    pub(crate) fn log_failure(&self, request_id: RequestId, target: &str, status: u16) {
        if status != 503 {
            tracing::error!(%request_id, target, status, "a call failed");
        } else if let Some(unlogged) = self.failures.note(self.monitoring.timer.now()) {
            tracing::error!(%request_id, target, status, unlogged, "a call failed");
        }
    }

    /// Keeps a record of a request that is no call, such as a change of the clock.
    pub(crate) fn audit_request(&self, action: String, status: u16, watched: &WatchedCall<'_>) {
        if let Some(auditor) = &self.monitoring.auditor {
            let time_millis = self.clock.now_millis();
            auditor.audit(AuditedCall::of_request(action, status, watched, time_millis));
        }
    }

    /// Does all there is to do about a call that has come to its end.
    fn note(&self, watched: &WatchedCall<'_>, counted: &CountedCall<'_>, outcome: AuditOutcome) {
        self.monitoring.metrics.count(counted);
        counted.count_in_models();
        if self.monitoring.slow_after.is_some_and(|slow| counted.duration >= slow) {
            log_slow(watched, counted);
        }
        if let Some(auditor) = &self.monitoring.auditor {
            let (time_millis, keeps_keys) = (self.clock.now_millis(), auditor.keeps_keys());
            auditor.audit(AuditedCall::new(watched, counted, outcome, time_millis, keeps_keys));
        }
        if let Some(tracer) = &self.monitoring.tracer {
            tracer.trace(watched, counted, || self.clock.now_millis());
        }
    }
}

/// A call under way. If it is dropped before it was answered, because the connection broke, the
/// call may have done something all the same; so it is counted and audited as abandoned.
pub(crate) struct Watch<'a> {
    monitor: &'a Monitor,
    watched: WatchedCall<'a>,
    start: Instant,
    is_answered: bool,
}

impl Watch<'_> {
    /// Ends the watch when the answer is ready.
    pub(crate) fn answered(
        mut self,
        observation: &Observation,
        status: u16,
        response_bytes: usize,
    ) {
        self.is_answered = true;
        let outcome = AuditOutcome::of_status(status);
        self.end(observation, status, response_bytes, outcome);
    }

    fn end(
        &self,
        observation: &Observation,
        status: u16,
        response_bytes: usize,
        outcome: AuditOutcome,
    ) {
        let counted = CountedCall {
            operation: Operation::of_target(self.watched.target),
            observation,
            status,
            duration: self.monitor.monitoring.timer.now().duration_since(self.start),
            request_bytes: self.watched.body.len(),
            response_bytes,
        };
        self.monitor.note(&self.watched, &counted, outcome);
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            let observation = Observation::default();
            let status = CountedCall::ABANDONED_STATUS;
            self.end(&observation, status, 0, AuditOutcome::Abandoned);
        }
    }
}

fn log_slow(watched: &WatchedCall<'_>, counted: &CountedCall<'_>) {
    let tables: Vec<&str> = counted.observation.tables().map(ObservedTable::name).collect();
    tracing::warn!(
        request_id = %watched.request_id,
        operation = counted.operation.name(),
        tables = tables.join(","),
        milliseconds = counted.duration.as_secs_f64() * 1000.0,
        units = counted.units(),
        items = counted.observation.items,
        status = counted.status,
        error = counted.error(),
        "a slow request"
    );
}
