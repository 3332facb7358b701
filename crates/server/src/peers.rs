//! How many connections each address has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts connections by the address that they come from.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    counts: Mutex<HashMap<IpAddr, usize>>,
}

/// One connection of an address, until this is dropped.
#[derive(Debug)]
pub(crate) struct PeerSlot {
    peers: Arc<Peers>,
    network: IpAddr,
}

impl Peers {
    /// Counts one more connection; none if the address has as many as it may have. This machine may
    /// have any number, and is not counted.
    pub(crate) fn admit(
        self: &Arc<Peers>,
        address: IpAddr,
        max: usize,
    ) -> Result<Option<PeerSlot>, TooMany> {
        let network = network_of(address);
        if network.is_loopback() {
            return Ok(None);
        }
        let mut counts = self.lock();
        let count = counts.entry(network).or_default();
        if *count >= max {
            return Err(TooMany);
        }
        *count += 1;
        Ok(Some(PeerSlot { peers: self.clone(), network }))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address has as many connections as it may have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Drop for PeerSlot {
    fn drop(&mut self) {
        let mut counts = self.peers.lock();
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

/// What is counted as one. Whoever has one IPv6 address has 2⁶⁴ of them.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(peers: &Arc<Peers>, address: &str) -> Result<Option<PeerSlot>, TooMany> {
        peers.admit(address.parse().unwrap(), 2)
    }

    #[test]
    fn an_address_has_as_many_connections_as_it_may_have() {
        let peers = Arc::default();
        let (first, _second) = (admit(&peers, "192.0.2.1"), admit(&peers, "::ffff:192.0.2.1"));
        assert_eq!(admit(&peers, "192.0.2.1").unwrap_err(), TooMany);
        assert!(admit(&peers, "192.0.2.2").unwrap().is_some());
        drop(first);
        assert!(admit(&peers, "192.0.2.1").unwrap().is_some());
    }

    #[test]
    fn the_addresses_of_one_ipv6_network_count_as_one() {
        let peers = Arc::default();
        let _slots = [admit(&peers, "2001:db8::1"), admit(&peers, "2001:db8::2")];
        assert!(admit(&peers, "2001:db8::3").is_err());
        assert!(admit(&peers, "2001:db8:0:1::1").is_ok());
    }

    #[test]
    fn this_machine_is_not_counted_and_nobody_is_remembered() {
        let peers: Arc<Peers> = Arc::default();
        for address in ["127.0.0.1", "::1", "127.0.0.2", "::ffff:127.0.0.1"] {
            for _ in 0..3 {
                assert!(admit(&peers, address).unwrap().is_none());
            }
        }
        drop(admit(&peers, "192.0.2.1"));
        assert!(peers.lock().is_empty());
    }
}
