//! Numbers as people read them.

/// `1 row`, `2 rows`, `12,000 rows`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `512 bytes`, `1.2 MB`.
pub(super) fn bytes(number: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let unit = UNITS.iter().find(|(size, _)| number >= *size);
    let Some((size, name)) = unit else { return count(number, "byte") };
    let tenths = number / (size / 10);
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// Capacity units: whole ones, halves, or what an endpoint says.
pub(super) fn units(number: f64, noun: &str) -> String {
    let plural = if number == 1.0 { "" } else { "s" };
    format!("{number} {noun} unit{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_agree() {
        assert_eq!(count(1, "row"), "1 row");
        assert_eq!(count(0, "row"), "0 rows");
        assert_eq!(count(1_234_567, "item"), "1,234,567 items");
        assert_eq!(grouped(100), "100");
    }

    #[test]
    fn sizes_have_one_decimal() {
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(1_250_000), "1.2 MB");
        assert_eq!(bytes(3_000), "3.0 kB");
    }

    #[test]
    fn units_may_be_halves() {
        assert_eq!(units(0.5, "read"), "0.5 read units");
        assert_eq!(units(1.0, "write"), "1 write unit");
    }
}
