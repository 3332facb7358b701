//! One request and what it consumes, exactly as it is billed.
//!
//! ```text
//! get            4 KB a unit, half if it may be stale; a missing item costs as much as a small one
//! query, scan    the bytes of a page together, 4 KB a unit; what a filter throws away is paid for
//! write          1 KB a unit of the larger of the item before and after
//! index          nothing, one or two writes of what it projects: untouched, changed, moved
//! transaction    twice the table's units, once those of the indexes
//! time to live   nothing where the item expires; a write in every replica
//! ```
//!
//! A batch or a transaction consumes what its members do, so it is a list of requests here.

use monotable_item::capacity::{Consistency, HalfUnits, read_units, write_units};

use super::page::Rows;

/// What a request consumes on a table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Units {
    /// By reading.
    pub read: HalfUnits,
    /// By writing.
    pub write: HalfUnits,
}

/// What a request consumes on a table and its indexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Consumption {
    /// On the table.
    pub table: Units,
    /// On each index that it touches, in the order of touching.
    pub indexes: Vec<(String, Units)>,
}

/// One request, or one member of a batch or transaction, as far as its price is concerned.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Reads one item by its key.
    Get {
        /// Its size; nothing if there is none.
        item_bytes: u64,
        /// How fresh it must be.
        consistency: Consistency,
    },
    /// Reads one item in a transaction.
    TransactGet {
        /// Its size; nothing if there is none.
        item_bytes: u64,
    },
    /// Reads rows that lie next to each other, page by page: a query or a scan.
    Pages(PageReads),
    /// Writes one item.
    Write(ItemWrite),
    /// Writes, or only checks, one item in a transaction.
    TransactWrite(ItemWrite),
    /// An item's time has come.
    Expire(ItemWrite),
    /// Reads records of the stream, which costs no units of the table.
    ReadStream,
}

/// The pages of a query or scan.
#[derive(Debug, Clone, PartialEq)]
pub struct PageReads {
    /// The index that is read, unless it is the table.
    pub index: Option<String>,
    /// What is evaluated, before any filter.
    pub rows: Rows,
    /// How fresh it must be.
    pub consistency: Consistency,
    /// The size of the items that are fetched from the table one by one, because a local index does
    /// not hold what is wanted.
    pub fetched_bytes: Option<u64>,
}

/// The write of one item: the larger of the two sizes is paid for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemWrite {
    /// The size of the item before, if there is one.
    pub before: Option<u64>,
    /// The size of the item after, if there is one.
    pub after: Option<u64>,
    /// What becomes of its entries in indexes.
    pub indexes: Vec<(String, EntryChange)>,
}

/// What a write does to the entry of an item in an index. Sizes are of what the index projects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryChange {
    /// Nothing that the index holds is changed, or the item is not in the index.
    Untouched,
    /// The entry is new.
    Inserted(u64),
    /// The entry is removed.
    Removed(u64),
    /// The entry stays in its place, with other attributes.
    Changed {
        /// Its size before.
        before: u64,
        /// Its size after.
        after: u64,
    },
    /// The key in the index changes: the entry is removed and another inserted.
    Moved {
        /// Its size before.
        before: u64,
        /// Its size after.
        after: u64,
    },
}

impl Request {
    /// What the request consumes where it is sent.
    pub fn consumption(&self) -> Consumption {
        match self {
            Request::Get { item_bytes, consistency } => {
                Consumption::of_table_read(item_read(*item_bytes, *consistency))
            }
            Request::TransactGet { item_bytes } => {
                Consumption::of_table_read(item_read(*item_bytes, Consistency::Strong).doubled())
            }
            Request::Pages(pages) => pages.consumption(),
            Request::Write(write) => write.consumption(),
            Request::TransactWrite(write) => {
                let mut consumption = write.consumption();
                consumption.table.write = consumption.table.write.doubled();
                consumption
            }
            Request::Expire(_) | Request::ReadStream => Consumption::default(),
        }
    }

    /// The write units that each replica of the table consumes. Replicas are written without a
    /// transaction, and items that expire are deleted there like any other.
    pub fn replicated_units(&self) -> HalfUnits {
        match self {
            Request::Write(write) | Request::TransactWrite(write) | Request::Expire(write) => {
                write.consumption().total().write
            }
            Request::Get { .. }
            | Request::TransactGet { .. }
            | Request::Pages(_)
            | Request::ReadStream => HalfUnits::default(),
        }
    }
}

impl PageReads {
    fn consumption(&self) -> Consumption {
        let read = self.rows.read(self.consistency).units;
        let Some(index) = &self.index else { return Consumption::of_table_read(read) };
        let fetched = self.fetched_bytes.map(|bytes| item_read(bytes, self.consistency));
        let rows = self.rows.whole();
        Consumption {
            table: Units { read: fetched.unwrap_or_default().times(rows), ..Units::default() },
            indexes: vec![(index.clone(), Units { read, ..Units::default() })],
        }
    }
}

impl ItemWrite {
    /// The write of an item of this size where there was none.
    pub fn insert(bytes: u64) -> ItemWrite {
        ItemWrite { before: None, after: Some(bytes), indexes: Vec::new() }
    }

    /// A condition that is checked on an item of this size, in a transaction.
    pub fn check(bytes: u64) -> ItemWrite {
        ItemWrite { before: Some(bytes), after: Some(bytes), indexes: Vec::new() }
    }

    fn consumption(&self) -> Consumption {
        let size = self.before.max(self.after).unwrap_or(0);
        let mut consumption = Consumption {
            table: Units { write: entry_write(size), ..Units::default() },
            indexes: Vec::new(),
        };
        for (index, change) in &self.indexes {
            let write = change.units();
            if !write.is_zero() {
                let units = Units { write, ..Units::default() };
                consumption.indexes.push((index.clone(), units));
            }
        }
        consumption
    }
}

impl EntryChange {
    /// The write units of the index.
    pub fn units(self) -> HalfUnits {
        match self {
            EntryChange::Untouched => HalfUnits::default(),
            EntryChange::Inserted(bytes) | EntryChange::Removed(bytes) => entry_write(bytes),
            EntryChange::Changed { before, after } => entry_write(before.max(after)),
            EntryChange::Moved { before, after } => entry_write(before) + entry_write(after),
        }
    }
}

impl Consumption {
    fn of_table_read(read: HalfUnits) -> Consumption {
        Consumption { table: Units { read, ..Units::default() }, indexes: Vec::new() }
    }

    /// On the table and all indexes together.
    pub fn total(&self) -> Units {
        let mut total = self.table;
        for (_, units) in &self.indexes {
            total.read += units.read;
            total.write += units.write;
        }
        total
    }
}

fn item_read(bytes: u64, consistency: Consistency) -> HalfUnits {
    read_units(in_memory(bytes), consistency)
}

fn entry_write(bytes: u64) -> HalfUnits {
    write_units(in_memory(bytes))
}

/// Sizes are counted in the machine's own width below; what is larger than that is as large as it
/// gets.
pub(super) fn in_memory(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
