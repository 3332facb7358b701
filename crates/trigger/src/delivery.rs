//! What happens to a batch that is not taken: it is sent again, split, or given up.
//!
//! A batch is sent in parts, in order. At first it is one part. When a part fails as a whole it is
//! split in two (if splitting is wanted), which finds the record that is to blame in few steps; a
//! part that is not split is sent again until it has had all its attempts. A record that the
//! destination names as failed is tried on its own count. What has had its attempts is given up,
//! and what comes after it goes on.
//!
//! When nobody is there to take the records, they are not to blame: such attempts are not counted.

use crate::destination::Outcome;
use crate::record::LambdaRecord;
use crate::trigger::RetryPolicy;

/// A batch on its way.
#[derive(Debug)]
pub(crate) struct Delivery {
    policy: RetryPolicy,
    /// What is still to be taken; the first part is the last entry.
    parts: Vec<Part>,
}

/// Records that are sent together.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    records: Vec<LambdaRecord>,
    attempts: u32,
}

/// Records that will not be sent again.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GivenUp {
    pub(crate) records: Vec<LambdaRecord>,
    pub(crate) reason: String,
    pub(crate) attempts: u32,
}

/// What an attempt has led to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// The sequence number up to which everything is taken or given up, if that has grown.
    pub(crate) settled: Option<String>,
    pub(crate) given_up: Option<GivenUp>,
    /// Why the attempt failed, if it did.
    pub(crate) failure: Option<String>,
}

impl Delivery {
    pub(crate) fn new(records: Vec<LambdaRecord>, policy: RetryPolicy) -> Delivery {
        Delivery { policy, parts: vec![Part { records, attempts: 0 }] }
    }

    /// The records to send next; none when all are settled.
    pub(crate) fn next(&mut self) -> Option<&[LambdaRecord]> {
        while self.parts.last().is_some_and(|part| part.records.is_empty()) {
            self.parts.pop();
        }
        self.parts.last().map(|part| part.records.as_slice())
    }

    /// Gives up the records at the front that are too old.
    pub(crate) fn expire(&mut self, now_millis: u64) -> Option<Step> {
        let age_millis = u64::try_from(self.policy.age_max?.as_millis()).unwrap_or(u64::MAX);
        let oldest_millis = now_millis.checked_sub(age_millis)?;
        let part = self.parts.last_mut()?;
        let is_old = |record: &LambdaRecord| {
            record.created_millis().is_some_and(|made| made < oldest_millis)
        };
        let old = part.records.iter().take_while(|record| is_old(record)).count();
        if old == 0 {
            return None;
        }
        let records: Vec<LambdaRecord> = part.records.drain(..old).collect();
        let attempts = std::mem::take(&mut part.attempts);
        let reason = format!("older than {:?}", self.policy.age_max.unwrap_or_default());
        Some(Step {
            settled: last_number(&records),
            given_up: Some(GivenUp { records, reason, attempts }),
            failure: None,
        })
    }

    /// Notes what became of the records that were sent.
    pub(crate) fn note(&mut self, outcome: Outcome) -> Step {
        let Some(part) = self.parts.pop() else {
            return Step { settled: None, given_up: None, failure: None };
        };
        match outcome {
            Outcome::Taken => {
                Step { settled: last_number(&part.records), given_up: None, failure: None }
            }
            Outcome::Unreachable { reason } => {
                self.parts.push(part);
                Step { settled: None, given_up: None, failure: Some(reason) }
            }
            Outcome::Failed { reason } => self.note_failed(part, reason),
            Outcome::FailedAt { index, reason } => self.note_failed_at(part, index, reason),
        }
    }

    /// The part failed as a whole.
    fn note_failed(&mut self, mut part: Part, reason: String) -> Step {
        if self.policy.split && part.records.len() > 1 {
            let second = part.records.split_off(part.records.len() / 2);
            self.parts.push(Part { records: second, attempts: 0 });
            self.parts.push(Part { records: part.records, attempts: 0 });
            return Step { settled: None, given_up: None, failure: Some(reason) };
        }
        part.attempts += 1;
        if part.attempts < self.policy.attempts_max {
            self.parts.push(part);
            return Step { settled: None, given_up: None, failure: Some(reason) };
        }
        let Part { records, attempts } = part;
        Step {
            settled: last_number(&records),
            given_up: Some(GivenUp { records, reason: reason.clone(), attempts }),
            failure: Some(reason),
        }
    }

    /// The destination named the record that failed.
    fn note_failed_at(&mut self, mut part: Part, index: usize, reason: String) -> Step {
        let mut rest = part.records.split_off(index.min(part.records.len()));
        let attempts = if part.records.is_empty() { part.attempts + 1 } else { 1 };
        let mut settled = last_number(&part.records);
        let mut given_up = None;
        let mut attempts_of_rest = attempts;
        if attempts >= self.policy.attempts_max && !rest.is_empty() {
            let records: Vec<LambdaRecord> = rest.drain(..1).collect();
            settled = last_number(&records);
            given_up = Some(GivenUp { records, reason: reason.clone(), attempts });
            attempts_of_rest = 0;
        }
        self.parts.push(Part { records: rest, attempts: attempts_of_rest });
        Step { settled, given_up, failure: Some(reason) }
    }
}

fn last_number(records: &[LambdaRecord]) -> Option<String> {
    records.last().map(|record| record.sequence_number().to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::record::records;

    const POLICY: RetryPolicy =
        RetryPolicy { attempts_max: 3, age_max: None, split: true, delay: Duration::ZERO };

    fn number(record: &LambdaRecord) -> u64 {
        record.sequence_number().parse().unwrap()
    }

    fn failed() -> Outcome {
        Outcome::Failed { reason: "no".to_owned() }
    }

    /// Sends a delivery to the end; returns the batches that the destination saw and the records
    /// given up.
    fn play(
        mut delivery: Delivery,
        destination: impl Fn(&[LambdaRecord]) -> Outcome,
    ) -> (Vec<Vec<u64>>, Vec<u64>) {
        let (mut seen, mut given_up) = (Vec::new(), Vec::new());
        let mut settled = 0;
        while let Some(batch) = delivery.next() {
            let outcome = destination(batch);
            seen.push(batch.iter().map(number).collect());
            let step = delivery.note(outcome);
            if let Some(position) = step.settled {
                let position = position.parse().unwrap();
                assert!(position > settled, "what is settled only grows");
                settled = position;
            }
            given_up.extend(step.given_up.iter().flat_map(|up| up.records.iter().map(number)));
        }
        (seen, given_up)
    }

    #[test]
    fn a_poison_record_is_found_by_splitting_and_alone_given_up() {
        let poison = |batch: &[LambdaRecord]| {
            if batch.iter().any(|record| number(record) == 6) { failed() } else { Outcome::Taken }
        };
        let (seen, given_up) = play(Delivery::new(records(1..=8), POLICY), poison);
        assert_eq!(given_up, [6]);
        let all: Vec<u64> = (1..=8).collect();
        let expected = [
            all,
            vec![1, 2, 3, 4],
            vec![5, 6, 7, 8],
            vec![5, 6],
            vec![5],
            vec![6],
            vec![6],
            vec![6],
            vec![7, 8],
        ];
        // The second half of 1 to 8 fails as well, and is split in turn.
        assert_eq!(seen, expected);
    }

    #[test]
    fn without_splitting_the_whole_batch_is_given_up_after_its_attempts() {
        let policy = RetryPolicy { split: false, ..POLICY };
        let (seen, given_up) = play(Delivery::new(records(1..=3), policy), |_| failed());
        assert_eq!(seen, vec![vec![1, 2, 3]; 3]);
        assert_eq!(given_up, [1, 2, 3]);
    }

    #[test]
    fn a_named_record_is_tried_again_from_there_and_alone_given_up() {
        let names_three =
            |batch: &[LambdaRecord]| match batch.iter().position(|record| number(record) == 3) {
                Some(index) => Outcome::FailedAt { index, reason: "no".to_owned() },
                None => Outcome::Taken,
            };
        let (seen, given_up) = play(Delivery::new(records(1..=5), POLICY), names_three);
        assert_eq!(given_up, [3]);
        assert_eq!(seen, [vec![1, 2, 3, 4, 5], vec![3, 4, 5], vec![3, 4, 5], vec![4, 5]]);
    }

    #[test]
    fn attempts_that_reach_nobody_are_not_counted() {
        let mut delivery = Delivery::new(records(1..=2), POLICY);
        for _ in 0..100 {
            let step = delivery.note(Outcome::Unreachable { reason: "gone".to_owned() });
            assert_eq!(step.given_up, None);
            assert_eq!(delivery.next().unwrap().len(), 2);
        }
    }

    #[test]
    fn records_that_are_too_old_are_given_up_without_an_attempt() {
        let policy = RetryPolicy { age_max: Some(Duration::from_secs(10)), ..POLICY };
        let mut delivery = Delivery::new(records(1..=5), policy);
        assert_eq!(delivery.expire(11_000), None);
        let step = delivery.expire(13_000).unwrap();
        assert_eq!(step.settled.as_deref(), Some("2"));
        let given_up = step.given_up.unwrap();
        assert_eq!((given_up.records.len(), given_up.reason.as_str()), (2, "older than 10s"));
        assert_eq!(delivery.next().unwrap().len(), 3);
        delivery.expire(100_000).unwrap();
        assert_eq!(delivery.next(), None);
    }
}
