//! Shapes that several operations share, grouped by what they describe.

mod capacity;
mod condition;
mod empty_request;
mod encryption;
mod index;
mod item_collection;
mod key_schema;
mod page;
mod replica;
mod stream_specification;
mod table_description;
mod tag;
mod throughput;
mod time_to_live;
mod timestamp;
mod vector_index;

pub use capacity::{Capacity, ConsumedCapacity, VectorCapacity};
pub use condition::{AttributeValueUpdate, Condition, ExpectedAttributeValue};
pub use empty_request::EmptyRequest;
pub use encryption::{SSEDescription, SSESpecification};
pub use index::{
    GlobalSecondaryIndex, GlobalSecondaryIndexDescription, LocalSecondaryIndex,
    LocalSecondaryIndexDescription, Projection,
};
pub use item_collection::ItemCollectionMetrics;
pub use key_schema::{AttributeDefinition, KeySchemaElement};
pub use page::PageResponse;
pub use replica::{
    GlobalTableWitnessDescription, ReplicaDescription, ReplicaGlobalSecondaryIndexDescription,
};
pub use stream_specification::StreamSpecification;
pub use table_description::{
    ArchivalSummary, BillingModeSummary, RestoreSummary, TableClassSummary, TableDescription,
};
pub use tag::Tag;
pub use throughput::{
    GlobalSecondaryIndexWarmThroughputDescription, OnDemandThroughput, OnDemandThroughputOverride,
    ProvisionedThroughput, ProvisionedThroughputDescription, ProvisionedThroughputOverride,
    TableWarmThroughputDescription, WarmThroughput,
};
pub use time_to_live::{TimeToLiveDescription, TimeToLiveSpecification};
pub use timestamp::Timestamp;
pub use vector_index::{
    DeleteVectorIndexAction, SearchSchemaElement, VectorAttributeDefinition, VectorIndex,
    VectorIndexDescription, VectorIndexUpdate,
};
