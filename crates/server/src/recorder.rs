//! Recording: what calls asked and were answered, for whoever keeps it.

use std::sync::Arc;

use bytes::Bytes;

use crate::handler::Answer;

/// A call and its answer.
#[derive(Debug, Clone)]
pub struct RecordedCall {
    /// Which connection it came by, counted from 1.
    pub connection: u64,
    /// The value of `X-Amz-Target`.
    pub target: String,
    /// The body of the request.
    pub request: Bytes,
    /// The body of the answer.
    pub response: Bytes,
}

/// Takes calls. It is asked before the answer goes out, on the task of the connection, so it must
/// not wait.
pub trait Recorder: Send + Sync + 'static {
    /// Takes one call.
    fn record(&self, call: RecordedCall);
}

/// The recorder of one connection.
#[derive(Clone)]
pub(crate) struct Tape {
    recorder: Arc<dyn Recorder>,
    connection: u64,
}

impl Tape {
    pub(crate) fn new(recorder: Arc<dyn Recorder>, connection: u64) -> Tape {
        Tape { recorder, connection }
    }

    pub(crate) fn record(&self, target: &str, request: &[u8], answer: &Answer) {
        self.recorder.record(RecordedCall {
            connection: self.connection,
            target: target.to_owned(),
            request: Bytes::copy_from_slice(request),
            response: Bytes::copy_from_slice(&answer.body),
        });
    }
}
