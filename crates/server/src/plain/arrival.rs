//! Whether what has arrived is a plain request.

use std::mem::MaybeUninit;

use crate::call::Call;
use crate::call_headers::CallHeaders;

/// The headers of a plain request. SDKs send about ten, and some more with a proxy on the way.
const HEADERS_MAX: usize = 32;

/// Bytes of a plain request's line and headers. A head that comes in many pieces is read from its
/// beginning with each of them, so this also bounds that work.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Bytes of a plain request's body, which is put together in the buffer of its connection. A larger
/// one costs far more than its head anyway.
const BODY_BYTES_MAX: usize = 1024 * 1024;

/// What stands at the beginning of the bytes that have arrived.
#[derive(Debug)]
pub(super) enum Arrival<'a, S> {
    /// The beginning of the head of what may be a plain request.
    PartialHead,
    /// The head of what may be a plain request, of which so many bytes must have arrived to tell
    /// more.
    PartialBody { wanted_bytes: usize },
    /// A plain request, whole.
    Request(PlainRequest<'a, S>),
    /// Something else.
    Other,
}

/// A request that is plain.
#[derive(Debug)]
pub(super) struct PlainRequest<'a, S> {
    pub(super) call: Call<'a>,
    /// Whom it is meant for, if it says so.
    pub(super) host: Option<&'a [u8]>,
    /// What was found out about who sent it.
    pub(super) sender: S,
    /// The length of its head and body.
    pub(super) bytes: usize,
}

impl<'a, S> Arrival<'a, S> {
    /// Looks at the beginning of what has arrived. Of a request that is there as a whole, the
    /// headers and the body tell who sent it; the headers are gone afterwards.
    pub(super) fn of(
        arrived: &'a [u8],
        identify: impl FnOnce(&[httparse::Header<'a>], &'a [u8]) -> S,
    ) -> Arrival<'a, S> {
        let mut headers = [const { MaybeUninit::uninit() }; HEADERS_MAX];
        let mut request = httparse::Request::new(&mut []);
        match request.parse_with_uninit_headers(arrived, &mut headers) {
            Ok(httparse::Status::Complete(head_bytes)) => {
                Arrival::of_head(&request, head_bytes, arrived, identify).unwrap_or(Arrival::Other)
            }
            Ok(httparse::Status::Partial) if arrived.len() < HEAD_BYTES_MAX => Arrival::PartialHead,
            Ok(httparse::Status::Partial) | Err(_) => Arrival::Other,
        }
    }

    /// Looks further when the head is there; none if it is not that of a plain request.
    fn of_head(
        head: &httparse::Request<'_, 'a>,
        head_bytes: usize,
        arrived: &'a [u8],
        identify: impl FnOnce(&[httparse::Header<'a>], &'a [u8]) -> S,
    ) -> Option<Arrival<'a, S>> {
        if (head.method, head.path, head.version) != (Some("POST"), Some("/"), Some(1)) {
            return None;
        }
        let mut headers = CallHeaders::default();
        let Envelope { host, body_bytes } = note_headers(head.headers, &mut headers)?;
        headers.host = host;
        let bytes = head_bytes + body_bytes;
        let Some(body) = arrived.get(head_bytes..bytes) else {
            return Some(Arrival::PartialBody { wanted_bytes: bytes });
        };
        let call = Call::new(&headers, body)?;
        let sender = identify(head.headers, body);
        Some(Arrival::Request(PlainRequest { call, host, sender, bytes }))
    }
}

/// Whether looking again may tell more about a head whose end was not among the first bytes. A head
/// that comes byte by byte would otherwise be read from its beginning with each of them.
pub(super) fn is_worth_a_look(arrived: &[u8], seen_bytes: usize) -> bool {
    let new = arrived.get(seen_bytes.saturating_sub(2)..).unwrap_or_default();
    arrived.len() >= HEAD_BYTES_MAX
        || new.windows(2).any(|pair| pair == b"\n\n")
        || new.windows(3).any(|triple| triple == b"\n\r\n")
}

/// What the headers say apart from the call.
struct Envelope<'a> {
    host: Option<&'a [u8]>,
    body_bytes: usize,
}

/// Takes the headers into account; none if they ask for anything special or a page in a browser
/// does.
fn note_headers<'a>(
    headers: &[httparse::Header<'a>],
    noted: &mut CallHeaders<'a>,
) -> Option<Envelope<'a>> {
    let mut host = None;
    let mut body_bytes = None;
    for httparse::Header { name, value } in headers {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        match name.len() {
            4 if is("host") => {
                if host.replace(*value).is_some() {
                    return None;
                }
            }
            6 if is("expect") || is("origin") => return None,
            7 if is("upgrade") => return None,
            10 if is("connection") && !value.eq_ignore_ascii_case(b"keep-alive") => return None,
            14 if is("content-length") => {
                // Two lengths may be a trick to make us and somebody before us see different
                // requests.
                if body_bytes.replace(read_length(value)?).is_some() {
                    return None;
                }
            }
            14 if is("sec-fetch-site") => return None,
            17 if is("transfer-encoding") => return None,
            _ => noted.note(name, value),
        }
    }
    if noted.content_encoding.is_some() {
        return None;
    }
    Some(Envelope { host, body_bytes: body_bytes? })
}

/// Reads a length that is made of digits and within [`BODY_BYTES_MAX`].
fn read_length(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0, |length: usize, digit| {
        let value = digit.is_ascii_digit().then(|| usize::from(digit - b'0'))?;
        Some(length * 10 + value).filter(|length| *length <= BODY_BYTES_MAX)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What has arrived, from whomever.
    fn arrival(bytes: &[u8]) -> Arrival<'_, ()> {
        Arrival::of(bytes, |_, _| ())
    }

    /// A plain request with more header lines.
    fn request(lines: &str) -> String {
        format!(
            "POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: T\r\n\
             Content-Type: application/json\r\n{lines}\r\n{{}}"
        )
    }

    #[track_caller]
    fn assert_plain(bytes: &str) {
        match arrival(bytes.as_bytes()) {
            Arrival::Request(request) => assert_eq!(request.bytes, bytes.len(), "{bytes}"),
            other => panic!("{other:?}: {bytes}"),
        }
    }

    #[track_caller]
    fn assert_other(bytes: &str) {
        let arrival = arrival(bytes.as_bytes());
        assert!(matches!(arrival, Arrival::Other), "{arrival:?}: {bytes}");
    }

    #[test]
    fn what_sdks_send_is_plain() {
        assert_plain(&request("Content-Length: 2\r\n"));
        assert_plain(&request("content-length: 2\r\nconnection: Keep-Alive\r\n"));
        assert_plain(&request(
            "Content-Length: 2\r\nAccept-Encoding: gzip\r\nSec-Fetch-Mode: cors\r\n",
        ));
        assert_plain(&request("Content-Length:   0002  \r\n"));
        assert_plain("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    }

    #[test]
    fn special_wishes_are_not_plain() {
        for line in [
            "Transfer-Encoding: chunked",
            "transfer-encoding: identity",
            "Expect: 100-continue",
            "Upgrade: h2c",
            "Connection: close",
            "Connection: keep-alive, upgrade",
            "Content-Encoding: gzip",
            "Origin: http://localhost:3000",
            "Sec-Fetch-Site: same-origin",
            "Host: h",
            "Content-Length: 2",
            "Content-Length: 3",
        ] {
            assert_other(&request(&format!("Content-Length: 2\r\n{line}\r\n")));
            assert_other(&request(&format!("{line}\r\nContent-Length: 2\r\n")));
        }
    }

    #[test]
    fn a_length_that_is_not_plainly_a_number_is_not_plain() {
        let too_large = (BODY_BYTES_MAX + 1).to_string();
        for length in [
            "",
            "+2",
            "-2",
            "2,2",
            "2 2",
            "0x2",
            "two",
            "2\u{b2}",
            "99999999999999999999999",
            &too_large,
        ] {
            assert_other(&request(&format!("Content-Length: {length}\r\n")));
        }
        assert_other(&request(""));
    }

    #[test]
    fn another_method_version_path_or_media_type_is_not_plain() {
        let plain = request("Content-Length: 2\r\n");
        for (from, to) in [
            ("POST", "PUT"),
            ("POST", "post"),
            ("POST / ", "POST /path "),
            ("POST / ", "POST /?a=b "),
            ("POST / ", "POST http://h/ "),
            ("HTTP/1.1", "HTTP/1.0"),
            ("application/json", "text/plain"),
            ("Host:", "Host :"),
            ("Host: h", "Host: \0"),
            ("Host: h", "Host: h\r\n folded"),
        ] {
            assert_other(&plain.replacen(from, to, 1));
        }
        assert_other("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }

    #[test]
    fn many_or_long_headers_are_not_plain() {
        let lines = |count: usize| format!("Content-Length: 2\r\n{}", "a: b\r\n".repeat(count));
        assert_plain(&request(&lines(HEADERS_MAX - 4)));
        assert_other(&request(&lines(HEADERS_MAX - 3)));
        let endless = format!("POST / HTTP/1.1\r\na: {}", "b".repeat(HEAD_BYTES_MAX));
        assert_other(&endless);
    }

    #[test]
    fn the_end_of_a_head_is_seen_wherever_it_is_cut() {
        for end in ["\r\n\r\n", "\n\n", "\r\n\n", "\n\r\n"] {
            let head = format!("POST / HTTP/1.1\r\na: b{end}");
            for seen_bytes in 0..head.len() {
                let is_whole = arrival(&head.as_bytes()[..seen_bytes]);
                assert!(matches!(is_whole, Arrival::PartialHead), "{is_whole:?}");
                assert!(is_worth_a_look(head.as_bytes(), seen_bytes), "{head:?} {seen_bytes}");
            }
        }
        let endless = vec![b'a'; HEAD_BYTES_MAX];
        assert!(!is_worth_a_look(&endless[1..], 10));
        assert!(is_worth_a_look(&endless, 10));
    }

    proptest! {
        #[test]
        fn a_beginning_asks_for_no_more_than_the_request_has(
            body in "[a-z]{0,40}",
            padding in "[a-z]{0,40}",
            cut in any::<prop::sample::Index>(),
        ) {
            let length = body.len();
            let bytes = format!(
                "POST / HTTP/1.1\r\na: {padding}\r\nContent-Length: {length}\r\n\
                 Content-Type: application/json\r\n\r\n{body}"
            );
            let cut = cut.index(bytes.len());
            match arrival(&bytes.as_bytes()[..cut]) {
                Arrival::PartialHead => {}
                Arrival::PartialBody { wanted_bytes } => {
                    prop_assert!(cut < wanted_bytes && wanted_bytes <= bytes.len());
                }
                other => prop_assert!(false, "{other:?}"),
            }
        }

        #[test]
        fn a_damaged_request_is_never_read_beyond_its_body(
            place in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            rest in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let mut bytes = request("Content-Length: 2\r\n").into_bytes();
            let place = place.index(bytes.len());
            bytes[place] = byte;
            bytes.extend(rest);
            if let Arrival::Request(request) = arrival(&bytes) {
                // A change makes two digits of the length at most.
                let body = request.call.body;
                prop_assert!(body.len() <= 99);
                prop_assert_eq!(&bytes[request.bytes - body.len()..request.bytes], body);
            }
        }

        #[test]
        fn any_bytes_can_be_looked_at(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Arrival::Request(request) = arrival(&bytes) {
                prop_assert!(request.bytes <= bytes.len());
            }
        }
    }
}
