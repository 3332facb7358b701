//! Request ids: `x-amzn-RequestId`, 52 characters of `0`–`9` and `A`–`V`.
//!
//! The first half tells the requests of one server apart, the second half is the server's own,
//! drawn when it starts. The first half is a count that has been scrambled: ids are unlike one
//! another at first sight, never repeat, and cost no system call.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The header of every answer that has the id of its request.
pub(crate) const X_AMZN_REQUEST_ID: &str = "x-amzn-requestid";

/// Characters that hold 128 bits, five a character.
const HALF_CHARACTERS: usize = 26;

/// The id of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RequestId {
    request: u128,
    server: [u8; HALF_CHARACTERS],
}

/// Gives out the ids of one server.
#[derive(Debug)]
pub(crate) struct RequestIds {
    seeds: [u64; 2],
    /// The second half of all ids.
    server: [u8; HALF_CHARACTERS],
    count: AtomicU64,
}

impl RequestIds {
    /// The ids of a server that has drawn these random bits.
    pub(crate) fn new(server: u128) -> RequestIds {
        RequestIds { seeds: halves(server), server: base32(server), count: AtomicU64::new(0) }
    }

    /// An id that no other request of this server has.
    pub(crate) fn next(&self) -> RequestId {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let [high, low] = self.seeds.map(|seed| scramble(seed.wrapping_add(count)));
        RequestId { request: u128::from(high) << 64 | u128::from(low), server: self.server }
    }
}

fn halves(bits: u128) -> [u64; 2] {
    [(bits >> 64) as u64, bits as u64]
}

/// The output function of SplitMix64. It is one to one, so different counts stay different.
fn scramble(count: u64) -> u64 {
    let bits = count.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

impl RequestId {
    /// The bits that tell it from all other requests.
    pub(crate) fn bits(self) -> u128 {
        self.request
    }

    /// The value of the header.
    pub(crate) fn characters(self) -> [u8; 2 * HALF_CHARACTERS] {
        let mut characters = [0; 2 * HALF_CHARACTERS];
        let (request, server) = characters.split_at_mut(HALF_CHARACTERS);
        request.copy_from_slice(&base32(self.request));
        server.copy_from_slice(&self.server);
        characters
    }
}

fn base32(bits: u128) -> [u8; HALF_CHARACTERS] {
    let mut characters = [0; HALF_CHARACTERS];
    let mut rest = bits;
    for character in characters.iter_mut().rev() {
        let digit = (rest & 31) as u8;
        *character = if digit < 10 { b'0' + digit } else { b'A' + (digit - 10) };
        rest >>= 5;
    }
    characters
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.characters().iter().try_for_each(|character| write!(f, "{}", char::from(*character)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn an_id_has_52_digits_and_upper_case_letters() {
        for server in [0, 1, u128::MAX, 0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF] {
            let text = RequestIds::new(server).next().to_string();
            assert_eq!(text.len(), 52);
            assert!(text.chars().all(|c| matches!(c, '0'..='9' | 'A'..='V')), "{text}");
        }
    }

    #[test]
    fn half_an_id_is_128_bits_in_base_32() {
        for (bits, expected) in [
            (0, "00000000000000000000000000"),
            (u128::MAX, "7VVVVVVVVVVVVVVVVVVVVVVVVV"),
            (1 << 60, "00000000000001000000000000"),
            (0xABCD_EF01_2345_6789_ABCD_EF01_2345_6789, "5BPNNG28Q5CU4QNJFF04HKAPS9"),
        ] {
            assert_eq!(str::from_utf8(&base32(bits)).unwrap(), expected, "{bits:x}");
        }
    }

    #[test]
    fn ids_of_one_server_differ_in_their_first_half_alone() {
        let ids = RequestIds::new(7);
        let texts: Vec<String> = (0..10_000).map(|_| ids.next().to_string()).collect();
        assert_eq!(texts.iter().map(|text| &text[..26]).collect::<HashSet<_>>().len(), 10_000);
        assert_eq!(texts.iter().map(|text| &text[26..]).collect::<HashSet<_>>().len(), 1);
    }
}
