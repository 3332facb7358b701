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
use crate::limits::{BODY_BYTES_MAX, DISCARD_BYTES_MAX};

/// Why a request has no body that can be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    /// It is larger than [`BODY_BYTES_MAX`], as sent or inflated.
    #[error("the body is larger than {BODY_BYTES_MAX} bytes")]
    TooLarge,
    /// It did not arrive, or not in the form that its headers say.
    #[error("the body cannot be read: {0}")]
    Broken(#[source] Box<dyn Error + Send + Sync>),
}

/// Reads a body to its end, as it is sent.
pub(crate) async fn read_body<B>(head: &Parts, mut body: B) -> Result<Bytes, BodyError>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    let announced = body.size_hint().lower();
    if announced > BODY_BYTES_MAX as u64 {
        // A client that asks before it sends its body has not sent it yet.
        if !head.headers.contains_key(EXPECT) {
            discard(body, 0).await;
        }
        return Err(BodyError::TooLarge);
    }
    let Some(first) = next_piece(&mut body).await? else { return Ok(Bytes::new()) };
    if body.is_end_stream() { Ok(first) } else { join(first, body).await }
}

/// Inflates a body that is compressed.
pub(crate) fn inflate(headers: &CallHeaders<'_>, sent: Bytes) -> Result<Bytes, BodyError> {
    // A body in gzip may be a thousand times as large when it is read.
    let inflated_bytes = if headers.content_encoding.is_some() { usize::MAX } else { 0 };
    off_worker::run(inflated_bytes, || content_encoding::inflate(headers, sent))
}

/// Joins the pieces of a body. Most bodies are one piece and never come here.
async fn join<B>(first: Bytes, mut body: B) -> Result<Bytes, BodyError>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    let rest = usize::try_from(body.size_hint().lower()).unwrap_or(0).min(BODY_BYTES_MAX);
    let mut whole = BytesMut::with_capacity(first.len() + rest);
    let mut next = Some(first);
    while let Some(piece) = next {
        if whole.len() + piece.len() > BODY_BYTES_MAX {
            discard(body, whole.len() + piece.len()).await;
            return Err(BodyError::TooLarge);
        }
        whole.extend_from_slice(&piece);
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

/// Reads on to the end of a body that is too large, or until even that is too much.
async fn discard<B>(mut body: B, mut read_bytes: usize)
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    while read_bytes <= DISCARD_BYTES_MAX {
        match next_piece(&mut body).await {
            Ok(Some(piece)) => read_bytes += piece.len(),
            Ok(None) | Err(_) => return,
        }
    }
}
