//! What the headers of a request say about the call that it is.
//!
//! Requests come by two ways ([`crate::plain`] and [`crate::full`]), each with headers in a form of
//! its own. Both note them here, name by name, so that what they mean is decided in one place.

use hyper::HeaderMap;

use crate::content_encoding;

/// The headers of a call, as far as they matter. Of a header that occurs twice the first one
/// counts.
#[derive(Debug, Default)]
pub(crate) struct CallHeaders<'a> {
    /// `Content-Type`
    pub(crate) content_type: Option<&'a [u8]>,
    /// `Content-Encoding`
    pub(crate) content_encoding: Option<&'a [u8]>,
    /// `X-Amz-Target`
    target: Option<&'a [u8]>,
    /// `traceparent`
    pub(crate) trace_parent: Option<&'a [u8]>,
    /// Whether any `Accept-Encoding` lists gzip.
    pub(crate) accepts_gzip: bool,
    /// `Host`, or the authority that stands for it.
    pub(crate) host: Option<&'a [u8]>,
}

impl<'a> CallHeaders<'a> {
    /// Takes one header into account, in the order in which they were sent.
    pub(crate) fn note(&mut self, name: &str, value: &'a [u8]) {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        // Most headers are of no interest, and their length says so at once.
        match name.len() {
            4 if is("host") => self.host = self.host.or(Some(value)),
            11 if is("traceparent") => self.trace_parent = self.trace_parent.or(Some(value)),
            12 if is("x-amz-target") => self.target = self.target.or(Some(value)),
            12 if is("content-type") => self.content_type = self.content_type.or(Some(value)),
            15 if is("accept-encoding") => self.accepts_gzip |= content_encoding::lists_gzip(value),
            16 if is("content-encoding") => {
                self.content_encoding = self.content_encoding.or(Some(value));
            }
            _ => {}
        }
    }

    /// The name of the operation; empty where DynamoDB sees none.
    pub(crate) fn target(&self) -> &'a str {
        self.target.and_then(text).unwrap_or("")
    }
}

impl<'a> From<&'a HeaderMap> for CallHeaders<'a> {
    fn from(map: &'a HeaderMap) -> CallHeaders<'a> {
        let mut headers = CallHeaders::default();
        for (name, value) in map {
            headers.note(name.as_str(), value.as_bytes());
        }
        headers
    }
}

/// The value of a header, if it is text: HTTP lets other bytes pass, which mean nothing.
pub(crate) fn text(value: &[u8]) -> Option<&str> {
    // Looking at all bytes, whatever the first ones are, goes many at a time.
    let is_text = |all, byte: &u8| all & matches!(byte, b' '..=b'~' | b'\t');
    str::from_utf8(value).ok().filter(|_| value.iter().fold(true, is_text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_any_case_and_the_first_value_counts() {
        let mut headers = CallHeaders::default();
        for (name, value) in [
            ("X-AMZ-Target", "first"),
            ("x-amz-target", "second"),
            ("X-Amz-Tarpit", "another of this length"),
            ("CONTENT-type", "a"),
            ("content-type", "b"),
            ("Content-Encoding", "c"),
            ("content-encoding", "d"),
        ] {
            headers.note(name, value.as_bytes());
        }
        assert_eq!(headers.target(), "first");
        assert_eq!(headers.content_type, Some(b"a".as_slice()));
        assert_eq!(headers.content_encoding, Some(b"c".as_slice()));
        assert!(!headers.accepts_gzip);
    }

    #[test]
    fn any_list_of_encodings_may_name_gzip() {
        let mut headers = CallHeaders::default();
        for list in ["identity", "deflate, gzip", "br"] {
            headers.note("Accept-Encoding", list.as_bytes());
        }
        assert!(headers.accepts_gzip);
    }

    #[test]
    fn a_target_that_is_no_text_is_none() {
        for value in [b"GetItem\xff".as_slice(), b"Get\x01Item", "GetItém".as_bytes()] {
            let mut headers = CallHeaders::default();
            headers.note("X-Amz-Target", value);
            headers.note("X-Amz-Target", b"GetItem");
            assert_eq!(headers.target(), "");
        }
    }
}
