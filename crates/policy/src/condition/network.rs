//! Ranges of addresses: `203.0.113.0/24`, `2001:db8::/32`, or one address.

use std::net::IpAddr;

/// A range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Network {
    address: IpAddr,
    prefix_bits: u32,
}

impl Network {
    /// Reads a range. Bits behind the prefix have no meaning.
    pub(crate) fn parse(text: &str) -> Option<Network> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let bits_max = match address {
            IpAddr::V4(_) => 32,
            IpAddr::V6(_) => 128,
        };
        let is_number = |prefix: &str| prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix_bits = match prefix {
            None => bits_max,
            Some(prefix) if is_number(prefix) => prefix.parse().ok()?,
            Some(_) => return None,
        };
        (prefix_bits <= bits_max).then_some(Network { address, prefix_bits })
    }

    /// Whether an address is in the range. Addresses of the other family never are.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let differing = u128::from(own.to_bits() ^ other.to_bits());
                is_zero_above(differing, 32 - self.prefix_bits)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                is_zero_above(own.to_bits() ^ other.to_bits(), 128 - self.prefix_bits)
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

fn is_zero_above(bits: u128, lowest: u32) -> bool {
    bits.checked_shr(lowest).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(network: &str, address: &str) -> bool {
        Network::parse(network).unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn a_range_has_the_addresses_with_its_prefix() {
        assert!(contains("203.0.113.0/24", "203.0.113.255"));
        assert!(!contains("203.0.113.0/24", "203.0.114.0"));
        assert!(contains("203.0.113.7", "203.0.113.7"));
        assert!(!contains("203.0.113.7", "203.0.113.8"));
        assert!(contains("0.0.0.0/0", "255.1.2.3"));
        assert!(contains("2001:db8:1234::/48", "2001:db8:1234:ffff::1"));
        assert!(!contains("2001:db8:1234::/48", "2001:db8:1235::"));
        assert!(contains("::/0", "::1"));
        assert!(!contains("::/0", "127.0.0.1"));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in
            ["", "203.0.113", "203.0.113.0/33", "::/129", "::/", "::/+1", "a/8", "1.2.3.4/x"]
        {
            assert_eq!(Network::parse(text), None, "{text}");
        }
    }
}
