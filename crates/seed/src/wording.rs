//! Texts of sample data: words, addresses, identifiers.

use super::random::Random;

const WORDS: [&str; 40] = [
    "amber", "anchor", "apple", "birch", "bridge", "canyon", "cedar", "cloud", "copper", "coral",
    "delta", "ember", "falcon", "field", "forest", "garden", "harbor", "hazel", "island", "ivory",
    "jade", "lantern", "lemon", "lotus", "maple", "meadow", "mesa", "olive", "orchid", "pearl",
    "pine", "prairie", "quartz", "raven", "river", "saffron", "silver", "summit", "violet",
    "willow",
];

const CROCKFORD: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HEXADECIMAL: &str = "0123456789abcdef";
/// KSUIDs count seconds from here.
const KSUID_EPOCH_SECS: u64 = 1_400_000_000;

/// A word.
pub(super) fn word(random: &mut Random) -> &'static str {
    random.pick(&WORDS).copied().unwrap_or("amber")
}

/// Words of about so many bytes.
pub(super) fn words(random: &mut Random, bytes: usize) -> String {
    let mut text = word(random).to_owned();
    while text.len() < bytes {
        text.push(' ');
        text.push_str(word(random));
    }
    text
}

/// A name that only the thing of this number has, within this many bytes.
pub(super) fn name(random: &mut Random, number: u64, bytes_max: Option<usize>) -> String {
    let number = number.to_string();
    let room = bytes_max.map_or(usize::MAX, |bytes| bytes.saturating_sub(number.len()));
    let word: String = word(random).chars().take(room).collect();
    word + &number
}

/// A number in the digits of an alphabet, of this width.
pub(super) fn written(alphabet: &[char], width: usize, mut number: u128) -> String {
    let base = u128::try_from(alphabet.len()).unwrap_or(1).max(1);
    let mut digits: Vec<char> = Vec::with_capacity(width);
    for _ in 0..width {
        let digit = usize::try_from(number % base).unwrap_or(0);
        digits.extend(alphabet.get(digit));
        number /= base;
    }
    digits.into_iter().rev().collect()
}

fn written_in(alphabet: &str, width: usize, number: u128) -> String {
    written(&alphabet.chars().collect::<Vec<_>>(), width, number)
}

fn wide(random: &mut Random) -> u128 {
    (u128::from(random.next()) << 64) | u128::from(random.next())
}

/// A ULID of a second.
pub(super) fn ulid(random: &mut Random, epoch_secs: u64) -> String {
    let time = written_in(CROCKFORD, 10, u128::from(epoch_secs) * 1000);
    time + &written_in(CROCKFORD, 16, wide(random))
}

/// A KSUID of a second: 20 bytes, of which the first four are the time, in 27 digits.
pub(super) fn ksuid(random: &mut Random, epoch_secs: u64) -> String {
    let since = u32::try_from(epoch_secs.saturating_sub(KSUID_EPOCH_SECS)).unwrap_or(0);
    let payload = wide(random).to_be_bytes();
    let mut bytes: Vec<u8> = since.to_be_bytes().into_iter().chain(payload).collect();
    let alphabet: Vec<char> = BASE62.chars().collect();
    let mut digits: Vec<char> = Vec::new();
    for _ in 0..27 {
        let digit = divide(&mut bytes, 62);
        digits.extend(alphabet.get(digit));
    }
    digits.into_iter().rev().collect()
}

/// Divides a number of many bytes, and returns the remainder.
fn divide(bytes: &mut [u8], by: u32) -> usize {
    let mut remainder = 0u32;
    for byte in bytes {
        let value = remainder << 8 | u32::from(*byte);
        *byte = u8::try_from(value / by).unwrap_or(u8::MAX);
        remainder = value % by;
    }
    usize::try_from(remainder).unwrap_or(0)
}

/// A UUID of version 4.
pub(super) fn uuid(random: &mut Random) -> String {
    let digits = written_in(HEXADECIMAL, 32, wide(random));
    hyphenated(&digits, '4')
}

/// A UUID of version 7.
pub(super) fn uuid7(random: &mut Random, epoch_secs: u64) -> String {
    let time = written_in(HEXADECIMAL, 12, u128::from(epoch_secs) * 1000);
    hyphenated(&(time + &written_in(HEXADECIMAL, 20, wide(random))), '7')
}

/// 32 digits as a UUID: hyphens, the version, and the variant that all versions share.
fn hyphenated(digits: &str, version: char) -> String {
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if matches!(position, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        text.push(match position {
            12 => version,
            16 => 'a',
            _ => digit,
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use monotable_model::template::Template;

    use super::*;

    #[test]
    fn identifiers_are_those_that_templates_accept() {
        let mut random = Random::of(1, "identifiers");
        let second = 1_767_225_600;
        for (form, text) in [
            ("ulid", ulid(&mut random, second)),
            ("ksuid", ksuid(&mut random, second)),
            ("uuid", uuid(&mut random)),
            ("uuid7", uuid7(&mut random, second)),
        ] {
            let template = Template::parse(&format!("{{id:{form}}}")).unwrap();
            assert!(template.read_text(&text).is_ok(), "{form} {text}");
        }
    }

    #[test]
    fn identifiers_sort_by_their_time() {
        let mut random = Random::of(1, "identifiers");
        assert!(ulid(&mut random, 1_700_000_000) < ulid(&mut random, 1_700_000_001));
        assert!(ksuid(&mut random, 1_700_000_000) < ksuid(&mut random, 1_700_000_001));
        assert!(uuid7(&mut random, 1_700_000_000) < uuid7(&mut random, 1_700_000_001));
    }

    #[test]
    fn names_keep_their_number_when_there_is_little_room() {
        let mut random = Random::of(1, "names");
        assert_eq!(name(&mut random, 1234, Some(5)).len(), 5);
        assert!(name(&mut random, 1234, Some(5)).ends_with("1234"));
        assert_eq!(written(&['A', 'B'], 4, 5), "ABAB");
    }
}
