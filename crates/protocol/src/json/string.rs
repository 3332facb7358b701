//! The inside of JSON strings: which bytes stand for themselves, and what escapes mean.

/// One in each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; 8]);
/// The highest bit of each byte of a word.
const HIGH_BITS: u64 = ONES << 7;

/// How long a text is that two words cover.
const TWO_WORDS_BYTES: usize = 16;
/// Bytes that are tested at once in a long text. The compiler makes vector instructions of it.
const BLOCK_BYTES: usize = 32;

/// How many leading bytes stand for themselves in a JSON string: all up to the first quote,
/// backslash or control character.
///
/// Most texts are names and end within a word or two. Longer ones are searched by blocks up to the
/// block with the end, and then by words.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let Some((first, rest)) = bytes.split_first_chunk::<8>() else {
        return plain_len_by_words(bytes);
    };
    let hits = special_bytes(u64::from_le_bytes(*first));
    if hits != 0 {
        return first_byte(hits);
    }
    8 + plain_len_after_a_word(rest)
}

fn plain_len_after_a_word(bytes: &[u8]) -> usize {
    let Some((second, rest)) = bytes.split_first_chunk::<8>() else {
        return plain_len_by_words(bytes);
    };
    let hits = special_bytes(u64::from_le_bytes(*second));
    if hits != 0 {
        return first_byte(hits);
    }
    let (blocks, _) = rest.as_chunks::<BLOCK_BYTES>();
    let plain_blocks = blocks.iter().take_while(|block| !has_special(block)).count();
    let rest = rest.get(plain_blocks * BLOCK_BYTES..).unwrap_or_default();
    8 + plain_blocks * BLOCK_BYTES + plain_len_by_words(rest)
}

fn plain_len_by_words(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let hits = special_bytes(u64::from_le_bytes(*word));
        if hits != 0 {
            return index * 8 + first_byte(hits);
        }
    }
    let tail = rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len());
    words.len() * 8 + tail
}

/// Whether all bytes stand for themselves in a JSON string.
///
/// Most texts are, and most are short. Asking this is cheaper than asking how long the plain part
/// is: words at the end may overlap those before, so that no text is searched byte by byte.
#[inline]
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if bytes.len() <= TWO_WORDS_BYTES => {
            (special_bytes(u64::from_le_bytes(*first)) | special_bytes(u64::from_le_bytes(*last)))
                == 0
        }
        (Some(_), Some(_)) => is_long_plain(bytes),
        (None, _) | (_, None) => special_bytes(short_word(bytes)) == 0,
    }
}

/// Whether a text of a word or more is plain.
fn is_long_plain(bytes: &[u8]) -> bool {
    let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
    let (words, _) = rest.as_chunks::<8>();
    let last = bytes.last_chunk::<8>().into_iter();
    let mut words = words.iter().chain(last).map(|word| u64::from_le_bytes(*word));
    !blocks.iter().any(has_special) && words.all(|word| special_bytes(word) == 0)
}

/// Fewer than eight bytes as a word: each is in it once or more, and nothing else that is special.
#[inline]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    bytes.iter().fold(ONES * b' ' as u64, |word, byte| word << 8 | u64::from(*byte))
}

/// Looks at every byte even after a hit, since a loop without exits is what vectorises.
fn has_special(block: &[u8; BLOCK_BYTES]) -> bool {
    block.iter().fold(0, |hits, byte| {
        hits | u8::from(*byte == b'"') | u8::from(*byte == b'\\') | u8::from(*byte < 0x20)
    }) != 0
}

/// Whether a byte ends a run of plain bytes.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..=0x1f)
}

/// Sets the high bit of each special byte of the word.
///
/// Bytes above a special one may be marked too, because the subtractions borrow from them; the
/// lowest mark is always right, and the lowest is the first byte of the text.
fn special_bytes(word: u64) -> u64 {
    let quotes = zero_bytes(word ^ (ONES * b'"' as u64));
    let backslashes = zero_bytes(word ^ (ONES * b'\\' as u64));
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    (quotes | backslashes | controls) & HIGH_BITS
}

/// Which byte of a word has the lowest mark.
fn first_byte(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

/// The character of a two-byte escape, given its second byte.
pub(super) fn short_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    })
}

/// The four hexadecimal digits of a `\u` escape as a UTF-16 unit.
pub(super) fn hex_unit(digits: &[u8]) -> Option<u16> {
    if digits.len() != 4 {
        return None;
    }
    digits.iter().try_fold(0, |unit: u16, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | digit as u16)
    })
}

/// The escape of a byte that does not stand for itself.
pub(super) fn escape_of(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        0x8 => b'b',
        0xc => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        control => {
            out.extend_from_slice(b"\\u00");
            out.extend([hex_digit(control >> 4), hex_digit(control & 0xf)]);
            return;
        }
    };
    out.extend([b'\\', short]);
}

fn hex_digit(nibble: u8) -> u8 {
    if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_len_agrees_with_a_byte_by_byte_search(bytes: Vec<u8>) {
            let expected = bytes.iter().position(|byte| is_special(*byte)).unwrap_or(bytes.len());
            prop_assert_eq!(plain_len(&bytes), expected);
            prop_assert_eq!(is_plain(&bytes), expected == bytes.len());
        }

        #[test]
        fn plain_len_finds_a_special_byte_at_every_place(
            prefix in "[a-z\u{80}-\u{ffff}]{0,90}",
            special in prop::sample::select(vec![b'"', b'\\', 0, 0x1f]),
        ) {
            let mut bytes = prefix.clone().into_bytes();
            prop_assert!(is_plain(&bytes));
            bytes.push(special);
            prop_assert!(!is_plain(&bytes));
            bytes.extend_from_slice(b"and more");
            prop_assert!(!is_plain(&bytes));
            prop_assert_eq!(plain_len(&bytes), prefix.len());
        }
    }
}
