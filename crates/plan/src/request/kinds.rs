//! The kinds of requests.

use monotable_item::Item;
use monotable_model::document::{Order, ReturnsValues};

use super::Placeholders;

/// A request with all its values.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// `GetItem`
    Get(GetRequest),
    /// `Query`
    Query(QueryRequest),
    /// `Scan`
    Scan(ScanRequest),
    /// `PutItem`, `UpdateItem` or `DeleteItem`
    Write(WriteRequest),
    /// `BatchGetItem`
    BatchGet(Vec<GetRequest>),
    /// `BatchWriteItem`
    BatchWrite(Vec<WriteRequest>),
    /// `TransactGetItems`
    TransactGet(Vec<GetRequest>),
    /// `TransactWriteItems`
    TransactWrite(Vec<WriteRequest>),
}

/// Reads one item.
#[derive(Debug, Clone, PartialEq)]
pub struct GetRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The key.
    pub key: Item,
    /// `ProjectionExpression`
    pub projection: Option<String>,
    /// What its placeholders stand for.
    pub placeholders: Placeholders,
    /// `ConsistentRead`
    pub consistent: bool,
}

/// Reads a range of a partition.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The index, unless it is the table itself.
    pub index: Option<String>,
    /// `KeyConditionExpression`
    pub key_condition: String,
    /// `FilterExpression`
    pub filter: Option<String>,
    /// `ProjectionExpression`
    pub projection: Option<String>,
    /// What the placeholders of all three stand for.
    pub placeholders: Placeholders,
    /// `ScanIndexForward`
    pub order: Order,
    /// `Limit`
    pub limit: Option<u64>,
    /// `ConsistentRead`
    pub consistent: bool,
}

/// Reads a table or index.
#[derive(Debug, Clone, PartialEq)]
pub struct ScanRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The index, unless it is the table itself.
    pub index: Option<String>,
    /// `FilterExpression`
    pub filter: Option<String>,
    /// `ProjectionExpression`
    pub projection: Option<String>,
    /// What the placeholders of both stand for.
    pub placeholders: Placeholders,
    /// `Limit`
    pub limit: Option<u64>,
    /// `ConsistentRead`
    pub consistent: bool,
}

/// Writes one item, or checks it as a member of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum WriteRequest {
    /// Writes a whole item.
    Put(PutRequest),
    /// Changes attributes.
    Update(UpdateRequest),
    /// Deletes an item.
    Delete(DeleteRequest),
    /// Only checks a condition.
    Check(CheckRequest),
}

/// Writes a whole item.
#[derive(Debug, Clone, PartialEq)]
pub struct PutRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The item, with all its keys.
    pub item: Item,
    /// `ConditionExpression`
    pub condition: Option<String>,
    /// What its placeholders stand for.
    pub placeholders: Placeholders,
    /// `ReturnValues`
    pub returns_values: Option<ReturnsValues>,
}

/// Changes attributes of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The key.
    pub key: Item,
    /// `UpdateExpression`
    pub update: String,
    /// `ConditionExpression`
    pub condition: Option<String>,
    /// What the placeholders of both stand for.
    pub placeholders: Placeholders,
    /// `ReturnValues`
    pub returns_values: Option<ReturnsValues>,
}

/// Deletes an item.
#[derive(Debug, Clone, PartialEq)]
pub struct DeleteRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The key.
    pub key: Item,
    /// `ConditionExpression`
    pub condition: Option<String>,
    /// What its placeholders stand for.
    pub placeholders: Placeholders,
    /// `ReturnValues`
    pub returns_values: Option<ReturnsValues>,
}

/// Checks a condition as a member of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRequest {
    /// The table, as the service calls it.
    pub table: String,
    /// The key.
    pub key: Item,
    /// `ConditionExpression`
    pub condition: String,
    /// What its placeholders stand for.
    pub placeholders: Placeholders,
}
