//! How much memory calls may take.
//!
//! Most are about one item and take little. Those that may be about many are counted on to take as
//! much as DynamoDB lets them return, once as items and once as JSON. What writes many items reads
//! the earlier ones, and transactions read all that they name before they find that it is too much:
//! they take as many of the largest items as their body can name.

use monotable_item::limits::{
    BATCH_BYTES_MAX, BATCH_WRITES_MAX, ITEM_BYTES_MAX, PAGE_BYTES_MAX, SEARCH_BYTES_MAX,
    TRANSACT_ACTIONS_MAX, TRANSACT_BYTES_MAX,
};

/// Bodies of this many bytes are nothing to speak of.
const SMALL_BODY_BYTES: usize = 16 * 1024;

/// The shortest member of BatchWriteItem, which deletes an item.
const BATCH_MEMBER: &str = r#"{"DeleteRequest":{"Key":{"a":{"S":"b"}}}}"#;

/// A short member of a transaction. One that only reads is shorter by a few bytes.
const TRANSACT_MEMBER: &str = r#"{"Get":{"TableName":"abc","Key":{"a":{"S":"b"}}}}"#;

/// A short statement of a transaction.
const STATEMENT_MEMBER: &str = r#"{"Statement":"SELECT*FROM abc WHERE a=''"}"#;

/// How much memory a call may take besides its body: for its items, and for its answer. 0 if that
/// is about one item.
#[inline]
pub fn room_bytes(target: &str, body_bytes: usize) -> usize {
    // What a large body says stands beside it, once as it was read and once as it is written.
    let from_body = if body_bytes > SMALL_BODY_BYTES { 2 * body_bytes } else { 0 };
    from_body + items_bytes(target, body_bytes)
}

/// How much a call of an operation may take for its items.
fn items_bytes(target: &str, body_bytes: usize) -> usize {
    let named = |member: &str, members_max: usize| {
        let members = (body_bytes / member.len()).min(members_max);
        members * ITEM_BYTES_MAX
    };
    match target {
        "DynamoDB_20120810.Query"
        | "DynamoDB_20120810.Scan"
        | "DynamoDBStreams_20120810.GetRecords" => 2 * PAGE_BYTES_MAX,
        // The read that fills the page may be as large as one.
        "DynamoDB_20120810.ExecuteStatement" => 4 * PAGE_BYTES_MAX,
        "DynamoDB_20120810.BatchWriteItem" => named(BATCH_MEMBER, BATCH_WRITES_MAX),
        "DynamoDB_20120810.TransactWriteItems" => named(TRANSACT_MEMBER, TRANSACT_ACTIONS_MAX),
        "DynamoDB_20120810.TransactGetItems" => {
            named(TRANSACT_MEMBER, TRANSACT_ACTIONS_MAX).max(2 * TRANSACT_BYTES_MAX)
        }
        "DynamoDB_20120810.ExecuteTransaction" => {
            named(STATEMENT_MEMBER, TRANSACT_ACTIONS_MAX).max(2 * TRANSACT_BYTES_MAX)
        }
        "DynamoDB_20120810.BatchGetItem" | "DynamoDB_20120810.BatchExecuteStatement" => {
            2 * BATCH_BYTES_MAX
        }
        "DynamoDB_20120810.SearchVectors" => 2 * SEARCH_BYTES_MAX,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_about_one_item_take_nothing_to_speak_of() {
        for operation in ["GetItem", "PutItem", "UpdateItem", "DeleteItem"] {
            let target = format!("DynamoDB_20120810.{operation}");
            assert_eq!(room_bytes(&target, 1000), 0, "{operation}");
            assert_eq!(room_bytes(&target, 400_000), 800_000, "{operation}");
        }
        assert_eq!(room_bytes("", 0), 0);
    }

    #[test]
    fn calls_about_many_items_take_what_they_may_return() {
        for (target, bytes) in [
            ("DynamoDB_20120810.Query", 2 << 20),
            ("DynamoDB_20120810.Scan", 2 << 20),
            ("DynamoDBStreams_20120810.GetRecords", 2 << 20),
            ("DynamoDB_20120810.ExecuteStatement", 4 << 20),
            ("DynamoDB_20120810.TransactGetItems", 8 << 20),
            ("DynamoDB_20120810.ExecuteTransaction", 8 << 20),
            ("DynamoDB_20120810.BatchExecuteStatement", 32 << 20),
            ("DynamoDB_20120810.BatchGetItem", 32 << 20),
            ("DynamoDB_20120810.SearchVectors", 32 << 20),
        ] {
            assert_eq!(room_bytes(target, 100), bytes, "{target}");
        }
    }

    #[test]
    fn calls_that_name_many_items_take_as_many_of_the_largest_as_their_body_can_name() {
        for (operation, member, members_max) in [
            ("BatchWriteItem", BATCH_MEMBER, 25),
            ("TransactWriteItems", TRANSACT_MEMBER, 100),
            ("TransactGetItems", TRANSACT_MEMBER, 100),
            ("ExecuteTransaction", STATEMENT_MEMBER, 100),
        ] {
            let target = format!("DynamoDB_20120810.{operation}");
            for members in [21, 24, 25, 100, 200] {
                let items = members.min(members_max) * ITEM_BYTES_MAX;
                let room = room_bytes(&target, members * (member.len() + 1));
                assert!(room >= items, "{operation} of {members}: {room}");
            }
            assert_eq!(room_bytes(&target, SMALL_BODY_BYTES), members_max * ITEM_BYTES_MAX);
        }
        assert_eq!(room_bytes("DynamoDB_20120810.BatchWriteItem", 10), 0);
        assert_eq!(room_bytes("DynamoDB_20120810.TransactWriteItems", 1), 0);
    }
}
