//! Cost: what a model consumes and what that comes to in a month.
//!
//! From the bottom up: a [`Request`] is one call with the sizes that its price depends on, and
//! [`Request::consumption`] is exact, to the half unit. [`EntitySize`] says how large items are,
//! from samples or from what the model declares. The calls of a pattern, its rate and the
//! [`Prices`] of a region make an [`Estimate`]: by pattern, entity, index and month, in every way
//! of paying, with the points at which another way becomes cheaper. A [`EstimateComparison`] puts
//! two estimates side by side.
//!
//! A month has 730 hours, as on AWS's bills, and a gigabyte 2³⁰ bytes.
//!
//! ```
//! use monotable_item::capacity::Consistency;
//! use monotable_plan::cost::{PageReads, Request, Rows};
//!
//! // An inbox of 50 messages of 256 KB, each with its body: 1600 units for one look at it.
//! let rows = Rows { count: 50.0, bytes_each: 256 * 1024 };
//! let consistency = Consistency::Eventual;
//! let inbox = PageReads { index: None, rows, consistency, fetched_bytes: None };
//! assert_eq!(Request::Pages(inbox).consumption().table.read.units(), 1600.0);
//! ```

mod bill;
mod break_even;
mod call;
mod comparison;
mod costing;
mod estimate;
mod month;
mod page;
mod partition;
mod price;
mod price_file;
mod projection;
mod region;
mod related_count;
mod report;
mod request;
mod route;
mod row_count;
mod shape;
mod shard;
mod size;
mod usage;
mod write_effect;

pub use bill::{Bill, BillLine, Demand, Payment, Provision, bill};
pub use break_even::{ProjectionSaving, StorageShare, Utilisation};
pub use call::{Call, Calls};
pub use comparison::{Difference, EstimateComparison};
pub use estimate::{
    ArmCost, DEFAULT_PEAK_FACTOR, DEFAULT_TARGET_UTILISATION, EntityCost, Estimate, PatternCost,
    Settings, TableCost,
};
pub use month::{GIGABYTE, HOURS, SECONDS, STORED_OVERHEAD_BYTES, stored_gigabytes};
pub use page::{PagedRead, Rows, read_rows};
pub use partition::{PARTITION_GIGABYTES, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, Partitions};
pub use price::{
    ClassPrices, Prices, RESERVED_BLOCK_UNITS, ReservedBlock, ReservedPrices, UnitPrices,
};
pub use price_file::{PriceFileError, read_prices};
pub use region::{DEFAULT_REGION, known_regions, prices_of};
pub use related_count::{average_together, count_together};
pub use report::{cost_sections, money, number, operation_word};
pub use report::{
    render_comparison, render_comparison_json, render_html, render_json, render_text,
};
pub use request::{Consumption, EntryChange, ItemWrite, PageReads, Request, Units};
pub use route::ReadRoute;
pub use shape::attribute_sizes;
pub use shard::{Sharding, shards_needed};
pub use size::projects;
pub use size::{EntitySize, EntrySize, SizeSource};
pub use usage::{Load, Usage};
