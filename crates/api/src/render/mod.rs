//! Outcomes as responses.

pub(crate) mod capacity;
pub(crate) mod contributor_insights;
pub(crate) mod index_description;
pub(crate) mod item_collection;
pub(crate) mod key_schema;
pub(crate) mod many;
pub(crate) mod stream_description;
pub(crate) mod stream_label;
pub(crate) mod stream_record;
pub(crate) mod table_description;
pub(crate) mod throughput;
pub(crate) mod vector_index;
