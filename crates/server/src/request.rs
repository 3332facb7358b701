//! A request's body, whole and in one buffer.

use std::error::Error;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Body;
use hyper::header::EXPECT;
use hyper::http::request::Parts;
use monotable_database::off_worker;

use crate::call_headers::CallHeaders;
use crate::content_encoding;
use crate::crumbs::Crumbs;
use crate::limits::{BODY_BYTES_MAX, DISCARD_BYTES_MAX, DISCARD_PATIENCE};
use crate::memory::{self, BodyRoom, Hold, NoRoom};

/// Why a request has no body that can be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    /// It is larger than [`BODY_BYTES_MAX`], as sent or inflated.
    #[error("the body is larger than {BODY_BYTES_MAX} bytes")]
    TooLarge,
    /// There was no memory for it.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// It did not arrive, or not in the form that its headers say.
    #[error("the body cannot be read: {0}")]
    Broken(#[source] Box<dyn Error + Send + Sync>),
}

/// A body that has arrived.
pub(crate) struct RequestBody<'m> {
    /// The body as it was sent.
    pub(crate) bytes: Bytes,
    /// Its memory.
    room: BodyRoom<'m>,
}

impl RequestBody<'_> {
    /// The body as it was sent.
    pub(crate) fn settle(self) -> (Bytes, Hold) {
        let hold = self.room.settle(self.bytes.len());
        (self.bytes, hold)
    }

    /// The body as it is meant.
    pub(crate) async fn inflate(
        mut self,
        headers: &CallHeaders<'_>,
    ) -> Result<(Bytes, Hold), BodyError> {
        if headers.content_encoding.is_none() {
            return Ok(self.settle());
        }
        // A body in gzip may be a thousand times as large when it is read.
        self.room.grow(BODY_BYTES_MAX).await?;
        let inflate = || content_encoding::inflate(headers, self.bytes);
        let bytes = off_worker::run(usize::MAX, inflate)?;
        let hold = self.room.settle(bytes.len());
        Ok((bytes, hold))
    }
}

/// Reads a body to its end, as it is sent.
pub(crate) async fn read_body<'m, B>(
    head: &Parts,
    mut body: B,
    mut room: BodyRoom<'m>,
) -> Result<RequestBody<'m>, BodyError>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    let announced = body.size_hint().lower();
    if announced > BODY_BYTES_MAX as u64 {
        // A client that asks before it sends its body has not sent it yet.
        if !head.headers.contains_key(EXPECT) {
            discard(body, 0, &room).await;
        }
        return Err(BodyError::TooLarge);
    }
    if let Err(no_room) = room.grow(head_bytes(head)).await {
        discard(body, 0, &room).await;
        return Err(no_room.into());
    }
    room.set_owed(true);
    let Some(first) = next_piece(&mut body).await? else {
        return Ok(RequestBody { bytes: Bytes::new(), room });
    };
    let whole = if body.is_end_stream() { first } else { join(first, body, &mut room).await? };
    room.set_owed(false);
    Ok(RequestBody { bytes: whole, room })
}

/// About how much memory the head of a request takes.
fn head_bytes(head: &Parts) -> usize {
    let headers = head.headers.iter();
    headers.map(|(name, value)| name.as_str().len() + value.len() + 64).sum::<usize>() + 1024
}

/// Joins the pieces of a body. Most bodies are one piece and never come here.
async fn join<B>(first: Bytes, mut body: B, room: &mut BodyRoom<'_>) -> Result<Bytes, BodyError>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    let upper = body.size_hint().upper().and_then(|bytes| usize::try_from(bytes).ok());
    let announced = first.len() + upper.unwrap_or(BODY_BYTES_MAX).min(BODY_BYTES_MAX);
    let mut whole = BytesMut::new();
    let mut crumbs = Crumbs::new();
    let mut next = Some(first);
    while let Some(piece) = next {
        if whole.len() + piece.len() > BODY_BYTES_MAX {
            discard(body, whole.len() + piece.len(), room).await;
            return Err(BodyError::TooLarge);
        }
        let bytes = whole.len() + piece.len();
        if bytes > whole.capacity() {
            let step = memory::step(bytes, announced.min(BODY_BYTES_MAX));
            if let Err(no_room) = room.grow(step).await {
                drop((whole, piece));
                room.release();
                discard(body, bytes, room).await;
                return Err(no_room.into());
            }
            whole.reserve(step - whole.len());
        }
        whole.extend_from_slice(&piece);
        crumbs.note(piece.len(), room.now_millis());
        if let Some(rest) = crumbs.rest() {
            room.rest(rest).await;
        }
        next = next_piece(&mut body).await?;
    }
    Ok(whole.freeze())
}

async fn next_piece<B>(body: &mut B) -> Result<Option<Bytes>, BodyError>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| BodyError::Broken(error.into()))?;
        if let Ok(piece) = frame.into_data() {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

/// Reads on to the end of a body that is not taken, or until even that is too much, so that a
/// client which writes its whole request before it reads can see why. One that writes nothing more
/// waits for the answer, or is not worth waiting for.
async fn discard<B>(mut body: B, mut read_bytes: usize, room: &BodyRoom<'_>)
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    while read_bytes <= DISCARD_BYTES_MAX {
        tokio::select! {
            biased;
            piece = next_piece(&mut body) => match piece {
                Ok(Some(piece)) => read_bytes += piece.len(),
                Ok(None) | Err(_) => return,
            },
            () = room.rest(DISCARD_PATIENCE) => return,
        }
    }
}
