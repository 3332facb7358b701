//! Request and answer in turn.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use monotable_identity::{AuthenticationError, Caller};
use monotable_sigv4::Request;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::answer_head::{Circumstances, write_head};
use super::arrival::{Arrival, is_worth_a_look};
use super::date::DateText;
use crate::activity::{Activity, UnderWay};
use crate::authentication::HeaderList;
use crate::call::CallAnswer;
use crate::connection::Connection;
use crate::crumbs::Crumbs;
use crate::exchange::Line;
use crate::handler::{self, Handler};
use crate::interruption::{Interruption, Interruptions};
use crate::memory::{self, Hold, SMALL_BYTES};
use crate::request_id::RequestId;
use crate::transport::{Transport, broken};

/// Room for a usual request without growing.
const ARRIVED_BYTES: usize = 8 * 1024;

/// Room that there is for each read at least.
const READ_BYTES_MIN: usize = 2 * 1024;

/// A buffer that has grown beyond this is given back once its request is answered.
const ARRIVED_BYTES_KEPT_MAX: usize = 64 * 1024;

/// Room for the head of an answer and a body of [`COPIED_BYTES_MAX`].
const LEAVING_BYTES: usize = COPIED_BYTES_MAX + 512;

/// A body up to this size is copied behind its head, so that both are one piece. A larger one is
/// written from where it is.
const COPIED_BYTES_MAX: usize = 4 * 1024;

/// Who sent a request, or why nobody can be made out.
type Sender = Result<Caller, AuthenticationError>;

/// How a dialogue ends.
#[derive(Debug)]
pub(crate) enum End {
    /// The connection is of no further use.
    Closed,
    /// What comes next is not plain, or there is no memory for it at the moment. These bytes of it
    /// have arrived, and hold memory if they are many.
    HandOver { arrived: Bytes, hold: Option<Hold> },
}

/// Answers plain requests until the connection ends or something else comes.
pub(crate) async fn serve<H: Handler, S: Transport>(
    connection: &mut Connection<H>,
    stream: &mut S,
) -> io::Result<End> {
    let mut dialogue = Dialogue {
        connection,
        stream,
        host: None,
        part: None,
        leaving: Vec::new(),
        date: DateText::default(),
    };
    let mut arrived = Vec::new();
    let mut wanted_bytes = 1;
    // The head of the request is not whole yet after this many bytes; 0 if that is not known.
    let mut seen_bytes = 0;
    loop {
        if arrived.len() < wanted_bytes {
            if arrived.len() > SMALL_BYTES && !dialogue.hold(arrived.len() + 1, wanted_bytes) {
                break;
            }
            make_room(&mut arrived, wanted_bytes.min(dialogue.room_bytes()));
            match dialogue.read(&mut arrived).await? {
                Progress::Made => continue,
                Progress::ClientEnds if !arrived.is_empty() => break,
                Progress::ClientEnds | Progress::Over => return Ok(End::Closed),
            }
        }
        if seen_bytes > 0 && !is_worth_a_look(&arrived, seen_bytes) {
            seen_bytes = arrived.len();
            wanted_bytes = seen_bytes + 1;
            continue;
        }
        match dialogue.look_at(&arrived) {
            Arrival::PartialHead => {
                dialogue.note_part();
                seen_bytes = arrived.len();
                wanted_bytes = seen_bytes + 1;
            }
            Arrival::PartialBody { wanted_bytes: wanted } => {
                dialogue.note_part();
                (seen_bytes, wanted_bytes) = (0, wanted);
            }
            Arrival::Other => break,
            Arrival::Request(request) if !dialogue.is_meant(request.host) => break,
            Arrival::Request(request) => {
                dialogue.note_whole();
                // The state of a call is large. It is made here, where it stays until the answer is
                // there: each function that it was passed through would copy it.
                let request_id = dialogue.connection.exchange.next_request_id();
                let called = {
                    let Connection { exchange, activity, origin, .. } = &*dialogue.connection;
                    match &request.sender {
                        Ok(caller) => {
                            let _working = activity.work();
                            let line = Line { origin, activity };
                            let call = pin!(exchange.call(caller, &request.call, request_id, line));
                            unless_broken(call, dialogue.stream.tcp()).await
                        }
                        Err(error) => {
                            Some(exchange.refuse(error, &request.call, request_id, origin))
                        }
                    }
                };
                let Some(answer) = called else { return Ok(End::Closed) };
                match dialogue.answer(&answer, request_id).await? {
                    Progress::Made => {}
                    Progress::ClientEnds | Progress::Over => return Ok(End::Closed),
                }
                (seen_bytes, wanted_bytes) = (0, 1);
                let answered_bytes = request.bytes;
                arrived.drain(..answered_bytes);
                dialogue.part = None;
            }
        }
    }
    let hold = dialogue.part.and_then(|part| part.hold);
    Ok(End::HandOver { arrived: Bytes::from(arrived), hold })
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

/// A request that has not arrived whole, or had not at first.
struct Part {
    _under_way: UnderWay,
    /// Its memory, if it is large.
    hold: Option<Hold>,
    crumbs: Crumbs,
}

struct Dialogue<'a, H, S> {
    connection: &'a mut Connection<H>,
    stream: &'a mut S,
    /// The last `Host` that was found to be a name of the server.
    host: Option<Vec<u8>>,
    /// What is known of the request that comes, unless it came at once.
    part: Option<Part>,
    /// The answer on its way.
    leaving: Vec<u8>,
    date: DateText,
}

impl<H: Handler, S: Transport> Dialogue<'_, H, S> {
    /// Notes that the request has not arrived whole.
    fn note_part(&mut self) {
        if self.part.is_none() {
            let under_way = self.connection.activity.under_way();
            self.part = Some(Part { _under_way: under_way, hold: None, crumbs: Crumbs::new() });
        }
    }

    /// Notes that the request has arrived whole, so that it is not the client who keeps its memory.
    fn note_whole(&mut self) {
        if let Some(Part { hold: Some(hold), .. }) = &mut self.part {
            hold.set_owed(false);
        }
    }

    /// How long the buffer may be for what comes.
    fn room_bytes(&self) -> usize {
        let hold = self.part.as_ref().and_then(|part| part.hold.as_ref());
        hold.map_or(2 * SMALL_BYTES, Hold::bytes)
    }

    /// Holds memory for this many bytes of a request, or says that there is none.
    fn hold(&mut self, arrived_bytes: usize, wanted_bytes: usize) -> bool {
        let Connection { exchange, activity, .. } = &*self.connection;
        let Some(part) = &mut self.part else { return true };
        let hold = part.hold.get_or_insert_with(|| {
            let mut hold = exchange.memory().body(activity);
            hold.set_owed(true);
            hold
        });
        arrived_bytes <= hold.bytes() || hold.try_grow(memory::step(arrived_bytes, wanted_bytes))
    }

    /// Waits for more of a request.
    async fn read(&mut self, arrived: &mut Vec<u8>) -> io::Result<Progress> {
        if arrived.is_empty() && self.connection.is_stopping() {
            return self.close().await;
        }
        if let Some(rest) = self.part.as_ref().and_then(|part| part.crumbs.rest()) {
            tokio::select! {
                () = self.connection.clock.sleep(rest) => {}
                interruption = self.connection.interruptions.next() => {
                    return self.interrupt(interruption, arrived).await;
                }
            }
        }
        tokio::select! {
            // A request that is there is answered, whatever else has come.
            biased;
            count = self.stream.read_buf(arrived) => {
                let count = count?;
                if let Some(part) = &mut self.part {
                    self.connection.activity.note_moved(count);
                    part.crumbs.note(count, self.connection.clock.now_millis());
                }
                Ok(if count == 0 { Progress::ClientEnds } else { Progress::Made })
            }
            interruption = self.connection.interruptions.next() => {
                self.interrupt(interruption, arrived).await
            }
        }
    }

    async fn interrupt(
        &mut self,
        interruption: Interruption,
        arrived: &[u8],
    ) -> io::Result<Progress> {
        match interruption {
            Interruption::Stopping if arrived.is_empty() => self.close().await,
            Interruption::Stopping => Ok(Progress::Made),
            Interruption::Stalled => Ok(Progress::Over),
        }
    }

    /// Looks at what has arrived, and finds out who sent it.
    fn look_at<'a>(&self, arrived: &'a [u8]) -> Arrival<'a, Sender> {
        let Connection { exchange, origin, .. } = &*self.connection;
        Arrival::of(arrived, |headers, body| {
            let headers = &HeaderList(headers);
            let request = Request { method: "POST", path: "/", query: "", headers, body };
            exchange.identify(&request, origin.peer)
        })
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

    /// Sends the answer to a request.
    async fn answer(&mut self, answer: &CallAnswer, request_id: RequestId) -> io::Result<Progress> {
        if handler::is_none(answer.status) {
            return Ok(Progress::Over);
        }
        let is_last = self.connection.is_stopping();
        let date = self.date.at(self.connection.clock.now_millis());
        self.leaving.clear();
        self.leaving.reserve(LEAVING_BYTES);
        write_head(&mut self.leaving, answer, &Circumstances { request_id, is_last, date });
        match self.write(&answer.body).await? {
            Progress::Made if is_last => self.close().await,
            progress => Ok(progress),
        }
    }

    /// Writes the head that is ready, and a body.
    async fn write(&mut self, body: &[u8]) -> io::Result<Progress> {
        let Connection { interruptions, activity, .. } = self.connection;
        if body.len() <= COPIED_BYTES_MAX {
            self.leaving.extend_from_slice(body);
            let mut parts = [IoSlice::new(&self.leaving)];
            return write_all(self.stream, interruptions, activity, &mut parts).await;
        }
        let mut parts = [IoSlice::new(&self.leaving), IoSlice::new(body)];
        write_all(self.stream, interruptions, activity, &mut parts).await
    }

    async fn close(&mut self) -> io::Result<Progress> {
        self.stream.shutdown().await?;
        Ok(Progress::Over)
    }
}

/// Waits for the answer to a call; none if the connection is broken before.
async fn unless_broken(
    call: Pin<&mut impl Future<Output = CallAnswer>>,
    stream: &TcpStream,
) -> Option<CallAnswer> {
    tokio::select! {
        biased;
        answer = call => Some(answer),
        () = broken(stream) => None,
    }
}

/// Makes room for the next read, which is to bring what has arrived to so many bytes.
fn make_room(arrived: &mut Vec<u8>, wanted_bytes: usize) {
    let expected_bytes = arrived.len().max(wanted_bytes);
    if arrived.capacity() > ARRIVED_BYTES_KEPT_MAX && expected_bytes < ARRIVED_BYTES {
        arrived.shrink_to(ARRIVED_BYTES);
    }
    let missing_bytes = wanted_bytes.saturating_sub(arrived.len());
    if arrived.capacity() - arrived.len() < missing_bytes.max(READ_BYTES_MIN) {
        arrived.reserve_exact(missing_bytes.max(ARRIVED_BYTES));
    }
}

/// Writes until nothing is left, or the client does not take it.
async fn write_all<S: Transport>(
    stream: &mut S,
    interruptions: &mut Interruptions,
    activity: &Arc<Activity>,
    mut parts: &mut [IoSlice<'_>],
) -> io::Result<Progress> {
    loop {
        tokio::select! {
            // Most answers are taken at once, and then nothing else is asked.
            biased;
            written = poll_fn(|context| poll_write_all(stream, context, activity, &mut parts)) => {
                return written.map(|()| Progress::Made);
            }
            interruption = interruption_under_way(interruptions, activity) => match interruption {
                // This answer is finished all the same.
                Interruption::Stopping => {}
                Interruption::Stalled => return Ok(Progress::Over),
            }
        }
    }
}

/// Waits for an interruption, while the client has not taken its answer.
async fn interruption_under_way(
    interruptions: &mut Interruptions,
    activity: &Arc<Activity>,
) -> Interruption {
    let _under_way = activity.under_way();
    interruptions.next().await
}

fn poll_write_all<S: Transport>(
    stream: &mut S,
    context: &mut Context<'_>,
    activity: &Activity,
    parts: &mut &mut [IoSlice<'_>],
) -> Poll<io::Result<()>> {
    while !parts.is_empty() {
        let count = ready!(stream.poll_send(context, parts))?;
        if count == 0 {
            return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
        }
        IoSlice::advance_slices(parts, count);
        if !parts.is_empty() {
            activity.note_moved(count);
        }
    }
    Pin::new(stream).poll_flush(context)
}
