//! A file as it is sent.

use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The value of `Content-Type`.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Bytes,
    /// The same bytes, compressed.
    pub gzip: Bytes,
}

impl File {
    /// A file with its compressed form.
    pub(crate) fn new(media_type: &'static str, bytes: Bytes) -> File {
        let gzip = compressed(&bytes);
        File { media_type, bytes, gzip }
    }
}

fn compressed(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes all bytes");
    Bytes::from(encoder.finish().expect("memory takes all bytes"))
}
