//! The `date` header.

use std::time::{Duration, UNIX_EPOCH};

/// The time of an answer as HTTP writes it. It is rewritten when its second is over, as writing it
/// costs more than the rest of an answer's head.
#[derive(Debug, Default)]
pub(super) struct DateText {
    second: Option<u64>,
    text: String,
}

impl DateText {
    /// The text at a time.
    pub(super) fn at(&mut self, now_millis: u64) -> &str {
        let second = now_millis / 1000;
        if self.second != Some(second) {
            self.second = Some(second);
            self.text = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second));
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_follows_the_time() {
        let mut date = DateText::default();
        assert_eq!(date.at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(date.at(784_111_777_000), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(date.at(784_111_777_999), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(date.at(784_111_778_000), "Sun, 06 Nov 1994 08:49:38 GMT");
    }
}
