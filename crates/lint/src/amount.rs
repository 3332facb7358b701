//! Numbers in messages, as people write them.

/// A quantity: whole where it is large, with two digits that count where it is small.
pub(super) fn amount(value: f64) -> String {
    match value {
        _ if value >= 100.0 || value.fract() == 0.0 => format!("{value:.0}"),
        _ if value >= 1.0 => trimmed(&format!("{value:.1}")),
        _ => trimmed(&format!("{value:.2}")),
    }
}

/// A number of bytes in the unit that suits it.
pub(super) fn bytes(value: f64) -> String {
    const KB: f64 = 1024.0;
    match value {
        _ if value >= KB * KB * KB => format!("{} GB", amount(value / (KB * KB * KB))),
        _ if value >= KB * KB => format!("{} MB", amount(value / (KB * KB))),
        _ if value >= KB => format!("{} KB", amount(value / KB)),
        _ => format!("{} bytes", amount(value)),
    }
}

/// So many stored items.
pub(super) fn stored_items(count: usize) -> String {
    match count {
        1 => "1 stored item".to_owned(),
        _ => format!("{count} stored items"),
    }
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_digits_that_count() {
        assert_eq!(
            [amount(1234.56), amount(12.34), amount(3.0), amount(0.258)],
            ["1235", "12.3", "3", "0.26"]
        );
        assert_eq!(
            [bytes(512.0), bytes(1536.0), bytes(11.0 * 1024.0f64.powi(3))],
            ["512 bytes", "1.5 KB", "11 GB"]
        );
    }
}
