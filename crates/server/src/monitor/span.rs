//! Spans: one per call that is traced.
//!
//! Whether a call is traced is decided by the client, if it sends a `traceparent` header, or else
//! by the trace's id: such a part of all ids is traced as was asked for. The ids come from the id
//! of the request, which nobody else has.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use monotable_api::observation::ObservedTable;

use super::WatchedCall;
use crate::metrics::CountedCall;

/// One call, as it is part of a trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The trace that it is part of.
    pub trace_id: u128,
    /// Its own id.
    pub span_id: u64,
    /// The span that made the call, if the client said so.
    pub parent_span_id: Option<u64>,
    /// The operation.
    pub operation: &'static str,
    /// When it began, in milliseconds since 1970.
    pub start_millis: u64,
    /// How long it took.
    pub duration: Duration,
    /// The id that the answer has.
    pub request_id: String,
    /// The tables that it was about.
    pub tables: Vec<String>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The name of the error.
    pub error: Option<&'static str>,
    /// The capacity units that it consumed.
    pub units: f64,
    /// Whether they are for writing.
    pub writes: bool,
    /// How many items were found or written, where the operation says so.
    pub items: Option<u64>,
}

/// Takes spans. It is asked on the task of the connection, so it must not wait.
pub trait SpanSink: fmt::Debug + Send + Sync + 'static {
    /// Takes one span.
    fn take(&self, span: Span);
}

/// Says which calls are traced.
#[derive(Debug, Clone)]
pub struct Tracer {
    /// A trace that begins here is kept if its id is below this.
    ids_below: u128,
    sink: Arc<dyn SpanSink>,
}

impl Tracer {
    /// Traces such a part of all calls, from 0 to 1, and those whose clients want it.
    pub fn new(sampled_part: f64, sink: Arc<dyn SpanSink>) -> Tracer {
        let ids = u128::from(u64::MAX) + 1;
        Tracer { ids_below: (sampled_part.clamp(0.0, 1.0) * ids as f64) as u128, sink }
    }

    pub(super) fn trace(
        &self,
        watched: &WatchedCall<'_>,
        counted: &CountedCall<'_>,
        now_millis: impl FnOnce() -> u64,
    ) {
        let own = watched.request_id.bits();
        let parent = watched.trace_parent.and_then(TraceParent::read);
        let (trace_id, is_sampled) = match &parent {
            Some(parent) => (parent.trace_id, parent.is_sampled),
            None => (own, own & u128::from(u64::MAX) < self.ids_below),
        };
        if !is_sampled {
            return;
        }
        let duration_millis = u64::try_from(counted.duration.as_millis()).unwrap_or(u64::MAX);
        self.sink.take(Span {
            trace_id,
            // An id of zeros alone would mean none.
            span_id: ((own >> 64) as u64).max(1),
            parent_span_id: parent.map(|parent| parent.span_id),
            operation: counted.operation.name(),
            start_millis: now_millis().saturating_sub(duration_millis),
            duration: counted.duration,
            request_id: watched.request_id.to_string(),
            tables: counted.observation.tables().map(ObservedTable::name).map(Into::into).collect(),
            status: counted.status,
            error: counted.error(),
            units: counted.units(),
            writes: counted.writes(),
            items: counted.observation.items,
        });
    }
}

/// What a `traceparent` header says, by the W3C's recommendation Trace Context.
#[derive(Debug, PartialEq, Eq)]
struct TraceParent {
    trace_id: u128,
    span_id: u64,
    is_sampled: bool,
}

impl TraceParent {
    /// Reads the value of the header; none if it is not of the form that is known.
    fn read(value: &[u8]) -> Option<TraceParent> {
        let text = str::from_utf8(value).ok()?;
        let mut parts = text.split('-');
        let version = parts.next().filter(|it| is_hex(it, 2) && *it != "ff")?;
        let trace_id = parts.next().filter(|it| is_hex(it, 32))?;
        let span_id = parts.next().filter(|it| is_hex(it, 16))?;
        let flags = parts.next().filter(|it| is_hex(it, 2))?;
        // Later versions may say more, which is of no interest.
        if version == "00" && parts.next().is_some() {
            return None;
        }
        let trace_id = u128::from_str_radix(trace_id, 16).ok().filter(|id| *id != 0)?;
        let span_id = u64::from_str_radix(span_id, 16).ok().filter(|id| *id != 0)?;
        let is_sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
        Some(TraceParent { trace_id, span_id, is_sampled })
    }
}

/// Whether a text is so many hexadecimal digits, in lower case as the header must have them.
fn is_hex(text: &str, digits: usize) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == digits && text.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traceparent_is_read_as_its_recommendation_says() {
        let read = |text: &str| TraceParent::read(text.as_bytes());
        let expected = TraceParent {
            trace_id: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736,
            span_id: 0x00f0_67aa_0ba9_02b7,
            is_sampled: true,
        };
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(read(text), Some(expected));
        assert!(!read(&text.replace("-01", "-00")).unwrap().is_sampled);
        assert!(read(&format!("{}-more", text.replacen("00-", "01-", 1))).is_some());
        for wrong in [
            "",
            "00",
            &text.replacen("00-", "ff-", 1),
            &text.to_uppercase(),
            &format!("{text}-more"),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e47-00f067aa0ba902b7-01",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
