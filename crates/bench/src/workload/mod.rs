//! The workloads: what each one asks and what a right answer to it looks like.
//!
//! A workload is one variant of [`Workload`]; the compiler then asks for its body in [`body`], its
//! check in [`answer`] and its answer by the reference servers.

mod answer;
mod body;

use clap::ValueEnum;

use crate::data::{COLLECTION_ITEMS, Dataset};
use crate::table::Table;

pub(crate) use answer::{check_answer, check_batch_write};
pub(crate) use body::put_requests;

/// The items of a transaction.
const TRANSACTION_ITEMS: u64 = 4;

/// One kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Workload {
    /// One item by its key, eventually consistent
    GetItem,
    /// The 25 items of one partition key
    Query,
    /// The 25 items of one partition key of the global index
    IndexQuery,
    /// A page of 1 MB after a random key
    Scan,
    /// Two attributes of an existing item, with a condition that holds
    UpdateItem,
    /// A whole item over an existing one
    PutItem,
    /// Two puts, an update and a condition check
    TransactWriteItems,
    /// 25 puts over existing items
    BatchWriteItem,
}

impl Workload {
    /// Its name in tables.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Workload::GetItem => "GetItem",
            Workload::Query => "Query, 25 items",
            Workload::IndexQuery => "Query of the global index, 25 items",
            Workload::Scan => "Scan, page of 1 MB",
            Workload::UpdateItem => "UpdateItem with condition",
            Workload::PutItem => "PutItem",
            Workload::TransactWriteItems => "TransactWriteItems, 4 items",
            Workload::BatchWriteItem => "BatchWriteItem, 25 items",
        }
    }

    /// Its name on the command line and in JSON.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value().expect("every workload can be asked for");
        value.get_name().to_owned()
    }

    /// The operation that it calls.
    pub(crate) fn operation(self) -> &'static str {
        match self {
            Workload::GetItem => "GetItem",
            Workload::Query | Workload::IndexQuery => "Query",
            Workload::Scan => "Scan",
            Workload::UpdateItem => "UpdateItem",
            Workload::PutItem => "PutItem",
            Workload::TransactWriteItems => "TransactWriteItems",
            Workload::BatchWriteItem => "BatchWriteItem",
        }
    }

    /// The body of its request on a table, with markers where the digits of items belong.
    pub(crate) fn body(self, table: Table) -> String {
        body::of(self, table).to_string()
    }

    /// How far apart the items of one request are: as far as the table allows, so that they share
    /// neither a partition nor a page.
    pub(crate) fn stride(self, dataset: &Dataset) -> u64 {
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
            | Workload::PutItem => 1,
            Workload::TransactWriteItems => TRANSACTION_ITEMS,
            Workload::BatchWriteItem => COLLECTION_ITEMS,
        }
    }
}
