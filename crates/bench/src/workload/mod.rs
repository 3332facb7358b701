//! The workloads: what each one asks and what a right answer to it looks like.
//!
//! A workload is one variant of [`Workload`]; the compiler then asks for its body in `body`, its
//! check in `answer` and its answer by the reference servers.

mod answer;
mod body;

use clap::ValueEnum;

use crate::data::{COLLECTION_ITEMS, Dataset};
use crate::table::{MANY_INDEXES, Table};

pub use answer::{check_answer, check_batch_write};
pub use body::put_requests;

/// The items of a transaction.
const TRANSACTION_ITEMS: u64 = 4;

/// One kind of request, or a mix of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// One item by its key, eventually consistent
    GetItem,
    /// The 25 items of one partition key
    Query,
    /// The 25 items of one partition key of the global index
    IndexQuery,
    /// A page of 1 MB after a random key
    Scan,
    /// 25 items by their keys, far apart
    BatchGetItem,
    /// Two attributes of an existing item, with a condition that holds
    UpdateItem,
    /// A whole item over an existing one
    PutItem,
    /// Two puts, an update and a condition check
    TransactWriteItems,
    /// 25 puts over existing items
    BatchWriteItem,
    /// 70 % reads: 50 % get-item, 15 % query, 5 % index-query, 15 % put-item, 15 % update-item
    Mixed,
    /// put-item on a table with a stream of both images
    PutItemStream,
    /// put-item on a table with three indexes
    PutItemIndexes,
    /// 25 items of a partition of any size, from a random one on
    RangeQuery,
    /// One item by its key, by a PartiQL SELECT
    PointSelect,
}

/// The mix of [`Workload::Mixed`], in percent.
const MIX: [(Workload, u64); 5] = [
    (Workload::GetItem, 50),
    (Workload::Query, 15),
    (Workload::IndexQuery, 5),
    (Workload::PutItem, 15),
    (Workload::UpdateItem, 15),
];

impl Workload {
    /// What is measured by default: all but [`Workload::RangeQuery`], which only tells something of
    /// large partitions, and [`Workload::PointSelect`], which only tells something beside get-item.
    pub const DEFAULTS: [Workload; 12] = [
        Workload::GetItem,
        Workload::Query,
        Workload::IndexQuery,
        Workload::Scan,
        Workload::BatchGetItem,
        Workload::UpdateItem,
        Workload::PutItem,
        Workload::TransactWriteItems,
        Workload::BatchWriteItem,
        Workload::Mixed,
        Workload::PutItemStream,
        Workload::PutItemIndexes,
    ];

    /// Its name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Workload::GetItem => "GetItem",
            Workload::Query => "Query, 25 items",
            Workload::IndexQuery => "Query of the global index, 25 items",
            Workload::Scan => "Scan, page of 1 MB",
            Workload::BatchGetItem => "BatchGetItem, 25 items",
            Workload::UpdateItem => "UpdateItem with condition",
            Workload::PutItem => "PutItem",
            Workload::TransactWriteItems => "TransactWriteItems, 4 items",
            Workload::BatchWriteItem => "BatchWriteItem, 25 items",
            Workload::Mixed => "Mixed, 70 % reads",
            Workload::PutItemStream => "PutItem with a stream",
            Workload::PutItemIndexes => "PutItem with 3 indexes",
            Workload::RangeQuery => "Query, 25 items from a random one on",
            Workload::PointSelect => "SELECT by key",
        }
    }

    /// Its name on the command line and in JSON.
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("every workload can be asked for");
        value.get_name().to_owned()
    }

    /// The workloads that it is made of, and how many percent of the requests each has.
    pub fn parts(self) -> Vec<(Workload, u64)> {
        match self {
            Workload::Mixed => MIX.to_vec(),
            single => vec![(single, 100)],
        }
    }

    /// The table that it works on.
    pub fn table(self) -> Table {
        match self {
            Workload::PutItemStream => Table::streamed(),
            Workload::PutItemIndexes => Table::indexed(MANY_INDEXES),
            Workload::GetItem
            | Workload::Query
            | Workload::IndexQuery
            | Workload::Scan
            | Workload::BatchGetItem
            | Workload::UpdateItem
            | Workload::PutItem
            | Workload::TransactWriteItems
            | Workload::BatchWriteItem
            | Workload::Mixed
            | Workload::RangeQuery
            | Workload::PointSelect => Table::plain(),
        }
    }

    /// The operation that it calls; a mix has that of its first part.
    pub fn operation(self) -> &'static str {
        match self {
            Workload::GetItem | Workload::Mixed => "GetItem",
            Workload::Query | Workload::IndexQuery | Workload::RangeQuery => "Query",
            Workload::Scan => "Scan",
            Workload::BatchGetItem => "BatchGetItem",
            Workload::UpdateItem => "UpdateItem",
            Workload::PutItem | Workload::PutItemStream | Workload::PutItemIndexes => "PutItem",
            Workload::TransactWriteItems => "TransactWriteItems",
            Workload::BatchWriteItem => "BatchWriteItem",
            Workload::PointSelect => "ExecuteStatement",
        }
    }

    /// The body of its request on a table, with markers where the digits of items belong.
    pub fn body(self, table: &Table) -> String {
        body::of(self, table).to_string()
    }

    /// How far apart the items of one request are: as far as the table allows, so that they share
    /// neither a partition nor a page.
    pub fn stride(self, dataset: &Dataset) -> u64 {
        dataset.items() / self.items()
    }

    /// How many items one request names.
    fn items(self) -> u64 {
        match self {
            Workload::GetItem
            | Workload::Query
            | Workload::IndexQuery
            | Workload::Scan
            | Workload::UpdateItem
            | Workload::PutItem
            | Workload::Mixed
            | Workload::PutItemStream
            | Workload::PutItemIndexes
            | Workload::RangeQuery
            | Workload::PointSelect => 1,
            Workload::TransactWriteItems => TRANSACTION_ITEMS,
            Workload::BatchGetItem | Workload::BatchWriteItem => COLLECTION_ITEMS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_has_a_hundred_percent_of_which_seventy_are_reads() {
        let is_read = |workload: &Workload| {
            matches!(workload, Workload::GetItem | Workload::Query | Workload::IndexQuery)
        };
        let parts = Workload::Mixed.parts();
        assert_eq!(parts.iter().map(|(_, percent)| percent).sum::<u64>(), 100);
        let reads = parts.iter().filter(|(workload, _)| is_read(workload));
        assert_eq!(reads.map(|(_, percent)| percent).sum::<u64>(), 70);
    }

    #[test]
    fn everything_but_a_range_query_and_a_select_is_measured_by_default() {
        let left_out = |workload: &&Workload| !Workload::DEFAULTS.contains(workload);
        let left_out: Vec<&Workload> = Workload::value_variants().iter().filter(left_out).collect();
        assert_eq!(left_out, [&Workload::RangeQuery, &Workload::PointSelect]);
    }
}
