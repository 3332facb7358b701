//! Leases: `0C job` → who does a job of the background, since which epoch, and until when.
//!
//! Value: version `01`, owner (16 bytes), epoch (8 bytes), end in milliseconds by the store's time
//! (8 bytes).

use monotable_storage::KeyRange;

use super::tag;

const VERSION: u8 = 1;

/// What is known of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeaseRecord {
    /// Who does the job.
    pub(crate) owner: u128,
    /// How many times the job has been taken on.
    pub(crate) epoch: u64,
    /// When others may take it over, in milliseconds since 1970.
    pub(crate) until_millis: u64,
}

/// The key of the lease of a job.
pub(crate) fn encode_key(job: &[u8]) -> Vec<u8> {
    let mut key = vec![tag::LEASE];
    key.extend_from_slice(job);
    key
}

/// The keys of all leases.
pub(crate) fn range() -> KeyRange {
    KeyRange::prefix(&[tag::LEASE])
}

/// The bytes of a record.
pub(crate) fn encode_value(record: LeaseRecord) -> Vec<u8> {
    let mut value = vec![VERSION];
    value.extend(record.owner.to_be_bytes());
    value.extend(record.epoch.to_be_bytes());
    value.extend(record.until_millis.to_be_bytes());
    value
}

/// Reads what [`encode_value`] wrote.
pub(crate) fn decode_value(value: &[u8]) -> Option<LeaseRecord> {
    let (&[VERSION], rest) = value.split_first_chunk::<1>()? else { return None };
    let (owner, rest) = rest.split_first_chunk::<16>()?;
    let (epoch, until) = rest.split_first_chunk::<8>()?;
    Some(LeaseRecord {
        owner: u128::from_be_bytes(*owner),
        epoch: u64::from_be_bytes(*epoch),
        until_millis: u64::from_be_bytes(until.try_into().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back() {
        let record =
            LeaseRecord { owner: u128::MAX / 3, epoch: 7, until_millis: 1_700_000_000_123 };
        assert_eq!(decode_value(&encode_value(record)), Some(record));
        assert_eq!(decode_value(b"\x02"), None);
    }
}
