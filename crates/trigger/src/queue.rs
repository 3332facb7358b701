//! Records of a shard that have been read and not been sent.

use std::collections::VecDeque;

use crate::filter::Pattern;
use crate::reader::Page;
use crate::record::LambdaRecord;

/// The most bytes of a batch: the size of an event that Lambda takes.
const BATCH_BYTES_MAX: usize = 6 * 1024 * 1024;

/// The records, in order.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    records: VecDeque<(usize, LambdaRecord)>,
    size_bytes: usize,
    /// Whether the last record that was read was not wanted.
    has_skipped: bool,
    is_end: bool,
}

impl Queue {
    /// Adds what is wanted of a page.
    pub(crate) fn push(&mut self, page: Page, filters: &[Pattern]) {
        self.is_end = page.is_end;
        for record in page.records {
            let is_wanted =
                filters.is_empty() || filters.iter().any(|filter| filter.matches(record.event()));
            self.has_skipped = !is_wanted;
            if is_wanted {
                let record_bytes = record.event().to_string().len();
                self.size_bytes += record_bytes;
                self.records.push_back((record_bytes, record));
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether no more records will come.
    pub(crate) fn is_end(&self) -> bool {
        self.is_end
    }

    /// Whether waiting for more would not make the next batch larger.
    pub(crate) fn has_batch(&self, size_max: usize) -> bool {
        self.records.len() >= size_max || self.size_bytes >= BATCH_BYTES_MAX
    }

    /// Takes the records of the next batch. One record is a batch however large it is.
    pub(crate) fn take_batch(&mut self, size_max: usize) -> Vec<LambdaRecord> {
        let mut batch: Vec<LambdaRecord> = Vec::new();
        let mut batch_bytes = 0;
        while let Some((record_bytes, _)) = self.records.front() {
            let is_full = batch.len() >= size_max || batch_bytes + record_bytes > BATCH_BYTES_MAX;
            if is_full && !batch.is_empty() {
                break;
            }
            batch_bytes += record_bytes;
            batch.extend(self.records.pop_front().map(|(_, record)| record));
        }
        self.size_bytes -= batch_bytes;
        batch
    }

    /// Whether records that were not wanted came last; they are forgotten with that.
    pub(crate) fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.has_skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::records;

    fn numbers(batch: &[LambdaRecord]) -> Vec<&str> {
        batch.iter().map(LambdaRecord::sequence_number).collect()
    }

    #[test]
    fn batches_keep_the_order_and_the_size() {
        let mut queue = Queue::default();
        queue.push(Page { records: records(1..=5), is_end: false }, &[]);
        assert!(queue.has_batch(5) && !queue.has_batch(6));
        assert_eq!(numbers(&queue.take_batch(2)), ["1", "2"]);
        assert_eq!(numbers(&queue.take_batch(2)), ["3", "4"]);
        assert_eq!(numbers(&queue.take_batch(2)), ["5"]);
        assert!(queue.is_empty() && queue.size_bytes == 0);
    }

    #[test]
    fn records_that_are_not_wanted_are_skipped() {
        let wanted = Pattern::parse(r#"{"dynamodb":{"SequenceNumber":["2"]}}"#).unwrap();
        let mut queue = Queue::default();
        queue.push(Page { records: records(1..=3), is_end: true }, &[wanted]);
        assert_eq!(numbers(&queue.take_batch(10)), ["2"]);
        assert!(queue.is_end() && queue.take_skipped() && !queue.take_skipped());
    }
}
