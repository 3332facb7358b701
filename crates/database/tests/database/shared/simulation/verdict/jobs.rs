//! A job is done by one server at a time: nobody takes it over before its time is over, and from
//! then on the one who had it writes nothing more.

use std::collections::BTreeMap;

use monotable_storage::{Key, Operation};

use super::super::recorded_engine::{Commit, LEASE};

/// A record is a byte for its version, the owner, the epoch, and the end of the lease.
const OWNER_AND_EPOCH: std::ops::Range<usize> = 1..25;
const UNTIL_MILLIS: std::ops::Range<usize> = 25..33;

struct Lease {
    server: usize,
    record: Vec<u8>,
}

impl Lease {
    fn until_millis(&self) -> u64 {
        u64::from_be_bytes(self.record[UNTIL_MILLIS].try_into().unwrap())
    }
}

pub(super) fn check(commits: &[Commit]) {
    let mut leases: BTreeMap<&Key, Lease> = BTreeMap::new();
    for commit in commits {
        for key in &commit.leases {
            let holder = leases.get(key).map(|lease| lease.server);
            assert_eq!(holder, Some(commit.server), "who holds the lease, and who writes");
        }
        for operation in commit.operations() {
            match operation {
                Operation::Put { key, value } if key[0] == LEASE => {
                    let lease = Lease { server: commit.server, record: value.to_vec() };
                    let before = leases.insert(key, lease);
                    check_claim(commit, before.as_ref(), value);
                }
                Operation::Delete { key } if key[0] == LEASE => {
                    leases.remove(key);
                }
                _ => {}
            }
        }
    }
}

fn check_claim(commit: &Commit, before: Option<&Lease>, record: &[u8]) {
    let Some(before) = before else { return };
    let is_same = before.record[OWNER_AND_EPOCH] == record[OWNER_AND_EPOCH];
    let is_over = before.until_millis() <= commit.millis;
    assert!(is_same || before.server == commit.server || is_over, "a job is taken too early");
}
