//! KSUIDs: ids that sort by the time they were made, to the second, and do not repeat.
//!
//! 20 bytes, 4 of time and 16 of chance, are written as 27 characters of base 62. Digits come
//! before upper case and upper case before lower case, so the texts sort as the bytes do.

use std::time::SystemTime;

use anyhow::Context;

/// Where the times of KSUIDs begin: 2014-05-13T16:53:20Z.
const EPOCH_SECS: u64 = 1_400_000_000;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// How many characters 20 bytes take.
const CHARACTERS: usize = 27;

/// Makes an id at a time.
pub fn generate(now: SystemTime) -> anyhow::Result<String> {
    let since_1970 = now.duration_since(SystemTime::UNIX_EPOCH)?.as_secs();
    let since_epoch = since_1970.checked_sub(EPOCH_SECS).context("the clock is before 2014")?;
    let seconds = u32::try_from(since_epoch).context("KSUIDs end in the year 2150")?;
    let mut chance = [0; 16];
    getrandom::fill(&mut chance).context("the system gives no random bytes")?;
    Ok(write(seconds, chance))
}

fn write(seconds: u32, chance: [u8; 16]) -> String {
    let mut bytes = [0; 20];
    let (time, rest) = bytes.split_at_mut(4);
    time.copy_from_slice(&seconds.to_be_bytes());
    rest.copy_from_slice(&chance);
    let mut text: Vec<char> = (0..CHARACTERS).map(|_| last_digit(&mut bytes)).collect();
    text.reverse();
    text.into_iter().collect()
}

/// Divides the number by 62, and returns the digit for what is left over.
fn last_digit(number: &mut [u8; 20]) -> char {
    let mut rest: u32 = 0;
    for byte in number {
        let dividend = (rest << 8) | u32::from(*byte);
        *byte = (dividend / 62) as u8;
        rest = dividend % 62;
    }
    char::from(DIGITS.get(rest as usize).copied().unwrap_or(b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_and_the_greatest_id_are_those_of_the_form() {
        assert_eq!(write(0, [0; 16]), "0".repeat(27));
        assert_eq!(write(u32::MAX, [255; 16]), "aWgEPTl1tmebfsQzFP4bxwgy80V");
    }

    #[test]
    fn later_ids_are_greater() {
        let seconds = [0, 1, 61, 62, 1 << 20, u32::MAX];
        let ids = seconds.map(|seconds| write(seconds, [7; 16]));
        assert!(ids.is_sorted());
        assert!(write(1, [255; 16]) < write(2, [0; 16]));
    }

    #[test]
    fn ids_of_one_moment_differ() {
        let now = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_767_441_600);
        assert_ne!(generate(now).unwrap(), generate(now).unwrap());
        assert!(generate(SystemTime::UNIX_EPOCH).is_err());
    }
}
