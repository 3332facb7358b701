//! Bars made of block characters.

/// The widest bar, in characters.
const WIDTH: f64 = 24.0;
/// Blocks from one eighth of a character to seven.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar for a part of the largest value. What is not nothing shows at least a sliver.
pub(super) fn bar(value: f64, largest: f64) -> String {
    if value <= 0.0 || largest <= 0.0 {
        return String::new();
    }
    let eighths = ((value / largest).min(1.0) * WIDTH * 8.0).round().max(1.0) as usize;
    let part = PARTS.get(eighths % 8).copied().unwrap_or_default();
    "█".repeat(eighths / 8) + part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_part_of_the_largest() {
        assert_eq!(bar(10.0, 10.0).chars().count(), 24);
        assert_eq!(bar(5.0, 10.0), "████████████");
        assert_eq!(bar(0.000_001, 10.0), "▏");
        assert_eq!(bar(0.0, 10.0), "");
        assert_eq!(bar(1.0, 0.0), "");
    }
}
