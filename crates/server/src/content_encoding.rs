//! gzip, both ways.

use std::io::{Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::call_headers::{CallHeaders, text};
use crate::limits::BODY_BYTES_MAX;
use crate::request::BodyError;

/// The one encoding that is spoken.
pub(crate) const GZIP: &str = "gzip";

/// Answers below this size go out as they are: they fit into one packet anyway.
const COMPRESSED_BYTES_MIN: usize = 1024;

/// The body that the client meant. Its size is bounded, however small the body was when it came.
///
/// Bytes that are not gzip though the header says so are handed on: they are no JSON either, and
/// that is what DynamoDB complains about.
pub(crate) fn inflate(request: &CallHeaders<'_>, body: Bytes) -> Result<Bytes, BodyError> {
    if body.is_empty() || !is_gzip(request) {
        return Ok(body);
    }
    let mut inflated = Vec::new();
    let bound = BODY_BYTES_MAX as u64 + 1;
    match MultiGzDecoder::new(body.as_ref()).take(bound).read_to_end(&mut inflated) {
        Ok(_) if inflated.len() > BODY_BYTES_MAX => Err(BodyError::TooLarge),
        Ok(_) => Ok(Bytes::from(inflated)),
        Err(_) => Ok(body),
    }
}

fn is_gzip(request: &CallHeaders<'_>) -> bool {
    let encoding = request.content_encoding.and_then(text);
    encoding.is_some_and(|encoding| encoding.trim().eq_ignore_ascii_case(GZIP))
}

/// The answer's bytes in gzip, if that is worth while.
pub(crate) fn deflate(body: &[u8]) -> Option<Vec<u8>> {
    if body.len() < COMPRESSED_BYTES_MIN {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

/// Whether a list of encodings, as in `Accept-Encoding`, has gzip.
pub(crate) fn lists_gzip(list: &[u8]) -> bool {
    text(list).is_some_and(|list| list.split(',').any(accepted_is_gzip))
}

/// Whether one entry of the list is gzip, with a weight that is not zero.
fn accepted_is_gzip(entry: &str) -> bool {
    let mut parts = entry.split(';').map(str::trim);
    let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(GZIP));
    let weight = parts.find_map(|part| part.strip_prefix("q=")).unwrap_or("1");
    is_gzip && weight.trim().parse::<f32>().is_ok_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compress(bytes: &[u8]) -> Bytes {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        Bytes::from(encoder.finish().unwrap())
    }

    fn gzip_headers() -> CallHeaders<'static> {
        let mut headers = CallHeaders::default();
        headers.note("content-encoding", b"gzip");
        headers
    }

    #[test]
    fn a_list_of_encodings_names_gzip_or_not() {
        for (list, expected) in [
            ("gzip", true),
            ("deflate, gzip;q=1.0, *;q=0.5", true),
            ("GZIP", true),
            ("gzip; q=0.1", true),
            ("gzip;q=0", false),
            ("gzip;q=x", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(lists_gzip(list.as_bytes()), expected, "{list}");
        }
    }

    #[test]
    fn a_body_that_inflates_beyond_the_limit_is_too_large() {
        let fits = vec![b' '; BODY_BYTES_MAX];
        assert_eq!(inflate(&gzip_headers(), compress(&fits)).unwrap(), fits);
        let bomb = compress(&vec![b' '; BODY_BYTES_MAX + 1]);
        assert!(bomb.len() < 20_000);
        assert!(matches!(inflate(&gzip_headers(), bomb), Err(BodyError::TooLarge)));
    }

    #[test]
    fn what_is_not_gzip_is_handed_on() {
        let body = Bytes::from_static(b"no gzip");
        assert_eq!(inflate(&gzip_headers(), body.clone()).unwrap(), body);
        let compressed = compress(b"{}");
        assert_eq!(inflate(&CallHeaders::default(), compressed.clone()).unwrap(), compressed);
    }

    #[test]
    fn small_answers_are_not_compressed() {
        assert_eq!(deflate(&[b' '; COMPRESSED_BYTES_MIN - 1]), None);
        let compressed = deflate(&[b' '; COMPRESSED_BYTES_MIN]).unwrap();
        let inflated = inflate(&gzip_headers(), Bytes::from(compressed)).unwrap();
        assert_eq!(inflated, vec![b' '; COMPRESSED_BYTES_MIN]);
    }
}
