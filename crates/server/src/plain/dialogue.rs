//! Request and answer in turn.

use std::io::{self, IoSlice};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::answer_head::{Circumstances, write_head};
use super::arrival::{Arrival, PlainRequest};
use super::date::DateText;
use crate::call::CallAnswer;
use crate::connection::{Connection, broken};
use crate::handler::{self, Handler};
use crate::interruption::{Interruption, Interruptions};
use crate::request_id::RequestId;

/// Room for a usual request without growing.
const ARRIVED_BYTES: usize = 8 * 1024;

/// Room that there is for each read at least.
const READ_BYTES_MIN: usize = 2 * 1024;

/// A buffer that has grown beyond this is given back once its request is answered.
const ARRIVED_BYTES_KEPT_MAX: usize = 64 * 1024;

/// Room for the head of an answer and a body of [`COPIED_BYTES_MAX`].
const LEAVING_BYTES: usize = COPIED_BYTES_MAX + 512;

/// A body up to this size is copied behind its head, so that both are one piece. A larger one is written from
/// where it is.
const COPIED_BYTES_MAX: usize = 4 * 1024;

/// How a dialogue ends.
#[derive(Debug)]
pub(crate) enum End {
    /// The connection is of no further use.
    Closed,
    /// What comes next is not plain. These bytes of it have arrived.
    HandOver(Bytes),
}

/// Answers plain requests until the connection ends or something else comes.
pub(crate) async fn serve<H: Handler>(
    connection: &mut Connection<H>,
    stream: &mut TcpStream,
) -> io::Result<End> {
    let mut dialogue =
        Dialogue { connection, stream, host: None, leaving: Vec::new(), date: DateText::default() };
    let mut arrived = Vec::new();
    let mut wanted_bytes = 1;
    loop {
        if arrived.len() < wanted_bytes {
            make_room(&mut arrived, wanted_bytes);
            match dialogue.read(&mut arrived).await? {
                Progress::Made => continue,
                Progress::ClientEnds if !arrived.is_empty() => break,
                Progress::ClientEnds | Progress::Over => return Ok(End::Closed),
            }
        }
        match Arrival::of(&arrived) {
            Arrival::Partial { wanted_bytes: wanted } => wanted_bytes = wanted,
            Arrival::Other => break,
            Arrival::Request(request) if !dialogue.is_meant(request.host) => break,
            Arrival::Request(request) => {
                match dialogue.answer(&request).await? {
                    Progress::Made => {}
                    Progress::ClientEnds | Progress::Over => return Ok(End::Closed),
                }
                wanted_bytes = 1;
                let answered_bytes = request.bytes;
                arrived.drain(..answered_bytes);
            }
        }
    }
    Ok(End::HandOver(Bytes::from(arrived)))
}

/// What became of reading or writing.
enum Progress {
    /// There is more to read, or all is written.
    Made,
    /// The client sends nothing more.
    ClientEnds,
    /// The connection has been, or must be, closed.
    Over,
}

struct Dialogue<'a, H> {
    connection: &'a mut Connection<H>,
    stream: &'a mut TcpStream,
    /// The last `Host` that was found to be a name of the server.
    host: Option<Vec<u8>>,
    /// The answer on its way.
    leaving: Vec<u8>,
    date: DateText,
}

impl<H: Handler> Dialogue<'_, H> {
    /// Waits for more of a request.
    async fn read(&mut self, arrived: &mut Vec<u8>) -> io::Result<Progress> {
        if arrived.is_empty() && self.connection.is_stopping() {
            return self.close().await;
        }
        tokio::select! {
            // A request that is there is answered, whatever else has come.
            biased;
            count = self.stream.read_buf(arrived) => {
                Ok(if count? == 0 { Progress::ClientEnds } else { Progress::Made })
            }
            interruption = self.connection.interruptions.next() => match interruption {
                Interruption::Stopping if arrived.is_empty() => self.close().await,
                Interruption::Stopping => Ok(Progress::Made),
                Interruption::Stalled => Ok(Progress::Over),
            }
        }
    }

    /// Whether a request with this `Host` is meant for this server.
    fn is_meant(&mut self, host: Option<&[u8]>) -> bool {
        let Some(host) = host else {
            // A browser would have said whom it means.
            return true;
        };
        // Whoever keeps a connection says the same each time.
        if self.host.as_deref() == Some(host) {
            return true;
        }
        let is_known = self.connection.guard.knows(host);
        if is_known {
            self.host = Some(host.to_vec());
        }
        is_known
    }

    /// Answers a request.
    async fn answer(&mut self, request: &PlainRequest<'_>) -> io::Result<Progress> {
        let request_id = self.connection.exchange.next_request_id();
        let Some(answer) = self.call(request, request_id).await else {
            return Ok(Progress::Over);
        };
        if handler::is_none(answer.status) {
            return Ok(Progress::Over);
        }
        let is_last = self.connection.is_stopping();
        let date = self.date.at(self.connection.clock.now_millis());
        self.leaving.clear();
        self.leaving.reserve(LEAVING_BYTES);
        write_head(&mut self.leaving, &answer, &Circumstances { request_id, is_last, date });
        match self.write(&answer.body).await? {
            Progress::Made if is_last => self.close().await,
            progress => Ok(progress),
        }
    }

    /// Has a request answered; none if the connection is broken before.
    async fn call(
        &mut self,
        request: &PlainRequest<'_>,
        request_id: RequestId,
    ) -> Option<CallAnswer> {
        let Connection { exchange, activity, tape, .. } = self.connection;
        let _working = activity.work();
        tokio::select! {
            biased;
            answer = exchange.call(&request.call, request_id, tape.as_ref()) => Some(answer),
            () = broken(self.stream) => None,
        }
    }

    /// Writes the head that is ready, and a body.
    async fn write(&mut self, body: &[u8]) -> io::Result<Progress> {
        let interruptions = &mut self.connection.interruptions;
        if body.len() <= COPIED_BYTES_MAX {
            self.leaving.extend_from_slice(body);
            return write_all(self.stream, interruptions, &mut [IoSlice::new(&self.leaving)]).await;
        }
        let mut parts = [IoSlice::new(&self.leaving), IoSlice::new(body)];
        write_all(self.stream, interruptions, &mut parts).await
    }

    async fn close(&mut self) -> io::Result<Progress> {
        self.stream.shutdown().await?;
        Ok(Progress::Over)
    }
}

/// Makes room for the next read, which is to bring what has arrived to so many bytes.
fn make_room(arrived: &mut Vec<u8>, wanted_bytes: usize) {
    if arrived.is_empty() && arrived.capacity() > ARRIVED_BYTES_KEPT_MAX {
        *arrived = Vec::new();
    }
    let missing_bytes = wanted_bytes.saturating_sub(arrived.len());
    if arrived.capacity() - arrived.len() < missing_bytes.max(READ_BYTES_MIN) {
        arrived.reserve(missing_bytes.max(ARRIVED_BYTES));
    }
}

/// Writes until nothing is left, or the client does not take it.
async fn write_all(
    stream: &TcpStream,
    interruptions: &mut Interruptions,
    mut parts: &mut [IoSlice<'_>],
) -> io::Result<Progress> {
    loop {
        match write_some(stream, parts) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut parts, count),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                tokio::select! {
                    writable = stream.writable() => writable?,
                    interruption = interruptions.next() => match interruption {
                        // This answer is finished all the same.
                        Interruption::Stopping => {}
                        Interruption::Stalled => return Ok(Progress::Over),
                    }
                }
            }
            Err(error) => return Err(error),
        }
        if parts.is_empty() {
            return Ok(Progress::Made);
        }
    }
}

fn write_some(stream: &TcpStream, parts: &[IoSlice<'_>]) -> io::Result<usize> {
    match parts {
        [whole] => stream.try_write(whole),
        parts => stream.try_write_vectored(parts),
    }
}
