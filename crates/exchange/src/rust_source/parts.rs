//! Parts of keys. Each function gives nothing where the value cannot be written.

/// Text in which the delimiter and its escape character are replaced by codes that sort as they do.
pub fn text(text: &str, delimiter: char, escape: char) -> Option<String> {
    let smaller = delimiter.min(escape);
    let mut written = String::new();
    for character in text.chars() {
        if character == delimiter || character == escape {
            written.push(escape);
            written.push(if character == smaller { '0' } else { '1' });
        } else {
            written.push(character);
        }
    }
    raw(&written)
}

/// Text as it is.
pub fn raw(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Each character in lower case.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Each character in upper case.
pub fn upper(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).collect()
}

/// Lower case without white space.
pub fn slug(text: &str) -> String {
    fold(&text.chars().filter(|character| !character.is_whitespace()).collect::<String>())
}

/// Upper case with `_` for each white space character.
pub fn snake(text: &str) -> String {
    let underscored = |character: char| if character.is_whitespace() { '_' } else { character };
    upper(&text.chars().map(underscored).collect::<String>())
}

/// The characters from last to first.
pub fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// Each run of digits zero-padded to at least this width.
pub fn digits(text: &str, width: usize) -> String {
    let mut written = String::new();
    let mut run = String::new();
    for character in text.chars() {
        if character.is_ascii_digit() {
            run.push(character);
            continue;
        }
        if !run.is_empty() {
            written.push_str(&format!("{run:0>width$}"));
            run.clear();
        }
        written.push(character);
    }
    if !run.is_empty() {
        written.push_str(&format!("{run:0>width$}"));
    }
    written
}

/// A number from 0 on in this many digits, of which some follow the point.
pub fn number(value: i128, digits: u32, fraction: usize) -> Option<String> {
    if value < 0 || value >= 10_i128.checked_pow(digits)? {
        return None;
    }
    let mut written = format!("{value:0>width$}", width = digits as usize);
    if fraction > 0 {
        written.insert(digits as usize - fraction, '.');
    }
    Some(written)
}

/// A number with half of the range added.
pub fn offset(value: i128, digits: u32, fraction: usize) -> Option<String> {
    number(value.checked_add(10_i128.checked_pow(digits)? / 2)?, digits, fraction)
}

/// What is left of a total.
pub fn complement(total: i128, value: i128, digits: u32) -> Option<String> {
    if value < 0 { None } else { number(total - value, digits, 0) }
}

/// Each character replaced by its mirror image in an alphabet, which turns the order round.
pub fn descending(text: &str, alphabet: &str) -> String {
    let mirrored = |character: char| {
        let place = alphabet.chars().position(|known| known == character);
        place.and_then(|place| alphabet.chars().rev().nth(place)).unwrap_or(character)
    };
    text.chars().map(mirrored).collect()
}

/// A ULID in upper case.
pub fn ulid(text: &str) -> Option<String> {
    let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let is_valid = text.chars().count() == 26
        && text.chars().all(|character| alphabet.contains(character))
        && text.starts_with(['0', '1', '2', '3', '4', '5', '6', '7']);
    is_valid.then(|| text.to_owned())
}

/// A KSUID.
pub fn ksuid(text: &str) -> Option<String> {
    let is_valid = text.len() == 27
        && text.chars().all(|character| character.is_ascii_alphanumeric())
        && text <= "aWgEPTl1tmebfsQzFP4bxwgy80V";
    is_valid.then(|| text.to_owned())
}

/// A UUID in lower case; of version 7, if that is asked for.
pub fn uuid(text: &str, is_version_7: bool) -> Option<String> {
    let shape = if is_version_7 {
        "xxxxxxxx-xxxx-7xxx-vxxx-xxxxxxxxxxxx"
    } else {
        "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
    };
    let fits = |(character, place): (char, char)| match place {
        'x' => character.is_ascii_digit() || ('a'..='f').contains(&character),
        'v' => "89ab".contains(character),
        other => character == other,
    };
    let is_valid = text.chars().count() == 36 && text.chars().zip(shape.chars()).all(fits);
    is_valid.then(|| text.to_owned())
}

/// `0` or `1`.
pub fn flag(value: bool) -> Option<String> {
    Some(if value { "1" } else { "0" }.to_owned())
}

/// `MM/DD/YYYY` turned year first.
pub fn year_first(text: &str) -> Option<String> {
    let mut fields = text.split('/');
    let (month, day, year) = (fields.next()?, fields.next()?, fields.next()?);
    let widths = (month.len(), day.len(), year.len());
    super::calendar::Date::parse(&format!("{year}-{month}-{day}"))?;
    (widths == (2, 2, 4) && fields.next().is_none()).then(|| format!("{year}/{month}/{day}"))
}

/// A moment, from RFC 3339. Where a day is enough, a date will do.
pub fn moment(text: &str, takes_dates: bool) -> Option<super::calendar::Instant> {
    let date = if takes_dates { super::calendar::Date::parse(text) } else { None };
    let midnight = date.map(super::calendar::Instant::midnight);
    midnight.or_else(|| super::calendar::Instant::parse(text))
}

/// A moment, from a count of units since 1970, each of this many microseconds.
pub fn counted(count: i64, unit_micros: i64) -> Option<super::calendar::Instant> {
    super::calendar::Instant::from_micros(count.checked_mul(unit_micros)?)
}

/// The beginning of the RFC 3339 form in UTC, and what follows it.
pub fn timestamp(moment: super::calendar::Instant, kept: usize, end: &str) -> String {
    moment.write().chars().take(kept).collect::<String>() + end
}

/// The count of units since 1970.
pub fn epoch(moment: super::calendar::Instant, unit_micros: i64, digits: usize) -> Option<String> {
    let count = moment.micros().div_euclid(unit_micros);
    let written = format!("{count:0>digits$}");
    (count >= 0 && written.len() == digits).then_some(written)
}

/// The ISO week.
pub fn week(moment: super::calendar::Instant) -> Option<String> {
    let (year, week) = moment.date().iso_week()?;
    Some(format!("{year:04}-W{week:02}"))
}

/// The shard of a text by its FNV-1a hash of 64 bits.
pub fn hash(text: &str, count: u64) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step) % count
}

/// The shard of a text by the sum of its code points.
pub fn sum(text: &str, count: u64) -> u64 {
    text.chars().map(u64::from).sum::<u64>() % count
}

/// The shard of a whole number by what is left of it.
pub fn modulus(text: &str, count: u64) -> Option<u64> {
    let number: i128 = text.parse().ok()?;
    u64::try_from(number.rem_euclid(i128::from(count))).ok()
}
