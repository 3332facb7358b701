//! Appending JSON to a buffer.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use monotable_item::stored::Depth;

use super::string::{escape_of, is_plain, plain_len};

/// Writes one JSON value, front to back, into a buffer.
///
/// Commas take care of themselves: a value that follows another is separated from it, and one that
/// follows a name is not. The caller pairs each `begin` with its `end`.
#[derive(Debug, Default)]
pub struct Writer {
    out: Vec<u8>,
    /// Whether a comma must come before the next name or element.
    follows_value: bool,
    /// Where the next value lies in the stored item that is being written. It stands here and not
    /// in the arguments of what writes values, as all of these would pass it on for the few that
    /// are nested.
    pub(crate) depth: Depth,
}

impl Writer {
    /// A writer with room for a body of this size.
    pub fn with_capacity(bytes: usize) -> Writer {
        Writer { out: Vec::with_capacity(bytes), ..Writer::default() }
    }

    /// The JSON that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Starts an object.
    pub fn begin_object(&mut self) {
        self.begin(b'{');
    }

    /// Ends the innermost object.
    pub fn end_object(&mut self) {
        self.end(b'}');
    }

    /// Starts an array.
    pub fn begin_array(&mut self) {
        self.begin(b'[');
    }

    /// Ends the innermost array.
    pub fn end_array(&mut self) {
        self.end(b']');
    }

    /// Writes the name of a shape's member, which must be one that needs no escapes.
    pub fn member(&mut self, name: &'static str) {
        debug_assert!(is_plain(name.as_bytes()), "member names are plain");
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.follows_value = false;
    }

    /// Starts an object of one member whose head is known: `{"S":`.
    #[inline]
    pub(crate) fn begin_object_with(&mut self, head: &'static str) {
        self.separate();
        self.out.extend_from_slice(head.as_bytes());
        self.follows_value = false;
    }

    /// Writes an object of one member whose value is a string, given with its head: `{"S":"`. There
    /// is one for most values, so it is written in few pieces. The text must be UTF-8.
    #[inline]
    pub(crate) fn object_of_string(&mut self, head: &'static str, text: &[u8]) {
        self.separate();
        self.out.extend_from_slice(head.as_bytes());
        self.escaped(text);
        self.out.extend_from_slice(b"\"}");
        self.follows_value = true;
    }

    /// Writes the name of a map's entry, which must be UTF-8.
    #[inline]
    pub fn key(&mut self, name: impl AsRef<[u8]>) {
        self.separate();
        self.out.push(b'"');
        self.escaped(name.as_ref());
        self.out.extend_from_slice(b"\":");
        self.follows_value = false;
    }

    /// Writes a string, which must be UTF-8.
    ///
    /// Text of stored items comes as bytes that were checked when they were stored.
    pub fn string(&mut self, text: impl AsRef<[u8]>) {
        self.separate();
        self.out.push(b'"');
        self.escaped(text.as_ref());
        self.out.push(b'"');
        self.follows_value = true;
    }

    /// Writes bytes as a base64 string.
    pub fn base64(&mut self, bytes: &[u8]) {
        self.separate();
        self.out.push(b'"');
        let start = self.out.len();
        self.out.resize(start + bytes.len().div_ceil(3) * 4, 0);
        let space = self.out.get_mut(start..).unwrap_or_default();
        STANDARD.encode_slice(bytes, space).expect("the space is that of the encoded bytes");
        self.out.push(b'"');
        self.follows_value = true;
    }

    /// Writes a string of characters that need no escapes, such as a number's digits.
    pub fn plain_string(&mut self, text: impl std::fmt::Display) {
        self.separate();
        self.out.push(b'"');
        self.display(text);
        self.out.push(b'"');
        self.follows_value = true;
    }

    /// Writes an integer.
    pub fn integer(&mut self, integer: i64) {
        self.separate();
        self.display(integer);
        self.follows_value = true;
    }

    /// Writes a finite floating-point number, with a fraction even if it is whole: `1.0`, `0.5`.
    pub fn float(&mut self, float: f64) {
        debug_assert!(float.is_finite(), "JSON has no infinities");
        self.separate();
        self.display(format_args!("{float:?}"));
        self.follows_value = true;
    }

    /// Writes thousandths as a decimal, such as the milliseconds of a time in seconds.
    pub fn thousandths(&mut self, thousandths: i64) {
        self.separate();
        let sign = if thousandths < 0 { "-" } else { "" };
        let magnitude = thousandths.unsigned_abs();
        self.display(format_args!("{sign}{}.{:03}", magnitude / 1000, magnitude % 1000));
        self.follows_value = true;
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, boolean: bool) {
        self.separate();
        self.out.extend_from_slice(if boolean { b"true" } else { b"false" });
        self.follows_value = true;
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.separate();
        self.out.extend_from_slice(b"null");
        self.follows_value = true;
    }

    #[inline]
    fn begin(&mut self, open: u8) {
        self.separate();
        self.out.push(open);
        self.follows_value = false;
    }

    #[inline]
    fn end(&mut self, close: u8) {
        self.out.push(close);
        self.follows_value = true;
    }

    #[inline]
    fn separate(&mut self) {
        if self.follows_value {
            self.out.push(b',');
        }
    }

    fn display(&mut self, text: impl std::fmt::Display) {
        write!(self.out, "{text}").expect("writing to a vector cannot fail");
    }

    #[inline]
    fn escaped(&mut self, text: &[u8]) {
        if is_plain(text) { self.out.extend_from_slice(text) } else { self.with_escapes(text) }
    }

    #[cold]
    fn with_escapes(&mut self, mut text: &[u8]) {
        while let Some((plain, rest)) = text.split_at_checked(plain_len(text)) {
            self.out.extend_from_slice(plain);
            let Some((special, rest)) = rest.split_first() else { return };
            escape_of(*special, &mut self.out);
            text = rest;
        }
    }
}
