//! ARNs: `arn:partition:service:region:account:resource`.

/// The parts of an ARN. The last one may have colons of its own.
pub(crate) const PARTS: usize = 6;

/// Returns the account that an ARN names, or nothing if the text is no ARN.
pub(crate) fn account(arn: &str) -> Option<&str> {
    let parts = split(arn)?;
    let [_, _, _, _, account, _] = parts;
    Some(account)
}

/// Splits an ARN into its parts.
pub(crate) fn split(arn: &str) -> Option<[&str; PARTS]> {
    if !arn.starts_with("arn:") {
        return None;
    }
    let mut parts = arn.splitn(PARTS, ':');
    let mut next = || parts.next();
    Some([next()?, next()?, next()?, next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_is_the_fifth_part() {
        assert_eq!(
            account("arn:aws:dynamodb:eu-west-2:000000000000:table/a"),
            Some("000000000000")
        );
        assert_eq!(account("*"), None);
        assert_eq!(account("arn:aws:dynamodb"), None);
    }

    #[test]
    fn the_last_part_keeps_its_colons() {
        let stream = "arn:aws:dynamodb:r:a:table/t/stream/2026-01-01T00:00:00.000";
        assert_eq!(
            split(stream).map(|parts| parts[5]),
            Some("table/t/stream/2026-01-01T00:00:00.000")
        );
    }
}
