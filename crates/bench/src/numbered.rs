//! Requests that differ in a number and in the time at which something expires, for tables of any
//! shape.
//!
//! A body is built with a [`number`] wherever the digits of the request's number belong, such as at
//! the end of a key. Digits have a fixed width, so they sort as the numbers do and the length of
//! the body never changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use crate::clock;
use crate::http::frame;
use crate::load::MakeRequest;

/// How many digits a number has.
const DIGITS: usize = 10;
/// What stands where the seconds since 1970 belong at which an item expires.
pub const EXPIRY: &str = "~EXPIRES~~";

/// What stands where a number belongs that no other request has, as a part of the content: a write
/// of what is there already may cost a server nothing. It is counted apart from the numbers of
/// requests, which start again with each flow.
pub const REVISION: &str = "~REVISION~";
/// The first revision, which has all digits.
const FIRST_REVISION: u64 = 1_000_000_000;

/// What stands where the number of a member of a request belongs: that of the request and so many
/// more.
pub fn number(member: u64) -> String {
    format!("~N{member:02}~~~~~~")
}

/// The text of a number, as it stands in requests.
pub fn digits(number: u64) -> String {
    format!("{number:0DIGITS$}")
}

/// How the numbers of requests become those in their bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Numbering {
    /// The numbers of items start again after this many; they never do if there is none.
    pub items: Option<u64>,
    /// Items expire so many seconds after they are sent.
    pub lifetime_secs: u64,
}

/// Makes requests for an operation out of a body with marks.
pub fn requests(host: &str, operation: &str, body: &Value, numbering: Numbering) -> MakeRequest {
    let bytes = frame(host, operation, &body.to_string());
    let slots: Vec<(usize, Slot)> = bytes
        .windows(DIGITS)
        .enumerate()
        .filter_map(|(offset, window)| Some((offset, read_slot(window)?)))
        .collect();
    let made = AtomicU64::new(0);
    Arc::new(move |number| {
        let revision = FIRST_REVISION + made.fetch_add(1, Ordering::Relaxed);
        fill(&bytes, &slots, Values { number, revision, numbering })
    })
}

/// What belongs at a place of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Number(u64),
    Revision,
    Expiry,
}

fn read_slot(window: &[u8]) -> Option<Slot> {
    let text = str::from_utf8(window).ok()?;
    if text == EXPIRY {
        return Some(Slot::Expiry);
    }
    if text == REVISION {
        return Some(Slot::Revision);
    }
    let member = text.strip_prefix("~N")?.strip_suffix("~~~~~~")?;
    Some(Slot::Number(member.parse().ok()?))
}

/// What goes into one request.
#[derive(Clone, Copy)]
struct Values {
    number: u64,
    revision: u64,
    numbering: Numbering,
}

fn fill(bytes: &[u8], slots: &[(usize, Slot)], values: Values) -> Vec<u8> {
    let Values { number, revision, numbering } = values;
    let item = numbering.items.map_or(number, |items| number % items);
    let mut filled = bytes.to_vec();
    for (offset, slot) in slots {
        let value = match slot {
            Slot::Number(member) => item + member,
            Slot::Revision => revision,
            Slot::Expiry => clock::epoch_seconds() + numbering.lifetime_secs,
        };
        let place = filled.get_mut(*offset..*offset + DIGITS);
        place.expect("slots lie within the request").copy_from_slice(digits(value).as_bytes());
    }
    filled
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body(request: &[u8]) -> Value {
        let text = str::from_utf8(request).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    #[test]
    fn marks_become_the_numbers_of_their_members() {
        let make = requests(
            "host",
            "PutItem",
            &json!([number(0), number(24), "~N0x~~~~~~"]),
            Numbering::default(),
        );
        assert_eq!(body(&make(7)), json!(["0000000007", "0000000031", "~N0x~~~~~~"]));
        assert_eq!(body(&make(123)), json!(["0000000123", "0000000147", "~N0x~~~~~~"]));
    }

    #[test]
    fn items_are_written_again_with_another_content() {
        let numbering = Numbering { items: Some(10), ..Numbering::default() };
        let make = requests("host", "PutItem", &json!([number(0), REVISION]), numbering);
        assert_eq!(body(&make(3)), json!(["0000000003", "1000000000"]));
        assert_eq!(body(&make(13)), json!(["0000000003", "1000000001"]));
        // A flow that starts again sends the same numbers, but not the same content.
        assert_eq!(body(&make(3)), json!(["0000000003", "1000000002"]));
    }

    #[test]
    fn items_expire_so_long_after_they_are_sent() {
        let numbering = Numbering { lifetime_secs: 100, ..Numbering::default() };
        let make = requests("host", "PutItem", &json!(EXPIRY), numbering);
        let before = clock::epoch_seconds();
        let expiry: u64 = body(&make(1)).as_str().unwrap().parse().unwrap();
        assert!((before + 100..=clock::epoch_seconds() + 100).contains(&expiry), "{expiry}");
    }
}
