//! What a check finds, as data; the command that shows it puts it into words.

use bytes::Bytes;
use monotable_item::Value;
use monotable_item::stored::CorruptItem;

use crate::error::{CorruptRecord, KeyError};

/// How many faults a report has at most. What comes after them is only counted.
pub(super) const FAULTS_MAX: usize = 1_000;

/// What a check has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckReport {
    /// How much was checked.
    pub totals: CheckTotals,
    /// The first faults.
    pub faults: Vec<Fault>,
    /// How many more there are.
    pub more_faults: u64,
}

impl CheckReport {
    /// Returns whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// How many faults there are.
    pub fn fault_count(&self) -> u64 {
        self.faults.len() as u64 + self.more_faults
    }
}

/// How much a check has read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CheckTotals {
    /// Tables.
    pub tables: u64,
    /// Items.
    pub items: u64,
    /// Entries of secondary indexes.
    pub index_entries: u64,
    /// Entries of expiry indexes.
    pub expiry_entries: u64,
    /// Streams, those of deleted tables too.
    pub streams: u64,
    /// Records of streams.
    pub stream_records: u64,
    /// Deleted tables and indexes whose data the server is still to remove. That is no fault.
    pub noted_garbage: u64,
    /// Stream records of shards that were removed. The next trimming removes them. That is no
    /// fault.
    pub leftover_records: u64,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Where.
    pub place: FaultLocation,
    /// What.
    pub problem: Problem,
    /// Whether a repair mends it without touching an item.
    pub is_repairable: bool,
}

/// Where something is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FaultLocation {
    /// The table, by name.
    pub table: Option<String>,
    /// The index, by name.
    pub index: Option<String>,
    /// The key.
    pub key: Option<LocationKey>,
}

impl FaultLocation {
    pub(super) fn table(name: &str) -> FaultLocation {
        FaultLocation { table: Some(name.to_owned()), ..FaultLocation::default() }
    }

    pub(super) fn bytes(key: &[u8]) -> FaultLocation {
        FaultLocation::default().at(LocationKey::Bytes(key.to_vec()))
    }

    pub(super) fn index(self, name: &str) -> FaultLocation {
        FaultLocation { index: Some(name.to_owned()), ..self }
    }

    pub(super) fn at(self, key: LocationKey) -> FaultLocation {
        FaultLocation { key: Some(key), ..self }
    }
}

/// A key, as readable as it can be.
#[derive(Debug, Clone, PartialEq)]
pub enum LocationKey {
    /// The key attributes of an item, partition key first.
    Attributes(Vec<(String, Value)>),
    /// A key in the store that cannot be read as anything else.
    Bytes(Vec<u8>),
}

/// The families of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Records of tables.
    Table,
    /// Items.
    Item,
    /// Entries of secondary indexes.
    IndexEntry,
    /// Numbers of items and bytes.
    Counter,
    /// Sizes of item collections.
    Collection,
    /// Tokens of transactions.
    RequestToken,
    /// Notes of data to be removed.
    Garbage,
    /// The next table number.
    Sequence,
    /// Records of streams.
    Stream,
    /// Entries of expiry indexes.
    ExpiryEntry,
    /// Who does a job of the background.
    Lease,
    /// How far new indexes are filled.
    Fill,
    /// Entries of vector indexes.
    VectorEntry,
}

/// What is wrong. The code that shows it matches it exhaustively: a new problem needs new words.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// A key, or the name of a counter, begins with a byte that means nothing.
    UnknownFamily {
        /// That byte.
        tag: u8,
        /// How many keys do.
        keys: u64,
    },
    /// A key has not the form of its family.
    MalformedKey(Family),
    /// A record cannot be read.
    UnreadableRecord {
        /// What it should be.
        family: Family,
        /// Why it cannot.
        reason: CorruptRecord,
    },
    /// A record lies under another key than what it says gives.
    MisplacedRecord(Family),
    /// Two tables have one number.
    TableNumberTaken {
        /// The number.
        number: u32,
        /// The other table.
        other: String,
    },
    /// A table has a number that was not given out yet, so that another table would get it too.
    TableNumberAhead {
        /// The number.
        number: u32,
        /// The next one that is given out.
        next: u32,
    },
    /// What a table's record says cannot be.
    BadSchema(SchemaFlaw),
    /// Keys belong to a table or index that is not there.
    Orphaned {
        /// Their family.
        family: Family,
        /// The number of the table.
        table: u32,
        /// The number of the index or expiry index.
        number: Option<u32>,
        /// How many there are.
        keys: u64,
    },
    /// Data that is in use is noted as to be removed.
    GarbageInUse,
    /// An item cannot be read.
    ItemUnreadable(CorruptItem),
    /// An item is not written as items are: its attributes are out of order, or bytes follow them.
    ItemForm,
    /// An item has not the key attributes of its table.
    ItemKey(KeyError),
    /// An item's key attributes give another key than that under which it lies.
    ItemMisplaced {
        /// What they are.
        own: Vec<(String, Value)>,
    },
    /// An item has another size than stands in it.
    ItemSize {
        /// What stands in it.
        stored_bytes: u64,
        /// What it has.
        actual_bytes: u64,
    },
    /// An item is larger than items may be.
    ItemTooLarge {
        /// Its size.
        size_bytes: u64,
    },
    /// Something is wrong with an entry of a secondary index.
    IndexEntry(EntryFlaw),
    /// Something is wrong with an entry of the expiry index.
    ExpiryEntry(EntryFlaw),
    /// A counter is not the sum of what it counts.
    Counter {
        /// What it counts.
        counter: CounterKind,
        /// What it says.
        stored: i64,
        /// The sum.
        actual: i64,
    },
    /// A note of how far an index is filled, of an index that is not being filled.
    FillOfCompleteIndex,
    /// A note of how far an index is filled names a key that is not among those it is about.
    FillOutside {
        /// The part of the table it is about.
        slice: u8,
    },
    /// A stream takes records by what it says, but its table does not write to it.
    StreamNotWritten,
    /// A table writes to a stream that is not there.
    StreamMissing,
    /// A table and the stream that it writes to disagree about what the stream holds, or about its
    /// open shards.
    StreamDisagrees,
    /// What is known of a shard cannot be.
    Shard {
        /// Its number.
        shard: u32,
        /// What cannot be.
        flaw: ShardFlaw,
    },
    /// Something is wrong with a record of a stream.
    StreamRecord {
        /// The part of the stream.
        lane: u32,
        /// The position of the record.
        position: u64,
        /// What is wrong.
        flaw: RecordFlaw,
    },
}

/// What the record of a table can have wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaFlaw {
    /// Its version is 0.
    Version,
    /// It has no partition key.
    NoPartitionKey,
    /// Two indexes have one number, or one has a number that was not given out.
    IndexNumber,
    /// Two indexes have one name.
    IndexName,
    /// Its stream has a number that was not given out.
    StreamNumber,
    /// Its expiry index has a number that was not given out.
    ExpiryNumber,
}

/// What an entry of an index can have wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryFlaw {
    /// An item has no entry, and should have one.
    Missing,
    /// The entry of an item has other content than follows from the item.
    Differs,
    /// An entry leads to no item.
    WithoutItem,
    /// An item has this entry, and should have another one or none.
    NotOfItem,
    /// An item has an entry already in an index that is not filled up to it.
    Early,
    /// It cannot be said which item an entry belongs to.
    Unreadable,
}

/// What a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterKind {
    /// Items of a table, or entries of an index.
    Items,
    /// Their bytes.
    Bytes,
    /// The bytes of the items with one partition key and of their entries in local indexes.
    CollectionBytes,
}

/// What a shard can have wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardFlaw {
    /// Its number is not greater than that of the shard before it, or was not given out.
    Number,
    /// It does not begin where the shard before it in its lane ends.
    Beginning,
    /// It ends, or was trimmed, outside of itself.
    Bounds,
    /// It is closed without an end or ends without being closed, or is open in a stream that takes
    /// no records.
    Closing,
    /// Its last record is not there.
    LastRecordMissing,
}

/// What a record of a stream can have wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFlaw {
    /// It cannot be read.
    Unreadable(CorruptRecord),
    /// It was trimmed by what its shard says.
    Trimmed,
    /// It lies in no shard.
    InNoShard,
}

/// A change that a repair makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Where.
    pub place: FaultLocation,
    /// What it is that changes.
    pub family: Family,
    /// How.
    pub repair: Repair,
}

/// How a repair changes the store.
#[derive(Debug, Clone, PartialEq)]
pub enum Repair {
    /// Writes a key.
    Write {
        /// The key in the store.
        key: Vec<u8>,
        /// What it holds from here on.
        value: Bytes,
        /// What it held before.
        replaced: Option<Bytes>,
    },
    /// Removes a key.
    Remove {
        /// The key in the store.
        key: Vec<u8>,
        /// What it held.
        value: Bytes,
    },
    /// Sets a counter.
    SetCounter {
        /// Its name in the store.
        counter: Vec<u8>,
        /// What it said.
        from: i64,
        /// What it says from here on.
        to: i64,
    },
}

/// How far a check is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckProgress {
    /// What is being checked.
    pub stage: CheckStage,
    /// How many entries of it were read.
    pub done: u64,
    /// How many there are about, if that is known.
    pub total: Option<u64>,
}

/// A part of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckStage {
    /// The records of tables and streams, and to whom keys belong.
    Catalogue,
    /// The items of a table.
    Items {
        /// Its name.
        table: String,
    },
    /// The entries of an index.
    Index {
        /// The table's name.
        table: String,
        /// The index's name.
        index: String,
    },
    /// The entries of the expiry index of a table.
    Expiry {
        /// The table's name.
        table: String,
    },
    /// Counters.
    Counters,
    /// The records of a stream.
    Stream {
        /// The name of its table.
        table: String,
    },
}
