//! Faults and changes in words, and the codes by which programs know them.

use monotable_database::check::{
    Change, CounterKind, EntryFlaw, Family, Problem, RecordFlaw, Repair, SchemaFlaw, ShardFlaw,
};

use super::text::{attributes, counted};

/// The code of a problem. It stays what it is.
pub(super) fn code(problem: &Problem) -> &'static str {
    match problem {
        Problem::UnknownFamily { .. } => "unknown-family",
        Problem::MalformedKey(_) => "malformed-key",
        Problem::UnreadableRecord { .. } => "unreadable-record",
        Problem::MisplacedRecord(_) => "misplaced-record",
        Problem::TableNumberTaken { .. } => "table-number-taken",
        Problem::TableNumberAhead { .. } => "table-number-ahead",
        Problem::BadSchema(_) => "bad-schema",
        Problem::Orphaned { .. } => "orphaned",
        Problem::GarbageInUse => "garbage-in-use",
        Problem::ItemUnreadable(_) => "item-unreadable",
        Problem::ItemForm => "item-form",
        Problem::ItemKey(_) => "item-key",
        Problem::ItemMisplaced { .. } => "item-misplaced",
        Problem::ItemSize { .. } => "item-size",
        Problem::ItemTooLarge { .. } => "item-too-large",
        Problem::IndexEntry(flaw) => entry_code(*flaw, INDEX_CODES),
        Problem::ExpiryEntry(flaw) => entry_code(*flaw, EXPIRY_CODES),
        Problem::Counter { .. } => "counter",
        Problem::FillOfCompleteIndex => "fill-of-complete-index",
        Problem::FillOutside { .. } => "fill-outside",
        Problem::StreamNotWritten => "stream-not-written",
        Problem::StreamMissing => "stream-missing",
        Problem::StreamDisagrees => "stream-disagrees",
        Problem::Shard { .. } => "shard",
        Problem::StreamRecord { .. } => "stream-record",
    }
}

const INDEX_CODES: [&str; 6] = [
    "index-entry-missing",
    "index-entry-differs",
    "index-entry-without-item",
    "index-entry-not-of-item",
    "index-entry-early",
    "index-entry-unreadable",
];

const EXPIRY_CODES: [&str; 6] = [
    "expiry-entry-missing",
    "expiry-entry-differs",
    "expiry-entry-without-item",
    "expiry-entry-not-of-item",
    "expiry-entry-early",
    "expiry-entry-unreadable",
];

fn entry_code(flaw: EntryFlaw, codes: [&'static str; 6]) -> &'static str {
    let [missing, differs, without_item, not_of_item, early, unreadable] = codes;
    match flaw {
        EntryFlaw::Missing => missing,
        EntryFlaw::Differs => differs,
        EntryFlaw::WithoutItem => without_item,
        EntryFlaw::NotOfItem => not_of_item,
        EntryFlaw::Early => early,
        EntryFlaw::Unreadable => unreadable,
    }
}

/// What is wrong, as a sentence about its place.
pub(super) fn problem(problem: &Problem) -> String {
    match problem {
        Problem::UnknownFamily { tag, keys } => {
            let keys = counted(*keys, "key begins", "keys begin");
            format!("{keys} with the byte {tag:02x}, which means nothing")
        }
        Problem::MalformedKey(family) => format!("it is not a key of {}", plural(*family)),
        Problem::UnreadableRecord { family, reason } => {
            format!("the {} cannot be read: {reason}", singular(*family))
        }
        Problem::MisplacedRecord(family) => {
            format!("the {} is about another name than the one it lies under", singular(*family))
        }
        Problem::TableNumberTaken { number, other } => {
            format!("it has the number {number}, and so has the table {other}")
        }
        Problem::TableNumberAhead { number, next } => {
            format!("it has the number {number}, and the next table gets {next}")
        }
        Problem::BadSchema(flaw) => schema(*flaw).to_owned(),
        Problem::Orphaned { family, table, number, keys } => {
            let keys = counted(*keys, singular(*family), plural(*family));
            match number {
                Some(number) => {
                    format!("{keys} of index {number} of table {table}, which is not there")
                }
                None => format!("{keys} of table {table}, which is not there"),
            }
        }
        Problem::GarbageInUse => {
            "what a table still has is noted as to be removed, and a server would remove it"
                .to_owned()
        }
        Problem::ItemUnreadable(reason) => format!("the item cannot be read: {reason}"),
        Problem::ItemForm => {
            "the item has attributes out of order, or bytes behind them".to_owned()
        }
        Problem::ItemKey(error) => format!("the item has not the key of its table: {error}"),
        Problem::ItemMisplaced { own } => {
            format!("an item with another key lies there: {}", attributes(own))
        }
        Problem::ItemSize { stored_bytes, actual_bytes } => {
            format!("the item has {actual_bytes} bytes, and says that it has {stored_bytes}")
        }
        Problem::ItemTooLarge { size_bytes } => {
            format!("the item has {size_bytes} bytes, more than items may have")
        }
        Problem::IndexEntry(flaw) => entry(*flaw, "index"),
        Problem::ExpiryEntry(flaw) => entry(*flaw, "expiry index"),
        Problem::Counter { counter, stored, actual } => {
            format!("{} are counted as {stored}, and are {actual}", counter_noun(*counter))
        }
        Problem::FillOfCompleteIndex => {
            "it is noted how far the index is filled, and it is complete".to_owned()
        }
        Problem::FillOutside { slice } => {
            format!(
                "the note of how far part {slice} of the index is filled names a key outside of \
                 that part"
            )
        }
        Problem::StreamNotWritten => {
            "its stream takes records, and no table writes to it".to_owned()
        }
        Problem::StreamMissing => "it writes to a stream that is not there".to_owned(),
        Problem::StreamDisagrees => {
            "it and the stream that it writes to disagree about view or shards".to_owned()
        }
        Problem::Shard { shard, flaw } => {
            format!("shard {shard} of its stream {}", shard_flaw(*flaw))
        }
        Problem::StreamRecord { lane, position, flaw } => {
            format!("record {position} in lane {lane} of its stream {}", record_flaw(*flaw))
        }
    }
}

fn schema(flaw: SchemaFlaw) -> &'static str {
    match flaw {
        SchemaFlaw::Version => "it has the version 0, and versions begin with 1",
        SchemaFlaw::NoPartitionKey => "it has no partition key",
        SchemaFlaw::IndexNumber => "its indexes have numbers that are not theirs",
        SchemaFlaw::IndexName => "two of its indexes have the same name",
        SchemaFlaw::StreamNumber => "its stream has a number that was not given out",
        SchemaFlaw::ExpiryNumber => "its expiry index has a number that was not given out",
    }
}

fn entry(flaw: EntryFlaw, index: &str) -> String {
    match flaw {
        EntryFlaw::Missing => format!("the item has no entry in the {index}"),
        EntryFlaw::Differs => format!("the {index} has other content than the item"),
        EntryFlaw::WithoutItem => format!("the {index} has an entry, and there is no such item"),
        EntryFlaw::NotOfItem => format!("the {index} has an entry that the item does not give"),
        EntryFlaw::Early => {
            format!("the {index} has an entry, and is not filled up to the item yet")
        }
        EntryFlaw::Unreadable => format!("the {index} has an entry that leads to no item"),
    }
}

fn counter_noun(counter: CounterKind) -> &'static str {
    match counter {
        CounterKind::Items => "items",
        CounterKind::Bytes => "bytes",
        CounterKind::CollectionBytes => "bytes of the item collection",
    }
}

fn shard_flaw(flaw: ShardFlaw) -> &'static str {
    match flaw {
        ShardFlaw::Number => "has a number that is not its own",
        ShardFlaw::Beginning => "does not begin where the one before it ends",
        ShardFlaw::Bounds => "ends or was trimmed outside of itself",
        ShardFlaw::Closing => "is neither open nor closed",
        ShardFlaw::LastRecordMissing => "has lost its last record",
    }
}

fn record_flaw(flaw: RecordFlaw) -> String {
    match flaw {
        RecordFlaw::Unreadable(reason) => format!("cannot be read: {reason}"),
        RecordFlaw::Trimmed => "is there, and was trimmed".to_owned(),
        RecordFlaw::InNoShard => "lies in no shard".to_owned(),
    }
}

/// One of a family.
fn singular(family: Family) -> &'static str {
    match family {
        Family::Table => "record of the table",
        Family::Item => "item",
        Family::IndexEntry => "index entry",
        Family::Counter => "counter",
        Family::Collection => "size of an item collection",
        Family::RequestToken => "token of a transaction",
        Family::Garbage => "note of what is to be removed",
        Family::Sequence => "next table number",
        Family::Stream => "record of the stream",
        Family::ExpiryEntry => "expiry entry",
        Family::Lease => "lease of a background job",
        Family::Fill => "note of how far an index is filled",
        Family::VectorEntry => "vector index entry",
    }
}

/// Several of a family.
fn plural(family: Family) -> &'static str {
    match family {
        Family::Table => "records of tables",
        Family::Item => "items",
        Family::IndexEntry => "index entries",
        Family::Counter => "counters",
        Family::Collection => "sizes of item collections",
        Family::RequestToken => "tokens of transactions",
        Family::Garbage => "notes of what is to be removed",
        Family::Sequence => "the next table number",
        Family::Stream => "records of streams",
        Family::ExpiryEntry => "expiry entries",
        Family::Lease => "leases of background jobs",
        Family::Fill => "notes of how far indexes are filled",
        Family::VectorEntry => "vector index entries",
    }
}

/// The code of a change. It stays what it is.
pub(super) fn change_code(change: &Change) -> &'static str {
    match change.repair {
        Repair::Write { .. } => "written",
        Repair::Remove { .. } => "removed",
        Repair::SetCounter { .. } => "counter-set",
    }
}

/// What a repair changes, as a sentence about its place.
pub(super) fn change(change: &Change) -> String {
    let what = singular(change.family);
    match &change.repair {
        Repair::Write { replaced: None, .. } => format!("wrote the {what}"),
        Repair::Write { replaced: Some(_), .. } => format!("wrote the {what} anew"),
        Repair::Remove { .. } => format!("removed the {what}"),
        Repair::SetCounter { from, to, .. } => format!("set the {what} from {from} to {to}"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use monotable_database::{KeyError, KeyProblem};
    use monotable_item::Value;
    use monotable_item::stored::CorruptItem;

    use super::*;

    const ENTRY_FLAWS: [EntryFlaw; 6] = [
        EntryFlaw::Missing,
        EntryFlaw::Differs,
        EntryFlaw::WithoutItem,
        EntryFlaw::NotOfItem,
        EntryFlaw::Early,
        EntryFlaw::Unreadable,
    ];

    fn print(problems: impl IntoIterator<Item = Problem>) -> String {
        let line = |found| format!("{}: {}\n", code(&found), problem(&found));
        problems.into_iter().map(line).collect()
    }

    #[test]
    fn faults_of_the_catalogue() {
        let family = Family::Stream;
        let flaws = [
            SchemaFlaw::Version,
            SchemaFlaw::NoPartitionKey,
            SchemaFlaw::IndexNumber,
            SchemaFlaw::IndexName,
            SchemaFlaw::StreamNumber,
            SchemaFlaw::ExpiryNumber,
        ];
        let problems = [
            Problem::UnknownFamily { tag: 0x7F, keys: 1 },
            Problem::UnknownFamily { tag: 0x0E, keys: 2 },
            Problem::MalformedKey(Family::Item),
            Problem::MisplacedRecord(Family::Table),
            Problem::TableNumberTaken { number: 3, other: "carts".to_owned() },
            Problem::TableNumberAhead { number: 3, next: 2 },
            Problem::Orphaned { family: Family::Item, table: 3, number: None, keys: 1 },
            Problem::Orphaned { family: Family::IndexEntry, table: 3, number: Some(1), keys: 9 },
            Problem::GarbageInUse,
            Problem::FillOfCompleteIndex,
            Problem::FillOutside { slice: 3 },
            Problem::MisplacedRecord(family),
        ];
        let problems = problems.into_iter().chain(flaws.map(Problem::BadSchema));
        expect![[r#"
            unknown-family: 1 key begins with the byte 7f, which means nothing
            unknown-family: 2 keys begin with the byte 0e, which means nothing
            malformed-key: it is not a key of items
            misplaced-record: the record of the table is about another name than the one it lies under
            table-number-taken: it has the number 3, and so has the table carts
            table-number-ahead: it has the number 3, and the next table gets 2
            orphaned: 1 item of table 3, which is not there
            orphaned: 9 index entries of index 1 of table 3, which is not there
            garbage-in-use: what a table still has is noted as to be removed, and a server would remove it
            fill-of-complete-index: it is noted how far the index is filled, and it is complete
            fill-outside: the note of how far part 3 of the index is filled names a key outside of that part
            misplaced-record: the record of the stream is about another name than the one it lies under
            bad-schema: it has the version 0, and versions begin with 1
            bad-schema: it has no partition key
            bad-schema: its indexes have numbers that are not theirs
            bad-schema: two of its indexes have the same name
            bad-schema: its stream has a number that was not given out
            bad-schema: its expiry index has a number that was not given out
        "#]].assert_eq(&print(problems));
    }

    #[test]
    fn faults_of_items() {
        let name = "pk".to_owned();
        let problems = [
            Problem::ItemUnreadable(CorruptItem::WITHOUT_KEYS),
            Problem::ItemForm,
            Problem::ItemKey(KeyError { name, index: None, problem: KeyProblem::Missing }),
            Problem::ItemMisplaced { own: vec![("pk".to_owned(), Value::from("a"))] },
            Problem::ItemSize { stored_bytes: 7, actual_bytes: 8 },
            Problem::ItemTooLarge { size_bytes: 500_000 },
        ];
        expect![[r#"
            item-unreadable: the item cannot be read: stored item is corrupt: key attributes are missing
            item-form: the item has attributes out of order, or bytes behind them
            item-key: the item has not the key of its table: key attribute pk: missing
            item-misplaced: an item with another key lies there: pk="a"
            item-size: the item has 8 bytes, and says that it has 7
            item-too-large: the item has 500000 bytes, more than items may have
        "#]].assert_eq(&print(problems));
    }

    #[test]
    fn faults_of_entries_and_counters() {
        let counter = |counter| Problem::Counter { counter, stored: 8, actual: 7 };
        let counters = [CounterKind::Items, CounterKind::Bytes, CounterKind::CollectionBytes];
        let problems = ENTRY_FLAWS.map(Problem::IndexEntry).into_iter();
        let problems = problems.chain(ENTRY_FLAWS.map(Problem::ExpiryEntry));
        expect![[r#"
            index-entry-missing: the item has no entry in the index
            index-entry-differs: the index has other content than the item
            index-entry-without-item: the index has an entry, and there is no such item
            index-entry-not-of-item: the index has an entry that the item does not give
            index-entry-early: the index has an entry, and is not filled up to the item yet
            index-entry-unreadable: the index has an entry that leads to no item
            expiry-entry-missing: the item has no entry in the expiry index
            expiry-entry-differs: the expiry index has other content than the item
            expiry-entry-without-item: the expiry index has an entry, and there is no such item
            expiry-entry-not-of-item: the expiry index has an entry that the item does not give
            expiry-entry-early: the expiry index has an entry, and is not filled up to the item yet
            expiry-entry-unreadable: the expiry index has an entry that leads to no item
            counter: items are counted as 8, and are 7
            counter: bytes are counted as 8, and are 7
            counter: bytes of the item collection are counted as 8, and are 7
        "#]]
        .assert_eq(&print(problems.chain(counters.map(counter))));
    }

    #[test]
    fn faults_of_streams() {
        let shards = [
            ShardFlaw::Number,
            ShardFlaw::Beginning,
            ShardFlaw::Bounds,
            ShardFlaw::Closing,
            ShardFlaw::LastRecordMissing,
        ];
        let records = [RecordFlaw::Trimmed, RecordFlaw::InNoShard];
        let streams = [Problem::StreamNotWritten, Problem::StreamMissing, Problem::StreamDisagrees];
        let record = |flaw| Problem::StreamRecord { lane: 2, position: 40, flaw };
        let problems = streams.into_iter().chain(records.map(record));
        let shards = shards.map(|flaw| Problem::Shard { shard: 5, flaw });
        expect![[r#"
            stream-not-written: its stream takes records, and no table writes to it
            stream-missing: it writes to a stream that is not there
            stream-disagrees: it and the stream that it writes to disagree about view or shards
            stream-record: record 40 in lane 2 of its stream is there, and was trimmed
            stream-record: record 40 in lane 2 of its stream lies in no shard
            shard: shard 5 of its stream has a number that is not its own
            shard: shard 5 of its stream does not begin where the one before it ends
            shard: shard 5 of its stream ends or was trimmed outside of itself
            shard: shard 5 of its stream is neither open nor closed
            shard: shard 5 of its stream has lost its last record
        "#]]
        .assert_eq(&print(problems.chain(shards)));
    }
}
