//! Tokens of transactions and leases of background jobs.

use monotable_storage::{Engine, Result as StorageResult};

use super::catalogue::unreadable;
use super::checker::Checker;
use super::{Family, FaultLocation, Problem};
use crate::error::CorruptRecord;
use crate::keyspace::{lease, request_token, tag};
use crate::lease::is_job_name;

impl<E: Engine> Checker<'_, E> {
    /// Checks that tokens and leases can be read.
    pub(super) async fn check_jobs(&mut self) -> StorageResult<()> {
        let mut rest = request_token::range();
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                if !request_token::is_key(&key) {
                    let problem = Problem::MalformedKey(Family::RequestToken);
                    self.fault(FaultLocation::bytes(&key), problem);
                } else if request_token::decode_value(&value).is_none() {
                    let reason = CorruptRecord("request token");
                    self.fault(
                        FaultLocation::bytes(&key),
                        unreadable(Family::RequestToken, reason),
                    );
                }
            }
        }
        let mut rest = monotable_storage::KeyRange::prefix(&[tag::LEASE]);
        while let Some(chunk) = self.next_chunk(&mut rest).await? {
            for (key, value) in chunk.entries {
                if !key.get(1..).is_some_and(is_job_name) {
                    self.fault(FaultLocation::bytes(&key), Problem::MalformedKey(Family::Lease));
                } else if lease::decode_value(&value).is_none() {
                    let reason = CorruptRecord("lease");
                    self.fault(FaultLocation::bytes(&key), unreadable(Family::Lease, reason));
                }
            }
        }
        Ok(())
    }
}
