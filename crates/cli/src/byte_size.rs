//! Sizes as people write them.

/// Reads a size such as `0`, `4096`, `512MB` or `2GiB`.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor: Option<u64> = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => Some(1),
        "kb" => Some(1_000),
        "mb" => Some(1_000_000),
        "gb" => Some(1_000_000_000),
        "tb" => Some(1_000_000_000_000),
        "kib" => Some(1 << 10),
        "mib" => Some(1 << 20),
        "gib" => Some(1 << 30),
        "tib" => Some(1 << 40),
        _ => None,
    };
    let number: Option<u64> = number.parse().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .ok_or_else(|| "give a size such as 0, 512MB or 2GiB".to_owned())
}

/// A size as people read it.
pub(crate) fn shown_bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("0", 0),
            ("4096", 4096),
            ("12b", 12),
            ("512MB", 512_000_000),
            ("1 kb", 1000),
            ("2GiB", 2 << 30),
        ] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for refused in ["", "MB", "-1", "1.5GB", "5 apples", "99999999999TB"] {
            assert!(parse_bytes(refused).is_err(), "{refused}");
        }
    }
}
