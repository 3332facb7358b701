//! A connection as if nothing of it had been read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use monotable_database::Clock;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::activity::Activity;
use crate::crumbs::Crumbs;
use crate::memory::Hold;

/// Bytes that have arrived already, then the stream that they came from. What moves is counted.
pub(crate) struct Replay<S> {
    arrived: Bytes,
    /// Memory of what has arrived, until it is taken.
    hold: Option<Hold>,
    stream: S,
    activity: Arc<Activity>,
    pacing: Pacing,
}

/// Rests while a head comes in crumbs. It would be read from its beginning with each of them.
struct Pacing {
    clock: Arc<dyn Clock>,
    crumbs: Crumbs,
    /// How many requests had arrived at the last read.
    arrived: u64,
    rest: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Pacing {
    /// Waits for the end of a rest.
    fn poll_rested(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(rest) = &mut self.rest {
            ready!(rest.as_mut().poll(context));
            self.rest = None;
        }
        Poll::Ready(())
    }

    /// Notes what a read brought. While a request is under way, small reads are nothing special: an
    /// HTTP/2 client sends small frames, and the body is looked after by whoever reads it.
    fn note(&mut self, bytes: usize, activity: &Activity) {
        let arrived = activity.arrived();
        if arrived != self.arrived || activity.is_under_way() {
            (self.arrived, self.crumbs) = (arrived, Crumbs::new());
            return;
        }
        self.crumbs.note(bytes, self.clock.now_millis());
        self.rest = self.crumbs.rest().map(|rest| self.clock.sleep(rest));
    }
}

impl<S> Replay<S> {
    pub(crate) fn new(
        arrived: Bytes,
        hold: Option<Hold>,
        stream: S,
        activity: Arc<Activity>,
        clock: Arc<dyn Clock>,
    ) -> Replay<S> {
        let crumbs = Crumbs::new();
        let pacing = Pacing { clock, crumbs, arrived: activity.arrived(), rest: None };
        Replay { arrived, hold, stream, activity, pacing }
    }

    fn count(&self, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = &sent {
            self.activity.note_moved(*count);
        }
        sent
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Replay<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.arrived.has_remaining() {
            let count = self.arrived.len().min(buffer.remaining());
            buffer.put_slice(&self.arrived.split_to(count));
            if self.arrived.is_empty() {
                self.arrived = Bytes::new();
                self.hold = None;
            }
            return Poll::Ready(Ok(()));
        }
        ready!(self.pacing.poll_rested(context));
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let count = buffer.filled().len() - before;
        let Replay { activity, pacing, .. } = &mut *self;
        activity.note_moved(count);
        pacing.note(count, activity);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Replay<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count(sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.count(sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
