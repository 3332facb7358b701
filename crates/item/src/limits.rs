//! DynamoDB's limits, each named once.
//!
//! The figures are those of the service quotas page of the developer guide; where measured
//! behaviour differs from that page, the measured figure stands here and its comment says so.

/// The most bytes an item may have, names and values together.
pub const ITEM_BYTES_MAX: usize = 400 * 1024;
/// The most bytes a partition key value may have.
pub const PARTITION_KEY_BYTES_MAX: usize = 2048;
/// The most bytes a sort key value may have.
pub const SORT_KEY_BYTES_MAX: usize = 1024;
/// The longest value of a search schema's inline filter, in bytes.
pub const SEARCH_FILTER_BYTES_MAX: usize = 1024;
/// The most dimensions of a vector index. Measured.
pub const VECTOR_DIMENSIONS_MAX: u32 = 4096;
/// The most vector indexes of a table. Measured.
pub const VECTOR_INDEXES_MAX: usize = 5;
/// The most inline filters of a vector index. Measured.
pub const SEARCH_FILTERS_MAX: usize = 18;
/// The most results of a vector search. Measured.
pub const SEARCH_RESULTS_MAX: i32 = 100;
/// The most bytes of the results of a vector search.
pub const SEARCH_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The longest name of an attribute that is part of a key.
pub const KEY_NAME_BYTES_MAX: usize = 255;
/// The longest name of any other attribute.
pub const ATTRIBUTE_NAME_BYTES_MAX: usize = 65535;
/// How many maps and lists may lie around a value. Measured: 31 nested maps are stored, 32 refused.
pub const NESTING_MAX: usize = 31;
/// The most significant digits of a number.
pub const NUMBER_DIGITS_MAX: u32 = 38;
/// The largest power of ten of a number's first digit: 9.99…E+125.
pub const NUMBER_EXPONENT_MAX: i32 = 125;
/// The smallest power of ten of a number's first digit: 1E-130.
pub const NUMBER_EXPONENT_MIN: i32 = -130;

/// The bytes of items that one page of a Query or Scan evaluates before it ends.
pub const PAGE_BYTES_MAX: usize = 1024 * 1024;
/// The most bytes of an expression, measured on its text before names are replaced.
pub const EXPRESSION_BYTES_MAX: usize = 4096;
/// The most operators and functions of an expression.
pub const EXPRESSION_OPERATORS_MAX: usize = 300;
/// The most operands of `IN`.
pub const IN_OPERANDS_MAX: usize = 100;

/// The most characters of a PartiQL statement.
pub const STATEMENT_LENGTH_MAX: usize = 8192;
/// The most statements of a BatchExecuteStatement.
pub const BATCH_STATEMENTS_MAX: usize = 25;
/// The longest token that leads to the next page of a statement.
pub const NEXT_TOKEN_LENGTH_MAX: usize = 32768;

/// The shortest table or index name.
pub const NAME_LENGTH_MIN: usize = 3;
/// The longest table or index name.
pub const NAME_LENGTH_MAX: usize = 255;
/// The longest table name that is given as an ARN.
pub const ARN_LENGTH_MAX: usize = 1024;
/// The most local secondary indexes of a table.
pub const LOCAL_INDEXES_MAX: usize = 5;
/// The most global secondary indexes of a table.
pub const GLOBAL_INDEXES_MAX: usize = 20;
/// The most attributes of one kind (partition or sort) in a global index key.
pub const INDEX_KEY_PARTS_MAX: usize = 4;
/// The most non-key attributes that the indexes of a table may project by name, taken together.
pub const PROJECTED_NAMES_MAX: usize = 100;
/// The most non-key attributes that one index may name.
pub const PROJECTED_NAMES_PER_INDEX_MAX: usize = 20;

/// The most keys of a BatchGetItem.
pub const BATCH_GET_KEYS_MAX: usize = 100;
/// The most writes of a BatchWriteItem.
pub const BATCH_WRITES_MAX: usize = 25;
/// The most bytes of items in the answer of a BatchGetItem.
pub const BATCH_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The most actions of a transaction.
pub const TRANSACT_ACTIONS_MAX: usize = 100;
/// The most bytes of items in a transaction.
pub const TRANSACT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The longest idempotency token.
pub const REQUEST_TOKEN_LENGTH_MAX: usize = 36;
/// How long an idempotency token is remembered.
pub const REQUEST_TOKEN_SECS: u64 = 600;
/// The most segments of a parallel scan.
pub const SCAN_SEGMENTS_MAX: i64 = 1_000_000;
/// The most tables on a page of ListTables.
pub const LIST_TABLES_PAGE_MAX: usize = 100;

/// The most streams on a page of ListStreams.
pub const LIST_STREAMS_PAGE_MAX: usize = 100;
/// The most shards on a page of DescribeStream.
pub const DESCRIBE_STREAM_PAGE_MAX: usize = 100;
/// The most records of a GetRecords.
pub const GET_RECORDS_MAX: usize = 1000;
/// How long an iterator can be used.
pub const SHARD_ITERATOR_SECS: u64 = 15 * 60;

/// The bytes of an item that one read unit covers.
pub const READ_UNIT_BYTES: usize = 4 * 1024;
/// The bytes of an item that one write unit covers.
pub const WRITE_UNIT_BYTES: usize = 1024;
/// The most bytes of an item collection of a table with local indexes.
pub const ITEM_COLLECTION_BYTES_MAX: u64 = 10 * 1024 * 1024 * 1024;
