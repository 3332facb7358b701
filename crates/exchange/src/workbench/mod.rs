//! NoSQL Workbench's file, versions 1.0 to 3.0.
//!
//! ```text
//! ModelName, ModelMetadata
//! DataModel: [{ TableName, KeyAttributes, NonKeyAttributes, GlobalSecondaryIndexes,
//!               TableFacets: [{ FacetName, KeyAttributeAlias, NonKeyAttributes, TableData }] or TableData,
//!               BillingMode, ProvisionedCapacitySettings, … }]
//! ```
//!
//! A facet is an entity in all but its key templates, which the format has no place for. They are
//! inferred from the facet's data. Our own exports write the template as the alias of the key,
//! where people see it, and an alias that is a template is read as one.

mod export;
mod import;

pub(super) use export::export;
pub(super) use import::import;
