//! The regular expressions of the service model, each as the text that a refusal shows and as a
//! function.

use std::fmt;

use crate::validate::table_name::is_of_pattern;

/// A regular expression.
pub(super) struct Pattern {
    text: &'static str,
    /// Whether a text is of the pattern, all of it.
    pub(super) matches: fn(&str) -> bool,
}

impl Pattern {
    /// `Member must satisfy regular expression pattern: …`
    pub(super) fn constraint(&self) -> String {
        format!("Member must satisfy regular expression pattern: {}", self.text)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

pub(super) const NAME: Pattern = Pattern { text: "[a-zA-Z0-9_.-]+", matches: is_of_pattern };

pub(super) const CLIENT_TOKEN: Pattern =
    Pattern { text: r"^[^\$]+$", matches: |text| !text.is_empty() && !text.contains('$') };

pub(super) const S3_BUCKET: Pattern =
    Pattern { text: r"^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$", matches: is_bucket };

pub(super) const ACCOUNT: Pattern = Pattern {
    text: "[0-9]{12}",
    matches: |text| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit()),
};

pub(super) const CSV_DELIMITER: Pattern = Pattern {
    text: r"[,;:|\t ]",
    matches: |text| matches!(text, "," | ";" | ":" | "|" | "\t" | " "),
};

pub(super) const CSV_HEADER: Pattern = Pattern {
    text: r"[\x20-\x21\x23-\x2B\x2D-\x7E]*",
    matches: |text| text.bytes().all(|byte| matches!(byte, 0x20..=0x7e) && !b"\",".contains(&byte)),
};

pub(super) const PAGE_TOKEN: Pattern = Pattern {
    text: "([0-9a-f]{16})+",
    matches: |text| !text.is_empty() && text.len() % 16 == 0 && text.bytes().all(is_lower_hex),
};

pub(super) const PRINTABLE: Pattern = Pattern {
    text: r"\p{Print}+",
    matches: |text| !text.is_empty() && text.bytes().all(|byte| matches!(byte, 0x20..=0x7e)),
};

pub(super) const ROLE_ARN: Pattern = Pattern {
    text: r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*",
    matches: |text| text.chars().all(is_of_role_arn),
};

/// At least two letters or digits, one at each end; `\w` is a letter, a digit or `_`.
fn is_bucket(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_end = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    bytes.len() >= 2 && is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inner)
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Every character but control characters and the last two of the basic plane.
fn is_of_role_arn(character: char) -> bool {
    matches!(character, '\r' | '\n' | '\t' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &Pattern, right: &[&str], wrong: &[&str]) {
        for text in right {
            assert!((pattern.matches)(text), "{text:?} is {pattern:?}");
        }
        for text in wrong {
            assert!(!(pattern.matches)(text), "{text:?} is not {pattern:?}");
        }
    }

    #[test]
    fn patterns_are_those_of_the_model() {
        check(&NAME, &["a-b_c.D9"], &["", "a b", "ä"]);
        check(&CLIENT_TOKEN, &["token"], &["", "a$b"]);
        check(
            &S3_BUCKET,
            &["ab", "my.bucket-1_2"],
            &["", "a", "-ab", "ab-", "a/b", "arn:aws:s3:::b"],
        );
        check(&ACCOUNT, &["000000000000"], &["", "1", "00000000000a", "0000000000000"]);
        check(&CSV_DELIMITER, &[",", "\t"], &["", ";;", "x"]);
        check(&CSV_HEADER, &["", "a b"], &["a,b", "\"", "ä"]);
        check(&PAGE_TOKEN, &["0123456789abcdef"], &["", "0123456789abcde", "0123456789ABCDEF"]);
        check(&PRINTABLE, &["my policy"], &["", "\n", "ä"]);
        check(&ROLE_ARN, &["", "arn:aws:iam::1:role/ä"], &["\u{1}"]);
    }
}
