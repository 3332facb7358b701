//! How much memory calls may take.
//!
//! Most are about one item and take little. Those that may be about many are counted on to take as
//! much as DynamoDB lets them return, once as items and once as JSON.

/// Bodies of this many bytes are nothing to speak of.
const SMALL_BODY_BYTES: usize = 16 * 1024;

/// The most that a page has.
const PAGE_BYTES: usize = 1024 * 1024;

/// The most that a transaction returns.
const TRANSACTION_BYTES: usize = 4 * 1024 * 1024;

/// The most that a batch returns.
const BATCH_BYTES: usize = 16 * 1024 * 1024;

/// How much memory a call may take besides its body: for its items, and for its answer. 0 if that
/// is about one item.
#[inline]
pub fn room_bytes(target: &str, body_bytes: usize) -> usize {
    // What a large body says stands beside it, once as it was read and once as it is written.
    let from_body = if body_bytes > SMALL_BODY_BYTES { 2 * body_bytes } else { 0 };
    from_body + 2 * returned_bytes(target)
}

/// How much a call of an operation may return.
fn returned_bytes(target: &str) -> usize {
    match target {
        "DynamoDB_20120810.Query"
        | "DynamoDB_20120810.Scan"
        | "DynamoDBStreams_20120810.GetRecords" => PAGE_BYTES,
        // The read that fills the page may be as large as one.
        "DynamoDB_20120810.ExecuteStatement" => 2 * PAGE_BYTES,
        "DynamoDB_20120810.TransactGetItems" | "DynamoDB_20120810.ExecuteTransaction" => {
            TRANSACTION_BYTES
        }
        "DynamoDB_20120810.BatchGetItem" | "DynamoDB_20120810.BatchExecuteStatement" => BATCH_BYTES,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_about_one_item_take_nothing_to_speak_of() {
        for operation in ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"] {
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
        ] {
            assert_eq!(room_bytes(target, 100), bytes, "{target}");
        }
    }
}
