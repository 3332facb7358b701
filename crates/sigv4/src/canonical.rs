//! The one text that stands for a request.
//!
//! ```text
//! POST                                     method
//! /                                        path, without dots and double slashes, encoded again
//!                                          query, its parameters decoded, encoded and sorted
//! host:db.example                          signed headers, their values without needless spaces
//! x-amz-date:20150830T123600Z
//!
//! host;x-amz-date                          names of the signed headers
//! 44136fa3…                                hash of the body
//! ```

use crate::request::{Headers, Request};
use crate::scope::Scope;
use crate::timestamp::Timestamp;
use crate::{ALGORITHM, hex, percent};

/// The parameter of a presigned request that cannot be part of what is signed.
pub(crate) const SIGNATURE_PARAMETER: &str = "X-Amz-Signature";

/// Room for the text of a usual request.
const TEXT_BYTES: usize = 1024;

/// What is signed of a request in the end: the time, the scope and the hash of the canonical text.
pub(crate) fn string_to_sign<H: Headers + ?Sized>(
    request: &Request<'_, H>,
    signed_headers: &str,
    timestamp: Timestamp,
    scope: &Scope<'_>,
) -> Vec<u8> {
    let mut text = Vec::with_capacity(TEXT_BYTES);
    write_request(&mut text, request, signed_headers);
    let hash = hex::encode(&hex::sha256(&text));
    text.clear();
    write_line(&mut text, ALGORITHM.as_bytes());
    write_line(&mut text, &timestamp.characters());
    scope.write(&mut text);
    text.push(b'\n');
    text.extend_from_slice(&hash);
    text
}

/// Writes the canonical text of a request.
fn write_request<H: Headers + ?Sized>(
    out: &mut Vec<u8>,
    request: &Request<'_, H>,
    signed_headers: &str,
) {
    write_line(out, request.method.as_bytes());
    write_path(out, request.path);
    out.push(b'\n');
    write_query(out, request.query);
    out.push(b'\n');
    for name in signed_headers.split(';') {
        write_header(out, name, request.headers);
    }
    out.push(b'\n');
    write_lower_case(out, signed_headers);
    out.push(b'\n');
    // DynamoDB hashes what has arrived, whatever X-Amz-Content-Sha256 says. So a body that was put
    // in the place of another is found out, and a body that was left out of the signature too.
    out.extend_from_slice(&hex::encode(&hex::sha256(request.body)));
}

fn write_line(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(text);
    out.push(b'\n');
}

fn write_lower_case(out: &mut Vec<u8>, text: &str) {
    out.extend(text.bytes().map(|byte| byte.to_ascii_lowercase()));
}

/// Writes a path whose segments are encoded a second time: services other than S3 want it so.
fn write_path(out: &mut Vec<u8>, path: &str) {
    if path == "/" {
        return out.push(b'/');
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    for segment in &segments {
        out.push(b'/');
        percent::encode(out, segment.as_bytes());
    }
    let ends_in_slash = matches!(path.rsplit('/').next(), Some("" | "." | ".."));
    if segments.is_empty() || ends_in_slash {
        out.push(b'/');
    }
}

/// Writes the parameters of a query in the order of their names, then of their values.
fn write_query(out: &mut Vec<u8>, query: &str) {
    if query.is_empty() {
        return;
    }
    let parts = query.split('&').filter(|part| !part.is_empty());
    let parts = parts.map(|part| part.split_once('=').unwrap_or((part, "")));
    let parts = parts.map(|(name, value)| (encode_again(name), encode_again(value)));
    let mut parameters: Vec<(Vec<u8>, Vec<u8>)> = parts.collect();
    parameters.retain(|(name, _)| name != SIGNATURE_PARAMETER.as_bytes());
    parameters.sort_unstable();
    for (index, (name, value)) in parameters.iter().enumerate() {
        if index > 0 {
            out.push(b'&');
        }
        out.extend_from_slice(name);
        out.push(b'=');
        out.extend_from_slice(value);
    }
}

/// A part of a query, encoded by the rules of signatures and not by those of whoever sent it.
fn encode_again(text: &str) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(text.len());
    percent::encode(&mut encoded, &percent::decode(text));
    encoded
}

fn write_header<H: Headers + ?Sized>(out: &mut Vec<u8>, name: &str, headers: &H) {
    write_lower_case(out, name);
    out.push(b':');
    for (index, value) in headers.values(name).enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_value(out, value);
    }
    out.push(b'\n');
}

/// Writes a value without spaces around it, and with single ones in it.
fn write_value(out: &mut Vec<u8>, value: &[u8]) {
    // Most values have no spaces at all, and that is seen many bytes at a time.
    if value.iter().fold(true, |all, byte| all & (*byte > b' ')) {
        return out.extend_from_slice(value);
    }
    let value = value.trim_ascii();
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let is_tidy = !value.iter().any(|byte| is_space(byte) && *byte != b' ')
        && !value.windows(2).any(|pair| pair == b"  ");
    if is_tidy {
        return out.extend_from_slice(value);
    }
    for (index, word) in value.split(is_space).filter(|word| !word.is_empty()).enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn paths_lose_dots_and_double_slashes_and_are_encoded_again() {
        for (path, expected) in [
            ("/", "/"),
            ("", "/"),
            ("//", "/"),
            ("/example/..", "/"),
            ("/example1/example2/../..", "/"),
            ("/./", "/"),
            ("/./example", "/example"),
            ("//example//", "/example/"),
            ("/a/b/..", "/a/"),
            ("/..", "/"),
            ("/a b/", "/a%20b/"),
            ("/a%20b", "/a%2520b"),
            ("/_monotable/clock", "/_monotable/clock"),
        ] {
            assert_eq!(written(|out| write_path(out, path)), expected, "{path}");
        }
    }

    #[test]
    fn parameters_are_sorted_by_what_they_are_encoded_as() {
        for (query, expected) in [
            ("", ""),
            ("b=2&a=1&a=0", "a=0&a=1&b=2"),
            ("Param-3=x&Param=y&%E1%88%B4=z", "%E1%88%B4=z&Param=y&Param-3=x"),
            ("name", "name="),
            ("&&a=b=c&", "a=b%3Dc"),
            ("a=%2f%7E&X-Amz-Signature=abc", "a=%2F~"),
        ] {
            assert_eq!(written(|out| write_query(out, query)), expected, "{query}");
        }
    }

    #[test]
    fn values_lose_needless_spaces() {
        for (value, expected) in [
            ("value", "value"),
            (" a b ", "a b"),
            ("\"a   b   c\"", "\"a b c\""),
            ("a\tb\n  c", "a b c"),
            ("", ""),
            ("  ", ""),
        ] {
            let written = written(|out| write_value(out, value.as_bytes()));
            assert_eq!(written, expected, "{value:?}");
        }
    }
}
